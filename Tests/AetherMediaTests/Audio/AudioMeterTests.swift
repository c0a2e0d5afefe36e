import AetherCore
import AetherTestSupport
import Foundation
import Testing

@testable import AetherMedia

@Suite struct AudioMeterTests {
    /// The weighted power of a loudness, for as many blocks of 100 ms.
    private func blocks(_ lufs: Double, _ seconds: Double) -> [Double] {
        [Double](repeating: pow(10, (lufs + 0.691) / 10), count: Int((seconds * 10).rounded()))
    }

    private func history(_ parts: [(Double, Double)]) -> LoudnessHistory {
        var history = LoudnessHistory()
        for (lufs, seconds) in parts { for power in blocks(lufs, seconds) { history.take(power) } }
        return history
    }

    /// EBU Tech 3341, table 1, cases 1 to 5: parts of a loudness, and of all of it −23 LUFS (−33 in the second).
    @Test(
        arguments: [
            ([-23, 20], -23), ([-33, 20], -33), ([-36, 10, -23, 60, -36, 10], -23),
            ([-72, 10, -36, 10, -23, 60, -36, 10, -72, 10], -23), ([-26, 20, -20, 20.1, -26, 20], -23),
        ] as [([Double], Double)])
    func integratedLoudnessIsGatedAsTech3341Has(_ parts: [Double], _ expected: Double) throws {
        let pairs = stride(from: 0, to: parts.count, by: 2).map { (parts[$0], parts[$0 + 1]) }
        #expect(abs(try #require(history(pairs).integrated) - expected) <= 0.1)
    }

    @Test func momentaryIsOf400MillisecondsAndShortTermOf3Seconds() throws {
        let loud = history([(-40, 5), (-20, 0.4)])
        #expect(abs(try #require(loud.momentary) + 20) < 0.01)
        #expect(try #require(loud.shortTerm) < -28)
        #expect(history([(-20, 0.3)]).momentary == nil && history([(-20, 2.9)]).shortTerm == nil)
        #expect(history([(-71, 20)]).integrated == nil, "all of it lies under the absolute gate")
    }

    @Test func aLongProgrammeTakesNoMoreMemory() throws {
        var history = LoudnessHistory()
        for index in 0..<100_000 { history.take(blocks(index.isMultiple(of: 2) ? -22 : -24, 0.1)[0]) }
        #expect(MemoryLayout.size(ofValue: history) < 64)
        #expect(abs(try #require(history.integrated) + 22.9) < 0.1)
    }

    /// EBU Tech 3342, table 1, cases 1 to 4: parts of 20 s, and how far they are apart; 1 LU is allowed.
    @Test(
        arguments: [([-20, -30], 10), ([-20, -15], 5), ([-40, -20], 20), ([-50, -35, -20, -35, -50], 15)] as [([Double], Double)])
    func theRangeIsThatOfTech3342(_ parts: [Double], _ expected: Double) throws {
        let range = try #require(history(parts.map { ($0, 20) }).range)
        #expect(abs(range - expected) <= 1, "\(range)")
        #expect(history([(-20, 2.9)]).range == nil && history([(-75, 20)]).range == nil)
    }

    private func sine(
        _ amplitude: Double, _ frequency: Double, phase: Double = 0, rate: Int, seconds: Double, right: Double = 1
    ) -> [Float] {
        (0..<Int(seconds * Double(rate))).flatMap { index -> [Float] in
            let turns: Double = frequency * Double(index) / Double(rate) + phase / 360
            let value: Double = amplitude * sin(2 * Double.pi * turns)
            return [Float(value), Float(value * right)]
        }
    }

    private func readings(_ samples: [Float], rate: Int) -> [AudioMeter.Reading] {
        var meter = AudioMeter(AudioFormat(sampleRate: rate, channelCount: 2))
        // In pieces that fit no block.
        var found: [AudioMeter.Reading] = [], start = 0
        while start < samples.count {
            let end = min(samples.count, start + 2 * 1117)
            let time: Double = Double(start / 2) / Double(rate)
            found += meter.take(Array(samples[start..<end]), start: time)
            start = end
        }
        return found
    }

