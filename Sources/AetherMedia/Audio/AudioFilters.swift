import AetherCore
import CFFmpeg

/// A person's filters for audio: interleaved float samples of one format in, the same format out, and exactly as many. What a filter adds
/// beyond is cut off, and what it leaves out is silence at the end: no sample moves in time. Lives on one thread.
struct AudioFilters: ~Copyable {
    private var line: FilterLine
    private let frame: UnsafeMutablePointer<AVFrame>
    private let format: AudioFormat
    private var inputFrames: Int64 = 0
    private var outputFrames: Int64 = 0

    /// Throws `.unsupported` for what libavfilter refuses.
    init(_ graph: FilterGraph, format: AudioFormat, in place: (any DecodingPlace)? = ProcessBox.current) throws(MediaError) {
        guard let frame = av_frame_alloc() else { throw MediaError(.internalFailure, "use the filters", reason: "out of memory") }
        do throws(MediaError) {
            line = try FilterLine(FilterOrder(graph.steps, format: format, keepsForm: true), in: place)
        } catch {
            var spare: UnsafeMutablePointer<AVFrame>? = frame
            av_frame_free(&spare)
            throw error
        }
        (self.frame, self.format) = (frame, format)
    }

    deinit {
        var spare: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&spare)
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
        let status = av_frame_get_buffer(frame, 0)
        guard status >= 0, let target = frame.pointee.data.0 else {
            throw MediaError(.internalFailure, "use the filters", averror: min(status, -1))
        }
        let byteCount = count * format.channelCount * MemoryLayout<Float>.size
        samples.withUnsafeBytes {
            UnsafeMutableRawBufferPointer(start: target, count: byteCount).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: $0[..<byteCount]))
        }
        inputFrames += Int64(count)
        try line.send(frame)
        try collect(into: &output)
    }

    /// Ends the input and appends what was held back, to exactly as many frames as went in. The filters take nothing afterwards.
    mutating func finish(into output: inout [Float]) throws(MediaError) {
        try line.send(nil)
        try collect(into: &output)
        let missing = Int(max(0, inputFrames - outputFrames))
        output.append(contentsOf: repeatElement(0, count: missing * format.channelCount))
        outputFrames = inputFrames
    }

    private mutating func collect(into output: inout [Float]) throws(MediaError) {
        while true {
            av_frame_unref(frame)
            guard try line.receive(frame) else { return }
            let samples = try FilteredSamples.of(frame, format)
            let count = min(Int64(frame.pointee.nb_samples), inputFrames - outputFrames)
            guard count > 0 else { continue }
            output.append(contentsOf: samples.prefix(Int(count) * format.channelCount))
            outputFrames += count
        }
    }
}
