import AetherCore
import AetherMedia
import AetherTestSupport
import Testing

@testable import AetherEngine
@testable import AetherEngineTests

/// Two sources in a row, the second queued behind the first in the same device.
@Suite(.serialized) struct GaplessTests {
    /// A part of the ramp that numbers its samples, 16 bits.
    private func ramp(from start: Int, count: Int) throws -> String {
        try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "aevalsrc=mod(n+\(start)\\,32768)/32768:s=48000:d=\(Double(count) / 48000)", "-sample_fmt",
                "s16",
                "-c:a", "flac",
            ], ext: "flac")
    }

    private func numbers(_ samples: [Int32]) -> [Int] { samples.map { Int(($0 &+ 0x8000) >> 16) } }

    /// Plays one behind the other as the control task would; returns both, and what was heard.
    private func play(_ first: String, _ second: String) async throws
        -> (first: Listening, second: Listening, heard: [Int32])
    {
        let one = try Listening(first) { $0.isFollowed = true }
        let two = try Listening(second, after: one)
        await begin(one, two)
        let end = await one.hears { if case .finished(.audio, Epoch(1), let at) = $0 { at } else { nil } }
        #expect(end != nil)
        one.pipeline.change { $0.clockRuns = false }
        one.pipeline.stop()
        let last = await two.hears { if case .finished(.audio, Epoch(1001), let at) = $0 { at } else { nil } }
        #expect(last != nil)
        return (one, two, one.script.heard)
    }

    /// Lets the first play, and the second wait behind it.
    private func begin(_ one: Listening, _ two: Listening) async {
        // Opus in Matroska begins before zero with what is cut off.
        one.begin(1, at: max(0, one.start.seconds))
        #expect(await one.primed(1))
        one.pipeline.change { $0.clockRuns = true }
        two.begin(1001, at: two.start.seconds)
        #expect(await two.primed(1001))
        two.pipeline.change { $0.clockRuns = true }
    }

    private func end(_ one: Listening, _ two: Listening) {
        two.pipeline.stop()
        one.end()
        two.end()
    }

    @Test func noSampleIsMissingBetweenTwoFilesAndNoneIsAdded() async throws {
        let (one, two, heard) = try await play(try ramp(from: 0, count: 40_000), try ramp(from: 40_000, count: 30_011))
        #expect(numbers(heard) == (0..<70_011).map { $0 % 32768 })
        #expect(one.script.opened.count == 1)
        end(one, two)
    }

    @Test func theClockBeginsAnewWhereTheFirstSampleOfTheSecondIsHeard() async throws {
        let one = try Listening(try ramp(from: 0, count: 30_000)) { $0.isFollowed = true }
        let two = try Listening(try ramp(from: 30_000, count: 90_000), after: one)
        await begin(one, two)
        let end = await one.hears { if case .finished(.audio, Epoch(1), let at) = $0 { at } else { nil } }
        #expect(((end ?? .zero) - .seconds(0.625)).magnitude < .milliseconds(1))
        let ended = one.heard { if case .finished(.audio, Epoch(1), _) = $0 { true } else { false } }
        #expect(abs((ended ?? 0) - 30_000) < 4800 + 48_000 * one.slack)
        one.pipeline.stop()
        #expect(await two.plays(60_000))
        let (clock, heard) = two.reading()
        let wanted = (heard - 30_000) / 48_000
        #expect(abs(try #require(clock).seconds - wanted) < 0.015 + two.slack, "\(clock?.seconds ?? -1), not \(wanted)")
        self.end(one, two)
    }

    /// Samples that encoders add at both ends are cut off: the tone goes on over the joint.
    @Test(arguments: [
        ["mp3", "libmp3lame", "192k"], ["m4a", "aac", "192k"], ["opus", "libopus", "160k"], ["mka", "libopus", "160k"],
    ])
    func aToneGoesOnWithoutWhatEncodersAdd(_ format: [String]) async throws {
        func half(_ number: Int) throws -> String {
            try Fixtures.clip(
                [
                    "-f", "lavfi", "-i", "sine=f=440:r=48000:d=2,volume=6", "-af",
                    "atrim=start_sample=\(number * 38_400):end_sample=\((number + 1) * 38_400),asetpts=PTS-STARTPTS", "-c:a",
                    format[1], "-b:a", format[2],
                ], ext: format[0])
        }
        let (one, two, heard) = try await play(try half(0), try half(1))
        // 0.8 s each, for the edit lists of MP4 count in milliseconds: 352 turns, so that no encoder sees an edge.
        #expect(heard.count == 76_800, "\(format[0])")
        // Of a tone each sample follows from the two before it: x(n) = 2 cos ω x(n-1) - x(n-2).
        let turn = 2 * cosine(440.0 / 48_000)
        let values = heard.map { Double($0) / 2_147_483_648 }
        let peak = values.map(abs).max() ?? 0
        var worst = 0.0
        for n in 37_400..<min(39_400, values.count) { worst = max(worst, abs(values[n] - turn * values[n - 1] + values[n - 2])) }
        #expect(peak > 0.3)
        // A lost sample at the steepest place would be 0.06 of the peak.
        #expect(worst < 0.04 * peak, "\(format[0]): \(worst / peak)")
        end(one, two)
    }

    private func cosine(_ turns: Double) -> Double {
        // Taylor's series: 440/48000 of a turn is small.
        let angle = 2 * Double.pi * turns, square = angle * angle
        return 1 - square / 2 + square * square / 24
    }

    @Test func aPauseInTheLastMomentLosesNothing() async throws {
        let one = try Listening(try ramp(from: 0, count: 30_000)) { $0.isFollowed = true }
        let two = try Listening(try ramp(from: 30_000, count: 20_000), after: one)
        await begin(one, two)
        one.pipeline.change { $0.clockRuns = false }
        let before = one.count { if case .finished = $0 { true } else { false } }
        one.pipeline.change { $0.clockRuns = true }
        #expect(await one.hears { if case .finished(.audio, Epoch(1), _) = $0 { true } else { nil } } == true)
        one.pipeline.stop()
        #expect(await two.hears { if case .finished(.audio, Epoch(1001), _) = $0 { true } else { nil } } == true)
        #expect(before == 0)
        #expect(numbers(one.script.heard) == (0..<50_000).map { $0 % 32768 })
        end(one, two)
    }

    /// A seek back takes the second one's sound out of the queue, and says so.
    @Test func aSeekBackForgetsTheSecond() async throws {
        let one = try Listening(try ramp(from: 0, count: 48_000)) { $0.isFollowed = true }
        let two = try Listening(try ramp(from: 48_000, count: 20_000), after: one)
        one.begin(1, at: 0)
        #expect(await one.primed(1))
        one.pipeline.change { $0.clockRuns = true }
        two.begin(1001, at: 0)
        #expect(await two.primed(1001))
        one.begin(2, at: 0.5)
        #expect(await one.primed(2))
        #expect(one.count { if case .successorSpoilt = $0 { true } else { false } } == 1)
        let mark = one.script.heard.count
        one.pipeline.change { $0.clockRuns = true }
        try #require(await one.plays(mark + 10_000))
        #expect(numbers(Array(one.script.heard[mark..<mark + 10_000])) == (24_000..<34_000).map { $0 % 32768 })
        end(one, two)
    }

    /// Another sample rate is no reason to resample one behind the other: the device is opened anew for it.
    @Test func anotherFormatIsPlayedOnADeviceOfItsOwn() async throws {
        let other = try Fixtures.clip(
            ["-f", "lavfi", "-i", "sine=f=441:r=44100:d=0.5,volume=4", "-c:a", "flac"], ext: "flac")
        let one = try Listening(try ramp(from: 0, count: 24_000)) { $0.isFollowed = true }
        let two = try Listening(other, after: one)
        one.begin(1, at: 0)
        #expect(await one.primed(1))
        one.pipeline.change { $0.clockRuns = true }
        two.begin(1001, at: 0)
        #expect(await one.hears { if case .finished(.audio, Epoch(1), _) = $0 { true } else { nil } } == true)
        one.pipeline.stop()
        #expect(await two.primed(1001))
        two.pipeline.change { $0.clockRuns = true }
        #expect(await two.hears { if case .finished(.audio, Epoch(1001), _) = $0 { true } else { nil } } == true)
        #expect(one.script.opened.count == 2)
        #expect(abs(one.script.heard.count - 48_000) < 64)
        end(one, two)
    }

    private func video(_ audio: String, rate: Int = 48_000, samples: Int, seconds: Double) throws -> String {
        try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=\(seconds)", "-f", "lavfi", "-i",
                "aevalsrc=\(audio):s=\(rate):d=\(Double(samples) / Double(rate))", "-c:v", "libx264", "-preset", "ultrafast",
                "-c:a",
                "pcm_s16le",
            ], ext: "mkv")
    }

    /// Frames that last on longer than their audio are waited for in silence, to the sample.
    @Test func theAudioOfAVideoWaitsForItsLastFrame() async throws {
        let first = try video("mod(n\\,32768)/32768", samples: 38_400, seconds: 1)
        let second = try video("mod(n+38400\\,32768)/32768", samples: 24_000, seconds: 0.4)
        let one = try Listening(first) { ($0.isFollowed, $0.activeVideo) = (true, 0) }
        let two = try Listening(second, after: one) { $0.activeVideo = 0 }
        await begin(one, two)
        let end = await one.hears { if case .finished(.audio, Epoch(1), let at) = $0 { at } else { nil } }
        #expect(((end ?? .zero) - .seconds(1)).magnitude < .milliseconds(1))
        one.pipeline.stop()
        #expect(await two.hears { if case .finished(.audio, Epoch(1001), _) = $0 { true } else { nil } } == true)
        let ramp = (0..<62_400).map { $0 % 32768 }
        #expect(numbers(one.script.heard) == ramp[..<38_400] + [Int](repeating: 0, count: 9600) + ramp[38_400...])
        self.end(one, two)
    }

    /// Silence for the last frame is not the second one's audio: that waits for its device, and all of it is heard.
    @Test func otherChannelsBesideVideoAreHeardOnADeviceOfTheirOwn() async throws {
        let first = try video("mod(n\\,32768)/32768", samples: 38_400, seconds: 1)
        let second = try video("0.5|0.5", samples: 19_200, seconds: 0.4)
        let one = try Listening(first) { ($0.isFollowed, $0.activeVideo) = (true, 0) }
        let two = try Listening(second, after: one) { $0.activeVideo = 0 }
        one.begin(1, at: 0)
        #expect(await one.primed(1))
        one.pipeline.change { $0.clockRuns = true }
        two.begin(1001, at: two.start.seconds)
        #expect(await one.hears { if case .finished(.audio, Epoch(1), _) = $0 { true } else { nil } } == true)
        one.pipeline.stop()
        #expect(await two.primed(1001))
        two.pipeline.change { $0.clockRuns = true }
        #expect(await two.hears { if case .finished(.audio, Epoch(1001), _) = $0 { true } else { nil } } == true)
        #expect(one.script.opened.count == 2)
        let heard = numbers(one.script.heard), silence = [Int](repeating: 0, count: 9600)
        #expect(heard.prefix(48_000) == ((0..<38_400).map { $0 % 32768 } + silence)[...])
        #expect(heard.count == 67_200 && heard.dropFirst(48_000).allSatisfy { $0 > 8000 })
        end(one, two)
    }

    /// Beside video another sample rate is resampled: the device plays on, and no frame waits for it to be opened anew.
    @Test func anotherRateBesideVideoJoinsInTheSameDevice() async throws {
        let first = try video("0.5", samples: 28_800, seconds: 0.6)
        let second = try video("0.5", rate: 44_100, samples: 22_050, seconds: 0.4)
        let one = try Listening(first) { ($0.isFollowed, $0.activeVideo) = (true, 0) }
        let two = try Listening(second, after: one) { $0.activeVideo = 0 }
        await begin(one, two)
        #expect(await one.hears { if case .finished(.audio, Epoch(1), _) = $0 { true } else { nil } } == true)
        one.pipeline.stop()
        #expect(await two.hears { if case .finished(.audio, Epoch(1001), _) = $0 { true } else { nil } } == true)
        let heard = numbers(one.script.heard)
        #expect(one.script.opened.count == 1 && abs(heard.count - 52_800) < 64)
        // The filter of the resampler takes up to 16 samples to rise; a gap would be thousands.
        #expect(heard.count { $0 < 8000 } < 64)
        end(one, two)
    }

    /// A track of a disc image ends on the sample at which the next one begins.
    @Test func tracksOfOneFileJoinOnTheSample() async throws {
        let path = try ramp(from: 0, count: 60_000)
        let one = try Listening(path) { $0.isFollowed = true }
        let two = try Listening(path, after: one)
        one.pipeline.begin(Epoch(1), plan: SeekPlan(target: .zero, landing: .exact, end: .seconds(0.5)))
        #expect(await one.primed(1))
        one.pipeline.change { $0.clockRuns = true }
        two.begin(1001, at: 0.5)
        #expect(await two.primed(1001))
        two.pipeline.change { $0.clockRuns = true }
        #expect(await one.hears { if case .finished(.audio, Epoch(1), _) = $0 { true } else { nil } } == true)
        one.pipeline.stop()
        #expect(await two.hears { if case .finished(.audio, Epoch(1001), _) = $0 { true } else { nil } } == true)
        #expect(numbers(one.script.heard) == (0..<60_000).map { $0 % 32768 })
        end(one, two)
    }
}
