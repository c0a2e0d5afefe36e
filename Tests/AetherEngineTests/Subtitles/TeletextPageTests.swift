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
                .init(at: 4, [(20, 7, "Fourth")]),
            ],
            into: [UInt8](try Data(contentsOf: URL(filePath: clip))))
        var options = OpenOptions()
        options.box = nil
        var demuxer = try Demuxer(.reader(MemoryReader(bytes), name: "a.ts"), options: options, interrupt: Interrupt())
        let track = try #require(demuxer.info.tracks(.subtitle).first)
        #expect(track.codec == "dvb_teletext")
        let store = CueStore()
        var harvest = SubtitleHarvest(info: demuxer.info, cues: store)
        /// So many packets of teletext: each page has two, its rows and the header of the next one, which completes it.
        func read(_ count: Int) throws {
            var left = count
            while left > 0 { if harvest.take(try demuxer.read(epoch: Epoch())) { left -= 1 } }
        }
        func lines() -> [String] { store.cues(track: track.id).flatMap(\.lines) }

        try read(4)
        #expect(lines() == ["First", "Second"])
        // The one between two pages has a number that is not shown.
        #expect(harvest.newPages() == [TeletextPage(888, isSubtitle: true)] && harvest.newPages() == nil)
        harvest.turn(to: 150)
        #expect(lines().isEmpty)
        try read(2)
        #expect(lines().isEmpty, "of a page that is not sent")
        harvest.turn(to: 888)
        try read(2)
        #expect(lines() == ["Fourth"])
    }
}
