import AetherCore
import CFFmpeg
import Foundation
import Testing

@testable import AetherMedia

@Suite struct AudioConverterTests {
    private let stereo = AudioFormat(sampleRate: 48000, channelCount: 2)

    /// Converts a whole signal in frames of 1024 samples and drains.
    private func run(
        _ converter: inout AudioConverter, rate: Int = 48000, channels: Int = 2, count: Int, mask: UInt64? = nil,
        format: AVSampleFormat = AV_SAMPLE_FMT_FLTP, sample: (Int, Int) -> Float
    ) throws -> [UInt8] {
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: count, by: 1024) {
            let frame = audioFrame(
                format, rate: rate, channels: channels, count: min(1024, count - start),
                pts: .seconds(Double(start) / Double(rate)), mask: mask
            ) { sample($0, start + $1) }
            try converter.convert(frame, into: &bytes)
        }
        try converter.drain(into: &bytes)
        return bytes
    }

    @Test func sameFormatPassesUnchanged() throws {
        var converter = AudioConverter(output: stereo)
        let bytes = try run(&converter, count: 5000) { $0 == 0 ? Float($1) / 8192 : -Float($1) / 8192 }
        let samples = floats(bytes)
        #expect(samples.count == 10000)
        let wanted: [Float] = (0..<5000).flatMap { (index: Int) -> [Float] in [Float(index) / 8192, -Float(index) / 8192] }
        #expect(samples == wanted)
        #expect(converter.outputFramesProduced == 5000)
    }

    /// A 10 ms burst of 3 kHz over a tone of 220 Hz: pure silence around it would leave the filter nothing to align by.
    private func burst(_ index: Int, at place: Int) -> Float {
        let tone = 0.1 * sinf(Float(index) * 2 * .pi * 220 / 48000)
        let inside = abs(index - place) < 240
        return inside ? tone + 0.5 * sinf(Float(index) * 2 * .pi * 3000 / 48000) : tone
    }

    /// The middle of the burst's energy, in frames of output.
    private func centre(_ samples: [Float]) -> Double {
        var sum = 0.0
        var weighted = 0.0
        for index in stride(from: 4, to: samples.count, by: 2) {
            // The second difference leaves nothing of 220 Hz.
            let edge = Double(samples[index] - 2 * samples[index - 2] + samples[index - 4])
            let energy = abs(edge) > 0.01 ? edge * edge : 0
            sum += energy
            weighted += energy * Double(index / 2)
        }
        return sum > 0 ? weighted / sum : -1
    }

    @Test(arguments: [0.5, 0.8, 1.0, 1.1, 1.5, 2.0, 3.0, 4.0, 0.25])
    func aBurstComesOutWhereTheTempoPutsIt(_ tempo: Double) throws {
        for place in [24_000, 50_123] {
            var converter = AudioConverter(output: stereo)
            converter.tempo = tempo
            let samples = floats(try run(&converter, count: 72_000) { _, index in burst(index, at: place) })
            let offset = (centre(samples) - Double(place) / tempo) / 48
            // As documented at TempoFilter: slow tempos come early.
            let limit = tempo < 0.5 ? 55.0 : tempo < 0.8 ? 25 : tempo > 2 ? 15 : 10
            #expect(abs(offset) <= limit, "\(offset) ms from where it belongs")
            #expect(samples.count / 2 == Int((72_000 / tempo).rounded()))
        }
    }

    @Test(arguments: [0.5, 1.5, 2.0]) func tempoKeepsThePitch(_ tempo: Double) throws {
        var converter = AudioConverter(output: stereo)
        converter.tempo = tempo
        let samples = floats(try run(&converter, count: 96_000) { _, index in sinf(Float(index) * 2 * .pi * 440 / 48000) * 0.5 })
        let middle = stride(from: samples.count / 4 & ~1, to: samples.count * 3 / 4, by: 2).map { samples[$0] }
        let crossings = zip(middle, middle.dropFirst()).filter { $0 < 0 && $1 >= 0 }.count
        #expect(abs(Double(crossings) / (Double(middle.count) / 48000) - 440) < 6)
    }

    @Test func theNumberOfFramesFollowsChangesOfTempo() throws {
        var converter = AudioConverter(output: stereo)
        var bytes: [UInt8] = []
        var start = 0, expected = 0.0
        for tempo in [1.0, 2, 0.5, 1, 4] {
            converter.tempo = tempo
            for _ in 0..<20 {
                try converter.convert(
                    audioFrame(rate: 48000, channels: 2, count: 1024, pts: .seconds(10 + Double(start) / 48000)) { _, _ in 0 },
                    into: &bytes)
                start += 1024
            }
            expected += 20 * 1024 / tempo
            // Samples still in the filter: 60 ms of input at most per stage.
            let held = (expected - Double(converter.outputFramesProduced)) / 48 * tempo
            #expect(held >= -60 && held <= 400, "held \(held) ms at \(tempo)")
        }
        try converter.drain(into: &bytes)
        #expect(Int64(bytes.count / 8) == converter.outputFramesProduced)
        let produced = Double(converter.outputFramesProduced)
        #expect(abs(produced - expected) < 0.060 * 48000)
    }

    @Test func formatChangesMidstreamLoseNothing() throws {
        var converter = AudioConverter(output: stereo)
        var bytes: [UInt8] = []
        let plans: [(AVSampleFormat, Int, Int, UInt64?)] = [
            (AV_SAMPLE_FMT_FLTP, 48000, 2, 3), (AV_SAMPLE_FMT_S16, 44100, 1, 4), (AV_SAMPLE_FMT_FLT, 96000, 6, 0x3F),
            (AV_SAMPLE_FMT_S16P, 8000, 2, nil), (AV_SAMPLE_FMT_FLTP, 22050, 9, nil),
        ]
        for (format, rate, channels, mask) in plans {
            for _ in 0..<10 {
                let frame = audioFrame(format, rate: rate, channels: channels, count: rate / 50, mask: mask) { _, _ in 0.25 }
                try converter.convert(frame, into: &bytes)
            }
        }
        try converter.drain(into: &bytes)
        #expect(abs(Int(converter.outputFramesProduced) - 48000) <= 100)
    }

    @Test func monoKeepsItsLevelOnBothSides() throws {
        var converter = AudioConverter(output: stereo)
        let samples = floats(try run(&converter, channels: 1, count: 2048, mask: 4) { _, _ in 0.5 })
        #expect(samples.count == 4096 && samples.allSatisfy { abs($0 - 0.5) < 1e-4 })
    }

    @Test func fullSurroundDoesNotClipInStereo() throws {
        var converter = AudioConverter(output: stereo)
        let samples = floats(try run(&converter, channels: 6, count: 4096, mask: 0x3F) { _, _ in 1 })
        #expect(samples.allSatisfy { $0 <= 1.0001 && $0 > 0.9 })
    }

    /// A voice in the centre of 5.1 is as loud as BS.775 says, and what the channels add up to beyond full scale is held, also at other
    /// tempos and where the source changes; no sample is lost to the limiter's look ahead.
    @Test func loudSurroundIsLimited() throws {
        for tempo in [1.0, 1.5] {
            var converter = AudioConverter(output: stereo)
            converter.tempo = tempo
            let bytes = try run(&converter, channels: 6, count: 48_000, mask: 0x3F) { channel, index in
                let loud: Float = index > 24_000 && channel == 0 ? 0.9 : 0
                return channel == 2 ? 0.5 * sinf(Float(index) * 2 * .pi * 300 / 48000) : loud
            }
            let samples = floats(bytes)
            #expect(samples.count / 2 == Int((48_000 / tempo).rounded()))
            #expect(samples.allSatisfy { abs($0) <= 1.0001 })
            let voice = samples[4000..<20_000].map(abs).max() ?? 0
            #expect(abs(voice - 0.5 * 0.7079) < (tempo == 1 ? 1e-3 : 0.03), "\(voice)")
        }
    }

    @Test func safeSurroundIsNot() throws {
        var converter = AudioConverter(output: stereo, levels: MixLevels(downmix: .safe))
        let samples = floats(try run(&converter, channels: 6, count: 4096, mask: 0x3F) { channel, _ in channel == 0 ? 1 : 0 })
        #expect(samples.count == 8192 && abs(samples[4000] - 1 / 2.4158) < 1e-3 && samples[4001] == 0)
    }

    /// It is another one from the next frame on, and no sample is lost.
    @Test func theDownmixMayChangeWhileItPlays() throws {
        var converter = AudioConverter(output: stereo)
        var bytes: [UInt8] = []
        for index in 0..<12 {
            converter.downmix = (4..<8).contains(index) ? .safe : .loud
            let frame = audioFrame(
                rate: 48_000, channels: 6, count: 4096, pts: .seconds(Double(index) * 4096 / 48_000), mask: 0x3F
            ) { channel, _ in channel == 0 ? 0.5 : 0 }
            try converter.convert(frame, into: &bytes)
        }
        try converter.drain(into: &bytes)
        let left = floats(bytes).enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
        #expect(left.count == 12 * 4096)
        for (place, wanted) in [(2, 0.5), (6, 0.5 / 2.4158), (10, 0.5)] {
            #expect(abs(Double(left[place * 4096]) - wanted) < 1e-3, "\(place)")
        }
    }

    @Test(arguments: [3, 7, 9, 16, 23, 64]) func unknownLayoutsAreMixedByCount(_ channels: Int) throws {
        var converter = AudioConverter(output: stereo)
        let samples = floats(try run(&converter, channels: channels, count: 2048) { _, _ in 0.5 })
        #expect(samples.count == 4096)
        #expect(samples[1000] > 0.15 && samples[1001] > 0.15 && samples[1000] <= 1)
    }

    @Test func integersAreRoundedAndClamped() throws {
        let values: [Float] = [0, 0.5, -0.5, 1, -1, 2, -2, .nan, 0.00002, .infinity]
        for (type, wanted) in [
            (AudioFormat.Sample.int16, [0, 16384, -16384, 32767, -32768, 32767, -32768, 0, 1, 32767] as [Int]),
            (
                .int32,
                [0, 1 << 30, -(1 << 30), 2_147_483_647, -2_147_483_648, 2_147_483_647, -2_147_483_648, 0, 42950, 2_147_483_647]
            ),
        ] {
            var bytes: [UInt8] = [9]
            SampleWriter.append(values, as: type, to: &bytes)
            let read = bytes.dropFirst().withUnsafeBytes { raw in
                values.indices.map { index in
                    type == .int16
                        ? Int(raw.loadUnaligned(fromByteOffset: index * 2, as: Int16.self))
                        : Int(raw.loadUnaligned(fromByteOffset: index * 4, as: Int32.self))
                }
            }
            #expect(zip(read, wanted).allSatisfy { abs($0 - $1) <= (type == .int16 ? 0 : 1) }, "\(read)")
        }
    }

    @Test func hostileFramesAreRefusedAndTheNextIsTaken() throws {
        var converter = AudioConverter(output: stereo)
        for (rate, channels) in [(0, 2), (-5, 2), (Int(Int32.max), 2), (48000, 65)] {
            let frame = audioFrame(rate: 48000, channels: min(channels, 64), count: 64) { _, _ in 0 }
            frame.pointer.pointee.sample_rate = Int32(rate)
            if channels > 64 { frame.pointer.pointee.ch_layout.nb_channels = Int32(channels) }
            var bytes: [UInt8] = []
            var code: MediaError.Code?
            do throws(MediaError) { try converter.convert(frame, into: &bytes) } catch { code = error.code }
            #expect(code == .decodeFailed && bytes.isEmpty)
            if channels > 64 { frame.pointer.pointee.ch_layout.nb_channels = 64 }
        }
        #expect(try run(&converter, count: 100) { _, _ in 0.1 }.count == 800)
    }

    @Test func resetForgetsWhatWasHeldBack() throws {
        var converter = AudioConverter(output: stereo)
        converter.tempo = 2
        var bytes: [UInt8] = []
        try converter.convert(audioFrame(rate: 44100, channels: 2, count: 20000) { _, _ in 1 }, into: &bytes)
        converter.reset()
        #expect(converter.outputFramesProduced == 0)
        bytes = []
        try converter.convert(audioFrame(rate: 44100, channels: 2, count: 44100, pts: .seconds(7)) { _, _ in 0 }, into: &bytes)
        try converter.drain(into: &bytes)
        #expect(floats(bytes).allSatisfy { $0 == 0 })
        #expect(abs(Int(converter.outputFramesProduced) - 24_000) <= 100)
    }
}
