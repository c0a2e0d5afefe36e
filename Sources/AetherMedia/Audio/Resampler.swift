import AetherCore
import CFFmpeg

/// libswresample from one source format to interleaved float at the device's rate and channels.
struct Resampler: ~Copyable {
    /// What a source frame looks like; a change means a new resampler.
    struct Source: Equatable {
        var format: Int32
        var rate: Int
        var channels: Int
        /// Layout mask, 0 when only the count is known.
        var mask: UInt64

        /// Reads and checks a frame.
        init(_ frame: UnsafePointer<AVFrame>) throws(MediaError) {
            let sound = frame.pointee
            format = sound.format
            rate = Int(sound.sample_rate)
            channels = Int(sound.ch_layout.nb_channels)
            mask = sound.ch_layout.order == AV_CHANNEL_ORDER_NATIVE ? sound.ch_layout.u.mask : 0
            // 64 channels are libswresample's limit.
            guard (1...64).contains(channels), (1000...1_536_000).contains(rate), sound.extended_data != nil,
                sound.nb_samples >= 0,
                av_get_sample_fmt_name(AVSampleFormat(rawValue: format)) != nil
            else {
                throw MediaError(
                    .decodeFailed, "convert sound", reason: "\(channels) channels at \(rate) Hz in sample format \(format)")
            }
        }
    }

    let source: Source
    private let context: OpaquePointer
    private let channels: Int

    init(_ source: Source, output: AudioFormat) throws(MediaError) {
        self.source = source
        channels = output.channelCount
        // Layouts that the mixer does not understand (unknown counts, odd sets) are mixed by position instead.
        let isKnown = source.mask != 0 || ChannelLayout.isKnown(channelCount: source.channels)
        guard
            let context = (isKnown ? Resampler.open(source, output, isPositional: false) : nil)
                ?? Resampler.open(source, output, isPositional: true)
        else {
            throw MediaError(.unsupported, "convert sound", reason: "\(source.channels) channels at \(source.rate) Hz")
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
        // 16 million frames are minutes of sound in one packet: not media.
        guard room >= 0, room <= 1 << 24 else { throw MediaError(.decodeFailed, "convert sound", reason: "packet too long") }
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
        if produced < 0 { throw MediaError(.decodeFailed, "convert sound", averror: produced) }
    }

    private static func open(_ source: Source, _ output: AudioFormat, isPositional: Bool) -> OpaquePointer? {
        var input = AVChannelLayout()
        var target = AVChannelLayout()
        if source.mask == 0 || av_channel_layout_from_mask(&input, source.mask) < 0 {
            ChannelLayout.setDefault(&input, channelCount: source.channels)
        }
        ChannelLayout.setDefault(&target, channelCount: output.channelCount)
        if isPositional {
            input = AVChannelLayout()
            input.nb_channels = Int32(source.channels)
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
        let object = UnsafeMutableRawPointer(opened)
        // The loudest sum of a down-mix stays at full scale: six full channels into two do not clip.
        av_opt_set_double(object, "rematrix_maxval", 1, 0)
        av_opt_set_int(object, "internal_sample_fmt", Int64(AV_SAMPLE_FMT_FLTP.rawValue), 0)
        if let matrix = matrix(source.channels, output.channelCount, isPositional: isPositional) {
            swr_set_matrix(opened, matrix, Int32(source.channels))
        }
        guard swr_init(opened) >= 0 else {
            swr_free(&context)
            return nil
        }
        return opened
    }

    /// Own weights where libswresample's are not wanted: mono goes at full level to left and right (theirs lowers it by 3 dB, and
    /// a quiet film is then quieter than its stereo sibling). By position, channels go round the outputs in turn.
    private static func matrix(_ inputs: Int, _ outputs: Int, isPositional: Bool) -> [Double]? {
        if inputs == 1, outputs >= 2 {
            return (0..<outputs).map { $0 < 2 ? 1 : 0 }
        }
        guard isPositional else { return nil }
        var weights = [Double](repeating: 0, count: inputs * outputs)
        for output in 0..<outputs {
            let share = stride(from: output, to: inputs, by: outputs).map { $0 }
            for input in share { weights[output * inputs + input] = 1 / Double(share.count) }
        }
        return weights
    }
}
