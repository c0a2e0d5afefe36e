import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine
@testable import AetherEngineTests

@Suite struct PictureLookCommandTests {
    private let filled = SettingChange.fit(.fill)

    @Test func whilePlayingTheNextFramesFollow() {
        var play = Play.landed()
        #expect(play.say(.set(filled), at: 5) == [.set(filled)])
        #expect(play.machine.settings[.fit] == filled)
    }

    @Test func aStandingFrameIsScaledAnewWhereItStands() {
        var play = Play.landed(wantsToPlay: false)
        let effects = play.say(.set(filled), at: 5)
        #expect(effects.first == .set(filled))
        #expect(
            effects.contains {
                if case .begin(_, let plan) = $0 { plan == SeekPlan(target: .seconds(5), landing: .exact) } else { false }
            })
    }

    @Test func aFrameOnItsWayIsFetchedOnceMoreBehindThat() {
        var play = Play.landed(wantsToPlay: false)
        _ = play.say(.set(filled), at: 5)
        // It may be scaled already when the next wish comes, and the one after that.
        for fit in [SettingChange.fit(.fit), filled, .fit(.fit)] {
            #expect(play.say(.set(fit), at: 5) == [.set(fit)])
        }
        #expect(play.machine.seeks.pending == SeekPlan(target: .seconds(5), landing: .exact))
    }

    @Test func coloursNeedNoNewPicture() {
        var play = Play.landed(wantsToPlay: false)
        let brighter = SettingChange.adjustment(ColourAdjustment(brightness: 10))
        #expect(play.say(.set(brighter), at: 5) == [.set(brighter)])
    }

    @Test func beforeTheSourceIsOpenTheLookIsKept() {
        var play = Play(unopened: ())
        #expect(play.say(.set(filled)) == [.set(filled)])
        #expect(play.machine.settings[.fit] == filled)
    }

    @Test func metadataThatStaysAwayForAWhileChangesNothing() {
        let cases: [(known: VideoFormat, picture: VideoFormat, then: VideoFormat)] = [
            (.sdr, .sdr, .sdr), (.hdr10, .hdr10Plus, .hdr10Plus), (.hdr10Plus, .hdr10, .hdr10Plus),
            (.dolbyVision, .hdr10, .dolbyVision),
            (.sdr, .hlg, .hlg), (.hlg, .dolbyVision, .dolbyVision), (.hdr10Plus, .sdr, .sdr),
        ]
        for row in cases { #expect(row.known.joined(by: row.picture) == row.then) }
    }
}

@Suite(.serialized) struct PictureFormatTests {
    private static let corpus = Fixtures.shared?.appendingPathComponent("corpus")

    @Test(
        .enabled(if: corpus != nil, "no shared corpus (AETHER_SHARED or ../shared)"),
        arguments: [
            ("hdr10plus/hevc_tests/regular.mkv", VideoFormat.hdr10Plus, Int?.none),
            ("dovi/hevc_tests/regular.mkv", .dolbyVision, 8),
            ("androidx/mp4/hlg10-color-test.mp4", .hlg, nil), ("androidx/mp4/hdr10-av1.mp4", .hdr10, nil),
        ])
    func theSourcesFormatIsPublished(_ name: String, _ format: VideoFormat, _ profile: Int?) async throws {
        let path = try #require(Self.corpus).appendingPathComponent(name).path
        let screening = try await Screening.of(path) {
            $0.isUntimed = true
            $0.audioOutput = .none
        }
        #expect(await screening.eventually { $0.snapshot.sourceVideoFormat == format })
        #expect(screening.snapshot.sourceDVProfile == profile)
        #expect(screening.snapshot.videoFormat == .sdr)
        await screening.engine.stop()
    }

    @Test(arguments: [("bgra", true), ("bgr0", false), ("yuv420p", false), ("yuva420p", true)])
    func transparencyIsPublished(_ format: String, _ isTransparent: Bool) async throws {
        let clip = try Fixtures.clip(
            ["-f", "lavfi", "-i", "testsrc=size=64x48:rate=10:duration=1", "-c:v", "ffv1", "-pix_fmt", format], ext: "mkv")
        let screening = try await Screening.of(clip) {
            $0.autoplay = false
            $0.audioOutput = .none
        }
        #expect(await screening.eventually { $0.frames.count >= 1 && (!isTransparent || $0.snapshot.isTransparent) })
        #expect(screening.snapshot.isTransparent == isTransparent)
        await screening.engine.stop()
    }

    @Test func aStandingFrameFollowsItsLook() async throws {
        let clip = try Fixtures.clip(
            ["-f", "lavfi", "-i", "testsrc=size=64x48:rate=10:duration=3", "-c:v", "libx264", "-g", "10"], ext: "mkv")
        let screening = try await Screening.of(clip) {
            $0.autoplay = false
            $0.audioOutput = .none
        }
        #expect(await screening.eventually { $0.frames.count >= 1 })
        let before = try #require(screening.frames.last)
        screening.engine.send(.set(.adjustment(ColourAdjustment(saturation: -100))))
        #expect(await screening.eventually { $0.frames.last.map { $0.hash != before.hash && $0.pts == before.pts } ?? false })
        #expect(await screening.eventually { $0.snapshot.videoLook.adjustment.saturation == -100 })
        screening.engine.send(.set(.adjustment(ColourAdjustment())))
        #expect(await screening.eventually { $0.frames.last?.hash == before.hash })
        await screening.engine.stop()
    }
}
