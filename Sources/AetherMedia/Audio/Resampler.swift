import AetherCore
import CFFmpeg

/// libswresample from one source format to interleaved float at the device's rate and channels, mixed by `ChannelMix`.
struct Resampler: ~Copyable {
    /// The format of a source frame; a change means a new resampler.
    struct Source: Equatable {
        var format: Int32
        var rate: Int
        var channels: [AudioChannel]

        /// Reads and checks a frame.
        init(_ frame: UnsafePointer<AVFrame>) throws(MediaError) {
            let audio = frame.pointee
            format = audio.format
            rate = Int(audio.sample_rate)
            let count = Int(audio.ch_layout.nb_channels)
            channels = withUnsafePointer(to: audio.ch_layout) { ChannelLayout.channels($0) }
            // 64 channels are libswresample's limit.
            guard (1...64).contains(count), (1000...1_536_000).contains(rate), audio.extended_data != nil,
                audio.nb_samples >= 0,
                av_get_sample_fmt_name(AVSampleFormat(rawValue: format)) != nil
            else {
                throw MediaError(
                    .decodeFailed, "convert audio",
                    reason: translated("\(count) channels at \(rate) Hz in sample format \(format)"))
            }
        }
    }

    let source: Source
    /// Channels that are mixed together could add up beyond full scale.
    let mayExceed: Bool
    private let context: OpaquePointer
    private let channels: Int

    init(_ source: Source, output: AudioFormat, levels: MixLevels = MixLevels()) throws(MediaError) {
        self.source = source
        channels = output.channelCount
        let mix = ChannelMix(from: source.channels, to: output.channels, levels: levels)
        mayExceed = mix.mayExceed
        guard let context = Resampler.open(source, output, mix) else {
            throw MediaError(
                .unsupported, "convert audio", reason: translated("\(source.channels.count) channels at \(source.rate) Hz"))
        }
        self.context = context
        MediaBalance.contexts.add()
    }

    deinit {
        var owned: OpaquePointer? = context
        swr_free(&owned)
        MediaBalance.contexts.add(-1)
    }

    /// Converts a frame's samples and appends them; nil brings what was held back for the filter.
    func convert(_ frame: UnsafePointer<AVFrame>?, into output: inout [Float]) throws(MediaError) {
        let input = frame?.pointee.nb_samples ?? 0
        let room = swr_get_out_samples(context, input)
        // 16 million frames are minutes of audio in one packet: not media.
        guard room >= 0, room <= 1 << 24 else { throw MediaError(.decodeFailed, "convert audio", reason: "packet too long") }
        guard room > 0 else { return }
        let start = output.count
        output.append(contentsOf: repeatElement(0, count: Int(room) * channels))
        let produced = output.withUnsafeMutableBytes { bytes -> Int32 in
            let base = bytes.baseAddress.map { ($0 + start * 4).assumingMemoryBound(to: UInt8.self) }
            var planes: [UnsafeMutablePointer<UInt8>?] = [base]
            let data = frame.flatMap { $0.pointee.extended_data }.map {
                UnsafeMutableRawPointer($0).assumingMemoryBound(to: UnsafePointer<UInt8>?.self)
            }
            return swr_convert(context, &planes, room, data, input)
        }
        output.removeLast(output.count - start - Int(max(0, produced)) * channels)
        if produced < 0 { throw MediaError(.decodeFailed, "convert audio", averror: produced) }
    }

    private static func open(_ source: Source, _ output: AudioFormat, _ mix: ChannelMix) -> OpaquePointer? {
        // To libswresample channels are numbers: which is which, and how much of it goes where, the matrix says.
        var input = AVChannelLayout()
        input.nb_channels = Int32(mix.inputs)
        var target = AVChannelLayout()
        target.nb_channels = Int32(mix.outputs)
        if mix.isIdentity {
            ChannelLayout.setDefault(&input, channelCount: mix.inputs)
            ChannelLayout.setDefault(&target, channelCount: mix.outputs)
        }
        defer {
            av_channel_layout_uninit(&input)
            av_channel_layout_uninit(&target)
        }
        var context: OpaquePointer?
        let result = swr_alloc_set_opts2(
            &context, &target, AV_SAMPLE_FMT_FLT, Int32(output.sampleRate), &input, AVSampleFormat(rawValue: source.format),
            Int32(source.rate), 0, nil)
        guard result >= 0, let opened = context else {
            swr_free(&context)
            return nil
        }
        av_opt_set_int(UnsafeMutableRawPointer(opened), "internal_sample_fmt", Int64(AV_SAMPLE_FMT_FLTP.rawValue), 0)
        if !mix.isIdentity { swr_set_matrix(opened, mix.weights, Int32(mix.inputs)) }
        guard swr_init(opened) >= 0 else {
            swr_free(&context)
            return nil
        }
        return opened
    }
}
