import AetherCore
import AetherTestSupport
import Foundation
import Testing

@testable import AetherMedia

@Suite struct LoudnessTests {
    private func sine(_ decibels: Double, seconds: Double, frequency: Double = 997, rate: Int = 48000, channels: Int = 2)
        -> [Float]
    {
        let peak = pow(10, decibels / 20)
        return (0..<Int(seconds * Double(rate))).flatMap { index -> [Float] in
            let value = Float(peak * sin(Double(index) * 2 * .pi * frequency / Double(rate)))
            return [Float](repeating: value, count: channels)
        }
    }

    private func loudness(_ samples: [Float], _ format: AudioFormat) -> Double {
        var meter = LoudnessMeter(format)
        var blocks: [Double] = []
        samples.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            for frame in 0..<buffer.count / format.channelCount {
                if let block = meter.take(base + frame * format.channelCount) { blocks.append(block) }
            }
        }
        return LoudnessLeveller.gated(blocks) ?? -.infinity
    }

    /// BS.1770-4: 997 Hz at full scale in one channel is −3.01 LUFS; EBU Tech 3341, case 1: stereo at −23 dBFS is −23 LUFS.
    @Test(arguments: [(-23.0, 48000, 2, -23.0), (-33, 44100, 2, -33), (0, 96000, 1, -3.01), (-18, 8000, 2, -18)])
    func theStandardsTone(_ decibels: Double, _ rate: Int, _ channels: Int, _ lufs: Double) {
        let format = AudioFormat(sampleRate: rate, channelCount: channels)
        #expect(abs(loudness(sine(decibels, seconds: 3, rate: rate, channels: channels), format) - lufs) < 0.12)
    }

    /// libavfilter's `ebur128` measures the same on noise with pauses.
    @Test func agreesWithFFmpeg() throws {
        let path = try Fixtures.clip(
            ["-f", "lavfi", "-i", "anoisesrc=d=6:r=48000:c=pink:a=0.3:seed=3,volume='if(lt(mod(t,2),1),1,0.02)':eval=frame"]
                + ["-ac", "2", "-f", "f32le"], ext: "raw")
        let raw = ["-f", "f32le", "-ar", "48000", "-ac", "2", "-i", path]
        let log = try Command(["ffmpeg", "-nostats"] + raw + ["-af", "ebur128", "-f", "null", "-"])
        let line = try #require(log.errorLines.last { $0.contains("I:") && $0.contains("LUFS") && !$0.contains("t:") })
        let theirs = try #require(Double(line.split(separator: " ").first { Double($0) != nil } ?? ""))
        let samples = floats([UInt8](try Data(contentsOf: URL(filePath: path))))
        #expect(abs(loudness(samples, AudioFormat(sampleRate: 48000, channelCount: 2)) - theirs) < 0.5)
    }

    private func levelled(_ samples: [Float], _ leveller: inout LoudnessLeveller) -> [Float] {
        var copy = samples
        copy.withUnsafeMutableBufferPointer { leveller.apply(to: $0) }
        return copy
    }

    @Test(arguments: [-38.0, -28, -23, -18, -10, -3]) func programmesComeOutEquallyLoud(_ decibels: Double) {
        let format = AudioFormat(sampleRate: 16000, channelCount: 2)
        var leveller = LoudnessLeveller(format)
        let out = levelled(sine(decibels, seconds: 16, rate: 16000), &leveller)
        let end = loudness(Array(out.suffix(16000 * 2 * 2)), format)
        // It lifts by 12 dB at most.
        #expect(abs(end - min(-18, decibels + 12)) < 0.4)
    }

    @Test func silenceAndQuietScenesAreNotLifted() {
        let format = AudioFormat(sampleRate: 16000, channelCount: 2)
        var leveller = LoudnessLeveller(format)
        _ = levelled(sine(-18, seconds: 12, rate: 16000), &leveller)
        let before = leveller.decibels
        _ = levelled(sine(-45, seconds: 4, rate: 16000), &leveller)
        #expect(abs(leveller.decibels - before) < 0.5)
        _ = levelled([Float](repeating: 0, count: 16000 * 2 * 30), &leveller)
        #expect(abs(leveller.decibels - before) < 0.5)
    }

    /// The gain has no delay, and never a step: 6 dB/s at most.
    @Test func comesOutAtTheSameSampleWithoutAStep() {
        let format = AudioFormat(sampleRate: 48000, channelCount: 1)
        var leveller = LoudnessLeveller(format)
        var samples = [Float](repeating: 0, count: 48000)
        samples[24_000] = 1
        #expect(levelled(samples, &leveller).firstIndex { $0 != 0 } == 24_000)
        let ones = levelled([Float](repeating: 0.25, count: 48000 * 3), &leveller)
        #expect(zip(ones, ones.dropFirst()).allSatisfy { abs($1 - $0) < 0.0001 })
    }
}
