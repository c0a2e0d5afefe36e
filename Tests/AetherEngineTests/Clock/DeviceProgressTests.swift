import AetherCore
import Testing

@testable import AetherEngine

@Suite struct DeviceProgressTests {
    /// Verdicts over positions looked at every so many milliseconds.
    private func verdicts(_ frames: [Int], every milliseconds: Double = 50, hasUnheard: Bool = true, buffer: Int = 8640)
        -> [DeviceProgress.Verdict]
    {
        var progress = DeviceProgress(bufferFrames: buffer, sampleRate: 48000)
        return frames.enumerated().map { index, frame in
            progress.note(
                frame: frame, hasUnheard: hasUnheard,
                at: HostTime(nanoseconds: 5_000_000_000) + .milliseconds(milliseconds * Double(index)))
        }
    }

    @Test func aPeriodIsNoStandstill() {
        // 85 ms are the longest period here.
        #expect(verdicts([0, 0, 4080, 4080, 8160]) == [.moved, .resting, .moved, .resting, .moved])
    }

    @Test func standingBeginsBehindTheLongestPeriodAndEndsWithAMove() {
        #expect(verdicts([960, 960, 960, 960, 960, 3360]) == [.moved, .resting, .resting, .standing, .standing, .moved])
        // Counting to and fro is no move.
        #expect(verdicts([960, 970, 955, 960]) == [.moved, .resting, .resting, .standing])
    }

    @Test func aLargeBufferMayHaveLongPeriods() {
        #expect(
            verdicts([0, 0, 0, 0, 0, 0], buffer: 24_000) == [.moved] + [.resting, .resting, .resting, .resting] + [.standing])
    }

    @Test func whoHasNothingToPlayStandsRightly() {
        #expect(
            !verdicts([960] + [Int](repeating: 960, count: 200), hasUnheard: false).contains { $0 == .standing || $0 == .stuck })
    }

    @Test func threeSecondsAreTheEnd() {
        let all = verdicts([Int](repeating: 960, count: 70))
        #expect(all.firstIndex(of: .stuck) == 60)
        // Of a gap between two looks half a second counts.
        #expect(!verdicts([960, 960, 960], every: 10_000).contains(.stuck))
    }
}