    /// EBU Tech 3341, case 1: 1 kHz at −23 dBFS in both channels.
    @Test func theStandardsToneHasTheStandardsFigures() throws {
        let last = try #require(readings(sine(pow(10, -23.0 / 20), 1000, rate: 16000, seconds: 3.5), rate: 16000).last)
        for figure in [last.momentary, last.shortTerm, last.integrated] { #expect(abs(try #require(figure) + 23) < 0.1) }
        #expect(last.levels.count == 2 && last.levels[0].channel == .frontLeft)
        for level in last.levels { #expect(abs(level.mean + 23) < 0.05 && abs(level.peak + 23) < 0.05) }
        #expect(abs(last.truePeak + 23) < 0.2 && abs(last.end - 3.5) < 0.001)
    }

    /// EBU Tech 3341, cases 15 to 19: a quarter of the sampling rate, whose samples miss the peak; +0.2 and −0.4 dB are allowed.
    @Test(arguments: [(0.5, 4.0, 0.0, -6.0), (0.5, 4, 45, -6), (0.5, 6, 60, -6), (0.5, 8, 67.5, -6), (1.41, 4, 45, 3)])
    func aPeakBetweenSamplesIsFound(_ amplitude: Double, _ part: Double, _ phase: Double, _ decibels: Double) throws {
        var samples = sine(amplitude, 48000 / part, phase: phase, rate: 48000, seconds: 0.2)
        // Faded in: a step has peaks of its own.
        for index in 0..<4800 { samples[index] *= Float(index) / 4800 }
        let peak = try #require(readings(samples, rate: 48000).last).truePeak
        #expect((decibels - 0.4...decibels + 0.2).contains(peak), "\(peak)")
    }

    @Test(arguments: [(1.0, 1.0), (-1, -1), (0.2, 1), (-0.3, -1)])
    func phaseTellsWhetherBothChannelsSayTheSame(_ right: Double, _ expected: Double) throws {
        let found = try #require(readings(sine(0.3, 500, rate: 8000, seconds: 0.2, right: right), rate: 8000).last?.correlation)
        #expect(abs(found - expected) < 0.001)
    }

    @Test func silenceHasNoPhaseAndWhatIsNoNumberIsSilence() throws {
        let last = try #require(readings([Float](repeating: 0, count: 3200), rate: 8000).last)
        #expect(last.correlation == nil && last.levels[0].peak == AudioMeter.floor && last.truePeak == AudioMeter.floor)
        let broken = try #require(readings([Float](repeating: .nan, count: 3200) + [.infinity, 0], rate: 8000).last)
        #expect(broken.levels[0].peak == AudioMeter.floor && broken.momentary == nil || broken.momentary == -.infinity)
    }

    /// libavfilter's `ebur128` finds the same in noise with pauses.
    @Test func agreesWithFFmpeg() throws {
        let path = try Fixtures.clip(
            ["-f", "lavfi", "-i", "anoisesrc=d=5:r=48000:c=pink:a=0.3:seed=5,volume='if(lt(mod(t,2),1),1,0.02)':eval=frame"]
                + ["-ac", "2", "-f", "f32le"], ext: "raw")
        let raw = ["-f", "f32le", "-ar", "48000", "-ac", "2", "-i", path]
        let log = try Command(["ffmpeg", "-nostats"] + raw + ["-af", "ebur128=peak=true", "-f", "null", "-"])
        func figure(_ name: String, _ unit: String) throws -> Double {
            let line = try #require(log.errorLines.last { $0.contains(name) && $0.contains(unit) && !$0.contains("t:") })
            return try #require(Double(line.split(separator: " ").first { Double($0) != nil } ?? ""))
        }
        let samples = try [UInt8](Data(contentsOf: URL(filePath: path))).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        let last = try #require(readings(samples, rate: 48000).last)
        #expect(abs(try #require(last.integrated) - (try figure("I:", "LUFS"))) <= 0.2)
        #expect(abs(last.truePeak - (try figure("Peak:", "dBFS"))) <= 0.4)
    }
}
