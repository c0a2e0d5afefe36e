import AetherCore
import AetherMedia

/// Gives what is about to be queued to its listeners, before volume and tempo. Costs nothing while there are none.
struct TapFeed: ~Copyable {
    private let taps: AudioTaps
    /// Mono; nil without listeners.
    private var converter: AudioConverter?
    /// All channels, and which those are; nil without listeners.
    private var channels: AudioConverter?

    init(_ taps: AudioTaps) { self.taps = taps }

    /// `heardAt` is where the frame's first sample lies on the clock's axis; `isNew`: it does not join the one before.
    mutating func take(_ frame: borrowing DecodedFrame, heardAt: MediaTime, isNew: Bool) {
        takeMono(frame, heardAt, isNew)
        takeChannels(frame, heardAt, isNew)
    }

    private mutating func takeMono(_ frame: borrowing DecodedFrame, _ heardAt: MediaTime, _ isNew: Bool) {
        guard taps.mono.isHeard else {
            converter = nil
            return
        }
        let begins = isNew || converter == nil
        if begins { converter = AudioConverter(output: AudioFormat(sampleRate: 48_000, channelCount: 1)) }
        guard let samples = Self.samples(of: frame, &converter) else { return }
        taps.mono.tell(AudioTapBuffer(samples: samples, sourceTime: heardAt.seconds, discontinuity: begins))
    }

    private mutating func takeChannels(_ frame: borrowing DecodedFrame, _ heardAt: MediaTime, _ isNew: Bool) {
        guard taps.channels.isHeard, frame.channelCount > 0 else {
            channels = nil
            return
        }
        let format = AudioFormat(sampleRate: AudioFormat.deviceRate(frame.sampleRate), channels: frame.channels)
        let begins: Bool
        switch channels {
        case .some(let converter): begins = isNew || converter.output != format
        case nil: begins = true
        }
        if begins { channels = AudioConverter(output: format) }
        guard let samples = Self.samples(of: frame, &channels) else { return }
        taps.channels.tell(
            ChannelTapBuffer(samples: samples, format: format, sourceTime: heardAt.seconds, discontinuity: begins))
    }

    private static func samples(of frame: borrowing DecodedFrame, _ converter: inout AudioConverter?) -> [Float]? {
        var bytes: [UInt8] = []
        do throws(MediaError) {
            try converter?.convert(frame, into: &bytes)
        } catch {
            // The same frame is converted for the device next, which counts and reports it.
            return nil
        }
        return bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }
}
