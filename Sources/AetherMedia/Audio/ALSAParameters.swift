import AetherCore
import CALSA

/// Negotiates hardware and software parameters with an open PCM.
struct ALSAParameters {
    /// The format that the device agreed to.
    let format: AudioFormat
    let bufferFrames: Int
    let periodFrames: Int

    /// Float first: no rounding here, and servers mix in it. All native endian.
    private static let samples: [(AudioFormat.Sample, snd_pcm_format_t)] = [
        (.float32, SND_PCM_FORMAT_FLOAT), (.int32, SND_PCM_FORMAT_S32), (.int16, SND_PCM_FORMAT_S16),
    ]

    /// Configures the PCM as near to the wanted format, period and buffer as it goes.
    init(
        _ pcm: OpaquePointer, wanted: AudioFormat, period wantedPeriod: TimeSpan, buffer wantedBuffer: TimeSpan, name: String
    ) throws(MediaError) {
        func check(_ result: Int32, _ operation: String) throws(MediaError) {
            if result < 0 { throw MediaError.alsa(operation, name: name, result) }
        }
        var hardware: OpaquePointer?
        try check(snd_pcm_hw_params_malloc(&hardware), "configure audio device")
        defer { snd_pcm_hw_params_free(hardware) }
        try check(snd_pcm_hw_params_any(pcm, hardware), "read parameters of audio device")
        try check(
            snd_pcm_hw_params_set_access(pcm, hardware, SND_PCM_ACCESS_RW_INTERLEAVED), "use interleaved samples on audio device")
        snd_pcm_hw_params_set_rate_resample(pcm, hardware, wanted.isBitstream ? 0 : 1)

        let preferred = ALSAParameters.samples.first { $0.0 == wanted.sample }.map { [$0] } ?? []
        guard
            let sample = (preferred + ALSAParameters.samples).first(where: {
                snd_pcm_hw_params_set_format(pcm, hardware, $0.1) >= 0
            })
        else {
            throw MediaError(.audioDevice, "set sample format of audio device", subject: name, reason: "none of ours is taken")
        }

        var channels: UInt32 = 2
        if let count = ALSAParameters.setChannels(pcm, hardware, wanted) {
            channels = count
        } else {
            try check(snd_pcm_hw_params_set_channels_near(pcm, hardware, &channels), "set channels of audio device")
        }
        var rate = UInt32(clamping: wanted.sampleRate)
        try check(snd_pcm_hw_params_set_rate_near(pcm, hardware, &rate, nil), "set sample rate of audio device")
        // Refused by some plugins, which then have only one buffer: taken as it is.
        var buffer = UInt32(clamping: wantedBuffer.nanoseconds / 1000)
        snd_pcm_hw_params_set_buffer_time_near(pcm, hardware, &buffer, nil)
        var period = UInt32(clamping: wantedPeriod.nanoseconds / 1000)
        snd_pcm_hw_params_set_period_time_near(pcm, hardware, &period, nil)
        try check(snd_pcm_hw_params(pcm, hardware), "configure audio device")

        var bufferSize: snd_pcm_uframes_t = 0
        var periodSize: snd_pcm_uframes_t = 0
        try check(snd_pcm_hw_params_get_buffer_size(hardware, &bufferSize), "read buffer size of audio device")
        try check(snd_pcm_hw_params_get_period_size(hardware, &periodSize, nil), "read period size of audio device")
        let map =
            wanted.isBitstream
            ? AudioChannel.usual(Int(channels)) : ALSAChannelMap.negotiate(pcm, wanted: wanted.channels, count: Int(channels))
        format = AudioFormat(sampleRate: Int(rate), channels: map, sample: sample.0)
        bufferFrames = Int(clamping: bufferSize)
        periodFrames = max(1, Int(clamping: periodSize))
        try ALSAParameters.setSoftware(pcm, buffer: bufferSize, period: periodSize, check)
    }

    /// The first count of speakers that the device takes and knows the places of; nil for none but what it likes best near stereo.
    private static func setChannels(_ pcm: OpaquePointer, _ hardware: OpaquePointer?, _ wanted: AudioFormat) -> UInt32? {
        let counts = wanted.isBitstream ? [wanted.channelCount] : ALSAChannelMap.counts(for: wanted.channelCount)
        let taken = counts.first { count in
            // Some take any count and drop what they lack, and one that does not say what it has follows the convention where there is one.
            let isFit =
                count <= 2 || wanted.isBitstream
                || ALSAChannelMap.isFit(
                    offers: [count == wanted.channelCount ? wanted.channels : [], ALSAChannelMap.convention(count)]
                        .filter { !$0.isEmpty }.map { ALSAChannelMap.offers(pcm, $0) }, count: count)
            return isFit && snd_pcm_hw_params_set_channels(pcm, hardware, UInt32(clamping: count)) >= 0
        }
        return taken.map { UInt32(clamping: $0) }
    }

    private static func setSoftware(
        _ pcm: OpaquePointer, buffer: snd_pcm_uframes_t, period: snd_pcm_uframes_t,
        _ check: (Int32, String) throws(MediaError) -> Void
    ) throws(MediaError) {
        var software: OpaquePointer?
        try check(snd_pcm_sw_params_malloc(&software), "configure audio device")
        defer { snd_pcm_sw_params_free(software) }
        try check(snd_pcm_sw_params_current(pcm, software), "read parameters of audio device")
        var boundary: snd_pcm_uframes_t = 0
        try check(snd_pcm_sw_params_get_boundary(software, &boundary), "read parameters of audio device")
        // Never starts by itself: the engine starts audio and video together.
        try check(snd_pcm_sw_params_set_start_threshold(pcm, software, boundary), "configure audio device")
        try check(snd_pcm_sw_params_set_stop_threshold(pcm, software, buffer), "configure audio device")
        try check(snd_pcm_sw_params_set_avail_min(pcm, software, max(1, period)), "configure audio device")
        // Not every plugin can; `status` then stamps by itself.
        snd_pcm_sw_params_set_tstamp_mode(pcm, software, SND_PCM_TSTAMP_ENABLE)
        snd_pcm_sw_params_set_tstamp_type(pcm, software, SND_PCM_TSTAMP_TYPE_MONOTONIC)
        try check(snd_pcm_sw_params(pcm, software), "configure audio device")
    }
}

extension MediaError {
    /// An ALSA error number (-errno) in ALSA's words.
    static func alsa(_ operation: String, name: String, _ result: Int32) -> MediaError {
        let reason = snd_strerror(result).map { String(cString: $0) } ?? ""
        return MediaError(.audioDevice, operation, subject: name, cause: result, reason: reason)
    }
}
