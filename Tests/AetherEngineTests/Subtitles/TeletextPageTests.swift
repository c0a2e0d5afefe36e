import AetherCore
import AetherFormats
import AetherMedia
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine

/// Pages of teletext that are chosen while a source is read.
@Suite struct TeletextPageTests {
    @Test func anotherPageTakesTheCuesOfTheOneBeforeAway() throws {
        let clip = try Fixtures.clip(
            ["-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=5", "-c:v", "libx264", "-bf", "0"], ext: "ts")
        let bytes = TeletextStream.insert(
            [
                .init(at: 1, [(20, 7, "First")]), .init(at: 2, [(20, 7, "Second")]), .init(at: 3, [(20, 7, "Third")]),
                .init(at: 4),
            ],
            into: [UInt8](try Data(contentsOf: URL(filePath: clip))))
        var options = OpenOptions()
        options.box = nil
        var demuxer = try Demuxer(.reader(MemoryReader(bytes), name: "a.ts"), options: options, interrupt: Interrupt())
        let track = try #require(demuxer.info.tracks(.subtitle).first)
        #expect(track.codec == "dvb_teletext")
        let store = CueStore()
        var harvest = SubtitleHarvest(info: demuxer.info, cues: store)
        func read(to seconds: Double) throws {
            do throws(MediaError) {
                while true {
                    let packet = try demuxer.read(epoch: Epoch())
                    if harvest.take(packet), let time = packet.pts, time >= .seconds(1.4 + seconds) { return }
                }
            } catch {
                try #require(error.code == .endOfMedia)
            }
        }
        func lines() -> [String] { store.cues(track: track.id).flatMap(\.lines) }

        try read(to: 2)
        #expect(lines().contains("First"))
        // The one between two pages has a number that is not shown.
        #expect(harvest.newPages() == [TeletextPage(888, isSubtitle: true)] && harvest.newPages() == nil)
        harvest.turn(to: 150)
        #expect(lines().isEmpty)
        try read(to: 3.01)
        #expect(lines().isEmpty, "of a page that is not sent")
    }
}
