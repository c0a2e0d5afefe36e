import AetherCore

/// Tells once that a source is too slow for what it holds: measured between two moments at which nothing was queued, so that what came is
/// what was played. Pure: time is an argument.
struct SourcePace: Sendable {
    /// Bits per second that came, and that playing takes.
    struct Shortage: Sendable, Equatable {
        let given, needed: Double

        /// The sentence for the person watching.
        var sentence: String {
            "the source gives \(Self.text(given)) and needs \(Self.text(needed)): playing will stop now and then; a pause fills ahead"
        }

        private static func text(_ bits: Double) -> String {
            // More than a terabit is a clock that stood.
            let kilobits = Int(min(bits / 1000, 1e9).rounded())
            if kilobits < 1000 { return "\(kilobits) kbit/s" }
            let tenths = (kilobits + 50) / 100
            return "\(tenths / 10).\(tenths % 10) Mbit/s"
        }
    }

    private struct Moment {
        var host: HostTime
        var media: MediaTime
        var bytes: Int64
    }
    private var last: Moment?
    private var hasSaid = false

    /// Over less time a link that stuttered once looks slow.
    private static let least = TimeSpan.seconds(4)

    /// Nothing is queued at this moment. `media`: where playing stands; `bytes`: what came since the start; `rate`: the speed.
    mutating func ranDry(_ host: HostTime, media: MediaTime, bytes: Int64, rate: Double) -> Shortage? {
        defer { last = Moment(host: host, media: media, bytes: bytes) }
        guard let last, !hasSaid else { return nil }
        let time = (host - last.host).seconds, played = (media - last.media).seconds / rate
        guard time >= Self.least.seconds, played > 0, bytes > last.bytes, played < 0.95 * time else { return nil }
        hasSaid = true
        let bits = Double(bytes - last.bytes) * 8
        return Shortage(given: bits / time, needed: bits / played)
    }

    /// Playing was stopped or sent elsewhere: what came is not what was played.
    mutating func forget() { last = nil }
}
