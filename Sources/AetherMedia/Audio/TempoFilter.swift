import AetherCore
import CFFmpeg

/// libavfilter's `atempo`: changes the speed of interleaved float samples and keeps their pitch. One instance per tempo.
///
/// Latency: it looks ahead about 60 ms of its input before anything comes out; `finish` brings the rest. Output frame n stands for
/// input frame n × tempo: 41 bursts over a tone were found 7 ms early to 6 ms late of that from 0.8 to 2, ±9 ms at 4, 14...25 ms early at 0.5
/// and 41...66 ms early at 0.25 (where those are 7...12 and 10...16 ms of source).
///
/// Chosen over libavfilter's `rubberband` (2.0, five settings) by measurement on the same bursts, 20 s of stereo: that was 10...18 ms
/// early at 0.5 and 31...38 at 0.25, but 5...16 ms late at 2 and 13...22 at 4, lost transients beyond 2, and took 0.8...4.2 s of CPU
/// where this takes 0.1...0.4 s.
struct TempoFilter: ~Copyable {
    private var line: FilterLine
    private let frame: UnsafeMutablePointer<AVFrame>
    private let format: AudioFormat
    private let tempo: Double
    private var inputFrames: Int64 = 0
    private var outputFrames: Int64 = 0

    init(tempo: Double, format: AudioFormat, in place: (any DecodingPlace)? = ProcessBox.current) throws(MediaError) {
        guard let frame = av_frame_alloc() else {
            throw MediaError(.internalFailure, "change the speed", reason: "out of memory")
        }
        do throws(MediaError) {
            let steps = Self.factors(tempo).map { FilterOrder.Step(name: "atempo", options: "tempo=\($0)") }
            line = try FilterLine(FilterOrder(steps, format: format, keepsForm: false), in: place)
        } catch {
            var spare: UnsafeMutablePointer<AVFrame>? = frame
            av_frame_free(&spare)
            throw MediaError(error.code, "change the speed", cause: error.cause, reason: error.reason)
        }
        (self.frame, self.format, self.tempo) = (frame, format, tempo)
    }

    deinit {
        var spare: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&spare)
    }

    /// One `atempo` blends fragments only between 0.5 and 2; beyond it skips samples, so several share the work.
    static func factors(_ tempo: Double) -> [Double] {
        var rest = tempo
        var factors: [Double] = []
        while rest > 2 {
            factors.append(2)
            rest /= 2
        }
        while rest < 0.5 {
            factors.append(0.5)
            rest *= 2
        }
        return factors + [rest]
    }

    /// Puts whole frames in and appends what comes out.
    mutating func process(_ samples: [Float], into output: inout [Float]) throws(MediaError) {
        let count = samples.count / format.channelCount
        guard count > 0 else { return }
        // A pointer of its own: Swift 6.3 breaks its module where the thread sanitizer follows one in a struct that is passed in parts.
        let frame = frame
        av_frame_unref(frame)
        frame.pointee.format = AV_SAMPLE_FMT_FLT.rawValue
        frame.pointee.sample_rate = Int32(format.sampleRate)
        frame.pointee.nb_samples = Int32(clamping: count)
        frame.pointee.pts = inputFrames
        ChannelLayout.setDefault(&frame.pointee.ch_layout, channelCount: format.channelCount)
        try TempoFilter.check(av_frame_get_buffer(frame, 0))
        guard let target = frame.pointee.data.0 else { throw MediaError(.internalFailure, "change the speed") }
        let byteCount = count * format.channelCount * MemoryLayout<Float>.size
        samples.withUnsafeBytes {
            UnsafeMutableRawBufferPointer(start: target, count: byteCount).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: $0[..<byteCount]))
        }
        inputFrames += Int64(count)
        try line.send(frame)
        try collect(into: &output)
    }

    /// Ends the input and appends what was still inside, to exactly input ÷ tempo frames in all. The filter takes nothing
    /// afterwards. By itself `atempo` swallows up to 170 ms at the end (tempo 0.25), so silence pushes them out.
    mutating func finish(into output: inout [Float]) throws(MediaError) {
        let wanted = Int64((Double(inputFrames) / tempo).rounded())
        let start = output.count
        let already = outputFrames
        try process([Float](repeating: 0, count: format.sampleRate / 5 * format.channelCount), into: &output)
        try line.send(nil)
        try collect(into: &output)
        let rest = Int(max(0, wanted - already)) * format.channelCount
        let surplus = output.count - start - rest
        if surplus > 0 { output.removeLast(surplus) }
    }

    private mutating func collect(into output: inout [Float]) throws(MediaError) {
        while true {
            av_frame_unref(frame)
            guard try line.receive(frame) else { return }
            output.append(contentsOf: try FilteredSamples.of(frame, format))
            outputFrames += Int64(frame.pointee.nb_samples)
            guard Double(outputFrames) <= Double(inputFrames) / tempo + Double(format.sampleRate) else {
                throw MediaError(.decodeFailed, "change the speed", reason: "more samples came out than there are")
            }
        }
    }

    private static func check(_ result: Int32) throws(MediaError) {
        if result < 0 { throw MediaError(.internalFailure, "change the speed", averror: result) }
    }
}
