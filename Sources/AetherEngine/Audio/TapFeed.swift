import AetherCore
import AetherMedia

/// Gives what is about to be queued to its listeners: mono, before volume and tempo. Costs nothing while there are none.
struct TapFeed: ~Copyable {
    private let audience: Audience<AudioTapBuffer>
    /// Nil without listeners.
    private var converter: AudioConverter?

    init(_ audience: Audience<AudioTapBuffer>) { self.audience = audience }

    /// `heardAt` is where the frame's first sample lies on the clock's axis; `isNew`: it does not join the one before.
    mutating func take(_ frame: borrowing DecodedFrame, heardAt: MediaTime, isNew: Bool) {
        guard audience.isHeard else {
            converter = nil
            return
        }
        let begins = isNew || converter == nil
        if begins { converter = AudioConverter(output: AudioFormat(sampleRate: 48_000, channelCount: 1)) }
        var bytes: [UInt8] = []
        do throws(MediaError) {
            try converter?.convert(frame, into: &bytes)
        } catch {
            // The same frame is converted for the device next, which counts and reports it.
            return
        }
        let samples = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        audience.tell(AudioTapBuffer(samples: samples, sourceTime: heardAt.seconds, discontinuity: begins))
    }
}
