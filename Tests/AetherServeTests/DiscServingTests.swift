import AetherCore
import AetherTestSupport
import Foundation
import Testing

@testable import AetherServe

/// Titles of discs.
@Suite struct DiscServingTests {
    private func finished(_ clip: ServedClip) -> [Int] {
        clip.source.state.wait(until: nil) { $0.plan.isComplete ? $0.plan.forms : nil } ?? []
    }

    /// The main title has two clips, the second with a clock of its own.
    @Test func aTitleOfABluRayIsServedWhole() throws {
        let folder = try TemporaryFolder()
        try BluRayFixture.write(BluRayFixture.made().files(), to: folder.path("disc"))
        let clip = try ServedClip(folder.path("disc")), forms = finished(clip)
        let master = try clip.text("master.m3u8")
        #expect(master.contains("RESOLUTION=320x240") && master.contains("NAME=\"deu\"") && master.contains("NAME=\"eng\""))
        // Asked for from the end.
        let times = try forms.indices.reversed().map { number in
            try clip.probe(0, number, init: forms[number], "packet=pts_time").compactMap { Double($0.prefix { $0 != "," }) }
        }.reversed().flatMap { $0.sorted() }
        #expect(times.count == 250 && zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.04) < 0.001 })
        let audio = try forms.indices.map { try clip.probe(2, $0, init: forms[$0], "packet=pts_time").count }
        // 10 s in frames of 32 ms; at the joint of the clips one may stand for two.
        #expect((310...316).contains(audio.reduce(0, +)))
    }

    @Test func aTitleOfADVDIsEncodedWhenAsked() throws {
        let clip = try ServedClip(DVDFixture.made().image, transcodes: true), forms = finished(clip)
        let times = try forms.indices.reversed().map { number in
            try clip.probe(0, number, init: forms[number], "packet=pts_time").compactMap { Double($0.prefix { $0 != "," }) }
        }.reversed().flatMap { $0 }
        // 11.03 s at 25 frames a second, over the clocks of three cells.
        #expect((270...276).contains(times.count) && zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        #expect(try clip.text("master.m3u8").contains("ac-3"))
    }
}
