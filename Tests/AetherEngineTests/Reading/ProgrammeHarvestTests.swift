import AetherCore
import AetherFormats
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine
@testable import AetherMedia

/// The programmes of a transport stream, as it is played.
@Suite struct ProgrammeHarvestTests {
    /// A transport stream in which the tables come every fifty packets, each time the next of the groups, from a
    /// share of the stream on.
    private func stream(
        _ groups: [[[UInt8]]],
        _ media: [String] = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=4", "-c:v", "libx264", "-preset", "ultrafast"],
        within share: ClosedRange<Double> = 0...1
    ) throws -> String {
        let clip = try Fixtures.clip(media, ext: "ts")
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: clip))), folder = try TemporaryFolder()
        var result: [UInt8] = [], counter: UInt8 = 0, turn = 0
        for place in stride(from: 0, to: bytes.count, by: 188) {
            if place / 188 % 50 == 3, share.contains(Double(place) / Double(bytes.count)) {
                let group = groups[min(turn, groups.count - 1)]
                for section in group { result += EventTables.packets(section, counter: &counter) }
                turn += 1
            }
            result += bytes[place..<place + 188]
        }
        let path = folder.path("b.ts")
        try Data(result).write(to: URL(filePath: path))
        kept.append(folder)
        return path
    }
    private let kept = Folders()

    /// Folders that last as long as the test.
    private final class Folders {
        private var all: [TemporaryFolder] = []
        func append(_ folder: TemporaryFolder) { all.append(folder) }
    }

    private func sections(_ now: String, _ next: String, service: UInt16 = 1) -> [[UInt8]] {
        [
            EventTables.section([EventTables.event(7, Array(now.utf8))], service: service),
            EventTables.section([EventTables.event(8, Array(next.utf8))], service: service, number: 1),
            // Of another channel of the multiplex.
            EventTables.section([EventTables.event(9, Array("Elsewhere".utf8))], service: 77),
        ]
    }

    private func source(_ path: String) throws -> ContainerSource {
        let interrupt = Interrupt()
        return try ContainerSource(
            try MediaInput(.location(.file(path)), interrupt: interrupt), options: OpenOptions(), interrupt: interrupt)
    }

    private func read(_ path: String) throws -> [[Int: NowNext]] {
        let source = try source(path)
        var harvest = ProgrammeHarvest(source.description.info), news: [[Int: NowNext]] = []
        #expect(harvest.streams.count == 1)
        source.select(harvest.streams)
        do throws(MediaError) {
            while true {
                guard case .packet(let packet) = try source.read(run: Epoch()), harvest.take(packet) else { continue }
                if let found = harvest.news() { news.append(found) }
            }
        } catch {
            #expect(error.code == .endOfMedia, "\(error)")
        }
        return news
    }

    @Test func whatIsOnIsToldOnceAndAgainWhenItChanges() throws {
        let news = try read(stream([sections("News", "Film"), sections("News", "Film"), sections("Film", "Sport")]))
        let titles = news.compactMap { $0[1] }.map { [$0.now?.title, $0.next?.title] }
        #expect(
            titles.first == ["News", nil] && titles.contains(["News", "Film"]) && titles.last == ["Film", "Sport"], "\(titles)")
        #expect(titles.count <= 4 && news.allSatisfy { $0.keys.allSatisfy { $0 == 1 } })
    }

    @Test func tablesThatComeAfterTheOpeningAreTold() throws {
        // 5 MB and five seconds are analysed at most, and the last MB for the duration: these tables come in between.
        let video = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=8", "-c:v", "libx264", "-preset", "ultrafast", "-g", "25"]
        let clip = video + ["-muxrate", "10M"]
        let path = try stream([sections("News", "Film")], clip, within: 0.6...0.7)
        #expect(try source(path).description.info.streams.map(\.kind) == [.video])
        let news = try read(path)
        #expect(news.last?[1].map { [$0.now?.title, $0.next?.title] } == ["News", "Film"], "\(news)")
    }

    @Test func tablesLeadNoRecording() throws {
        let path = try stream([sections("News", "Film")], ["-f", "lavfi", "-i", "sine=d=4", "-c:a", "mp2"])
        let source = try source(path), folder = try TemporaryFolder()
        let tables = ProgrammeHarvest(source.description.info).streams
        var recording = RecordingFile(RecordingOrder(path: folder.path("r.mkv")), of: source.description), order: [Bool] = []
        do throws(MediaError) {
            while true {
                guard case .packet(let packet) = try source.read(run: Epoch()) else { continue }
                order.append(tables.contains(packet.stream))
                try recording.write(packet)
            }
        } catch {
            #expect(error.code == .endOfMedia, "\(error)")
        }
        try recording.finish()
        #expect(order.first == true && order.contains(false))
        let made = try self.source(folder.path("r.mkv")).description.info
        #expect(made.streams.map(\.kind) == [.audio] && (made.duration ?? .zero) > .seconds(3.9), "\(made.streams.map(\.kind))")
    }

    @Test func otherServicesAndOtherContainersTellNothing() throws {
        #expect(try read(stream([sections("News", "Film", service: 5)])).isEmpty)
        let clip = try Fixtures.clip(["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1", "-c:v", "libx264"], ext: "mp4")
        let info = try source(clip).description.info
        #expect(ProgrammeHarvest(info).streams.isEmpty && info.services.isEmpty)
    }
}
