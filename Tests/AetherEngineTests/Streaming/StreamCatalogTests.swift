import AetherCore
import AetherFormats
import AetherTestSupport
import Foundation
import Synchronization
import Testing

@testable import AetherEngine
@testable import AetherMedia

/// The lists of a broadcast's renditions and servers, on one axis. Time is virtual, and the lists are those of a moment.
@Suite struct StreamCatalogTests {
    /// A server's folder.
    private final class Folder {
        let folder = FileManager.default.temporaryDirectory.appending(path: "catalog-\(UUID().uuidString)")
        let time = ManualTime()

        init(_ master: String) throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try write("master.m3u8", "#EXTM3U\n" + master)
        }

        deinit {
            do { try FileManager.default.removeItem(at: folder) } catch { Issue.record(error) }
        }

        func write(_ name: String, _ text: String) throws {
            try Data(text.utf8).write(to: folder.appending(path: name))
        }

        func remove(_ name: String) throws { try FileManager.default.removeItem(at: folder.appending(path: name)) }

        /// A list of segments of a second, each of them a file of the list.
        func write(_ name: String, _ numbers: Range<Int>, first: Int? = nil, tail: String = "") throws {
            let segments = numbers.map { "#EXTINF:1,\n\(name)_\($0).ts\n" }.joined()
            let head = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:\(first ?? numbers.lowerBound)\n"
            try write("\(name).m3u8", head + segments + tail)
        }

        func catalog() throws -> StreamCatalog {
            let interrupt = Interrupt(), path = folder.appending(path: "master.m3u8").path
            let input = try MediaInput(.location(.file(path)), follows: true, interrupt: interrupt)
            let document = try #require(try StreamDocument(input))
            let fetch = StreamFetch(document, interrupt: interrupt) { [time] _, moment in
                time.advance(by: max(.zero, moment - time.now()))
                return false
            }
            return try StreamCatalog(document, fetch: fetch, time: time)
        }
    }

    private static let ladder = "#EXT-X-STREAM-INF:BANDWIDTH=1000\na.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=2000\nb.m3u8\n"
    private static let spare = "#EXT-X-STREAM-INF:BANDWIDTH=1000\na.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=1000\nb.m3u8\n"

    private func seconds(_ value: Int64) -> Ticks { Ticks(value, timescale: 1) }

    /// Plays on from one moment to another, at which a window of six segments has slid there.
    private func slide(_ folder: Folder, _ catalog: StreamCatalog, _ id: Rendition.ID, _ moments: ClosedRange<Int>) throws {
        for start in moments {
            try folder.write("a", start..<(start + 6))
            folder.time.advance(by: .seconds(1))
            try catalog.catchUp(id)
        }
    }

    @Test func aQualityThatIsEnteredLateLiesBesideTheOther() throws {
        let folder = try Folder(Self.ladder)
        try folder.write("a", 0..<6)
        try folder.write("b", 0..<6)
        let catalog = try folder.catalog(), ids = catalog.presentation.renditions.map(\.id)
        try #require(ids.count == 2)
        #expect(try catalog.segments(of: ids[0]).start == seconds(0))
        try slide(folder, catalog, ids[0], 1...40)
        #expect(try catalog.segments(of: ids[0]).start == seconds(40))
        try folder.write("b", 41..<47)
        #expect(try catalog.segments(of: ids[1]).start == seconds(41))
        // Twenty minutes later it is entered once more: the list of then is no guide.
        try slide(folder, catalog, ids[0], 41...1200)
        try folder.write("b", 1200..<1206)
        try catalog.catchUp(ids[1])
        #expect(try catalog.segments(of: ids[1]).start == seconds(1200))
    }

    @Test func aServerThatWasLeftIsNotAskedAgainWhileTheOtherGives() throws {
        let folder = try Folder(Self.spare)
        try folder.write("a", 0..<6)
        try folder.write("b", 0..<6)
        let catalog = try folder.catalog(), id = try #require(catalog.presentation.renditions.first?.id)
        let rendition = try #require(catalog.presentation.rendition(id))
        try #require(rendition.addresses.count == 2)
        _ = try catalog.segments(of: id)
        #expect(catalog.address(of: rendition)?.text.hasSuffix("a.m3u8") == true)
        try folder.remove("a.m3u8")
        for second in 1...400 {
            try folder.write("b", second..<(second + 6))
            folder.time.advance(by: .seconds(1))
            // Back after its time of rest is over: nothing is won by asking it.
            if second == 350 { try folder.write("a", 9..<15) }
            if catalog.isDue(id) { try catalog.catchUp(id) }
            #expect(try second < 10 || catalog.segments(of: id).numbers.lowerBound >= second - 8)
        }
        #expect(catalog.address(of: rendition)?.text.hasSuffix("b.m3u8") == true)
        #expect(try catalog.segments(of: id).start.span.seconds > 380)
    }

    @Test(arguments: [700, 0]) func aServerWithNumbersOfItsOwnGoesOnBehind(_ first: Int) throws {
        let folder = try Folder(Self.spare)
        try folder.write("a", 100..<106)
        let catalog = try folder.catalog(), id = try #require(catalog.presentation.renditions.first?.id)
        _ = try catalog.segments(of: id)
        try folder.remove("a.m3u8")
        try folder.write("b", first..<(first + 6))
        for _ in 0..<4 {
            folder.time.advance(by: .seconds(1))
            if catalog.isDue(id) { try catalog.catchUp(id) }
        }
        let index = try catalog.segments(of: id)
        #expect(index.numbers == Int64(first)..<Int64(first + 6) && catalog.era(of: id) == 1)
        // It ends where the other one would by now.
        let end = index.end.span.seconds, passed = folder.time.now().nanoseconds / 1_000_000_000
        #expect(end > 6 && end <= Double(6 + passed), "\(end)")
    }
}
