import AetherCore
import AetherEngine
import AetherTestSupport
import Foundation
import Synchronization
import Testing

@testable import AetherServe

/// Bytes that come once, as out of a pipe or from a server that does not say how many there are.
final class OneWayReader: IOReader {
    private let bytes: [UInt8]
    private let place = Atomic(0)
    let traits: IOReaderTraits
    let size: Int64? = nil
    let isSeekable = false

    init(_ bytes: [UInt8], traits: IOReaderTraits = .pipe) { (self.bytes, self.traits) = (bytes, traits) }

    var consumed: Int { place.load(ordering: .relaxed) }
    func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        let start = consumed, count = min(buffer.count, 4096, bytes.count - start)
        buffer.copyBytes(from: bytes[start..<start + count])
        place.store(start + count, ordering: .relaxed)
        return count
    }
    func seek(to offset: Int64) throws(IOReaderError) { throw .notSeekable }
    func cancel() {}
    func resume() {}
    func close() {}
    func makeIndependentReader() -> (any IOReader)? { nil }
}

@Suite struct WindowTests {
    private static let paces: [(ServedPace, Int, Int, Double?, ServedPace.Decision)] = [
        (.asItComes, 99, 0, nil, .now),
        // A player begins with three.
        (.asAsked, 2, 0, nil, .now), (.asAsked, 3, 0, 1, .whenAsked), (.inTime, 2, 0, nil, .now),
        (.asAsked, 7, 1, 1, .now), (.asAsked, 8, 1, 1, .whenAsked), (.asAsked, 8, 1, 99, .whenAsked),
        // A server's bytes are taken in time, whether anybody asks or not.
        (.inTime, 3, 0, 1, .at(HostTime(nanoseconds: 13_000_000_000))), (.inTime, 3, 0, 4, .now), (.inTime, 7, 1, 1, .now),
        (.inTime, 8, 1, 3.5, .at(HostTime(nanoseconds: 10_500_000_000))),
    ]

    @Test(arguments: paces)
    func segmentsAreMadeAsTheSourceAllows(
        _ pace: ServedPace, _ number: Int, _ asked: Int, _ age: Double?, _ decision: ServedPace.Decision
    ) {
        let now = HostTime(nanoseconds: 10_000_000_000)
        let former = age.map { (length: TimeSpan.seconds(4), made: now - .seconds($0)) }
        #expect(pace.decision(number, asked: asked, former: former, now: now) == decision)
    }

    @Test func thePaceIsThatOfTheSource() {
        var server = IOReaderTraits.network
        #expect(ServedPace(isLive: true, server) == .asItComes && ServedPace(isLive: false, .pipe) == .asAsked)
        #expect(ServedPace(isLive: false, server) == .inTime)
        server.hasKnownEnd = true
        #expect(ServedPace(isLive: false, server) == .asAsked)
    }

    @Test func aWindowLosesItsFirstSegments() {
        var store = SegmentStore(budget: 30, slides: true)
        for number in 0..<3 { store.put([0: [UInt8](repeating: 0, count: 10)], number: number) }
        _ = store.get(SegmentStore.Key(track: 0, number: 0))
        store.put([0: [UInt8](repeating: 0, count: 10)], number: 3)
        #expect(!store.has(SegmentStore.Key(track: 0, number: 0)) && store.has(SegmentStore.Key(track: 0, number: 1)))
    }

    private static func stream() throws -> [UInt8] {
        func part(_ size: String, _ seconds: Int) throws -> Data {
            let path = try Fixtures.clip(
                [
                    "-f", "lavfi", "-i", "testsrc2=s=\(size):r=5:d=\(seconds)", "-f", "lavfi", "-i",
                    "sine=d=\(seconds):r=48000", "-c:v", "libx264", "-g", "10", "-preset", "ultrafast", "-c:a", "mp2",
                ], ext: "ts")
            return try Data(contentsOf: URL(fileURLWithPath: path))
        }
        return try [UInt8](part("64x64", 16) + part("128x64", 80))
    }

    private func count(_ clip: ServedClip, _ number: Int) -> Int {
        clip.source.state.wait(until: nil) { $0.plan.count >= number || $0.plan.isComplete ? $0.plan.count : nil } ?? 0
    }

    @Test func aPipeIsReadAsFarAsAClientFollows() throws {
        let bytes = try Self.stream(), reader = OneWayReader(bytes)
        let clip = try ServedClip(.custom(reader, name: "pipe.ts"))
        #expect(count(clip, 3) == 3)
        var list = try clip.text("0/index.m3u8")
        #expect(list.contains("#EXT-X-MEDIA-SEQUENCE:0\n") && !list.contains("ENDLIST") && !list.contains("PLAYLIST-TYPE"))
        #expect(list.contains("#EXT-X-TARGETDURATION:6\n") && list.contains("#EXT-X-START:TIME-OFFSET=0"))
        #expect(reader.consumed < bytes.count / 2)
        _ = try clip.bytes("0/0.m4s")
        #expect(count(clip, 8) == 8)
        for number in 1...14 { _ = try (clip.bytes("0/\(number).m4s"), clip.bytes("1/\(number).m4s")) }
        // The fifteenth was asked for, and six more are made.
        #expect(count(clip, 22) == 22)
        list = try clip.text("0/index.m3u8")
        // The discontinuity between 3 and 4 is gone with them.
        #expect(list.contains("#EXT-X-MEDIA-SEQUENCE:11\n") && list.contains("#EXT-X-DISCONTINUITY-SEQUENCE:1\n"))
        #expect(list.contains("URI=\"init1.mp4\"") && !list.contains("#EXT-X-DISCONTINUITY\n"))
        #expect(try clip.status([clip.server.address + "0/9.m4s"]) == "404")
        #expect(try clip.status([clip.server.address + "0/99.m4s"]) == "404")
        for number in 15..<24 { _ = try clip.bytes("0/\(number).m4s") }
        #expect(count(clip, 99) == 24)
        #expect(try clip.text("1/index.m3u8").contains("#EXT-X-ENDLIST"))
    }

    @Test func whatAServerGivesIsNeitherHeldUpNorReadToItsEnd() throws {
        var traits = IOReaderTraits.network
        (traits.seekCost, traits.isRepeatable) = (.impossible, false)
        let clip = try ServedClip(.custom(OneWayReader(try Self.stream(), traits: traits), name: "channel.ts"))
        // In time: the third segment is there at once, and the fourth 4 s later.
        #expect(count(clip, 3) >= 3 && clip.source.programme?.pace == .inTime)
        // A player joins near the end, as with a broadcast.
        #expect(try !clip.text("0/index.m3u8").contains("EXT-X-START"))
    }
}
