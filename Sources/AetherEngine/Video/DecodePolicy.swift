import AetherCore
import AetherMedia

/// Decides what the decoder of video leaves out: detail that is invisible at the shown size, and, where it cannot keep up, whole
/// frames. Pure; time is an argument.
///
/// A source that is slow makes frames late, too; then nothing waits for the decoder, and leaving frames out would win nothing.
/// So lateness counts only while packets wait and the decoder truly takes most of a frame's time.
struct DecodePolicy: Sendable {
    /// The facts that stay while a stream is shown at one size.
    struct Shape: Sendable, Equatable {
        /// FFmpeg's name of the codec.
        var codec: String
        var source: PixelSize
        /// The size to scale to; nil for the stream's own.
        var target: PixelSize?
        /// Halving would mix the fields.
        var isInterlaced = false
        /// Each bit counts: hashes and measurements.
        var isExact = false

        /// How many pixels of a row or column become one.
        var shrink: Double {
            guard let target, target.width > 0, target.height > 0 else { return 1 }
            return min(Double(source.width) / Double(target.width), Double(source.height) / Double(target.height))
        }
    }

    /// The facts of a frame that came out of the decoder.
    struct Arrival: Sendable, Equatable {
        /// The clock less the frame's end: positive when it is over already; nil while the clock stands.
        var lateness: TimeSpan?
        /// The time that decoding and scaling took.
        var cost: TimeSpan
        /// How long it is shown, at the present speed.
        var interval: TimeSpan
        /// Packets wait: the source is not what is slow.
        var hasBacklog: Bool
    }

    /// The fate of a packet.
    enum Admission: Sendable, Equatable {
        case decode
        /// The first one behind a gap: what the decoder holds is out of date.
        case decodeAfresh
        case leaveOut
    }

    /// From this lateness on dropping single frames is not enough, and the rest of the GOP is dropped. Lips and voice half a second apart
    /// are worse than a frame that stands for a moment.
    static let hopeless = TimeSpan.milliseconds(500)
    /// The longest time for which the frame may stand until the next GOP begins: a file with ten seconds between its key frames, of which a
    /// slow source's cache shows the next one early, would freeze for longer than it is late.
    static let standing = TimeSpan.seconds(1)
    /// So many late frames in a row are no accident: a fifth of a second at 24 a second.
    static let pressureLimit = 5
    /// So many frames in a row must be early before everything is decoded again; twice as many after each attempt that failed.
    static let patience = 24...384

    private(set) var isPressed = false
    /// The rest of the group is left out if the next key frame is no further than this; nil while nothing is.
    private var tailReach: TimeSpan?
    private var pressure = 0
    private var calm = 0
    private var patience = DecodePolicy.patience.lowerBound
    /// Mean cost of a frame as a share of the time that it is shown; of the last dozen.
    private(set) var load = 0.0

    /// Takes notice of a frame.
    mutating func note(_ arrival: Arrival) {
        if arrival.interval > .zero { load += (min(4, arrival.cost.seconds / arrival.interval.seconds) - load) / 12 }
        guard let lateness = arrival.lateness else { return }
        let isLate = lateness > .zero && arrival.hasBacklog && load > 0.5
        pressure = isLate ? min(pressure + 1, Self.pressureLimit) : max(0, pressure - 1)
        calm = lateness < .zero ? calm + 1 : 0
        if isLate, isPressed, lateness > Self.hopeless { tailReach = lateness + Self.standing }
        if !isPressed, pressure == Self.pressureLimit {
            isPressed = true
        } else if isPressed, calm >= patience {
            (isPressed, pressure, calm) = (false, 0, 0)
            patience = min(patience * 2, Self.patience.upperBound)
        } else if !isPressed, calm >= Self.patience.upperBound * 2 {
            patience = Self.patience.lowerBound
        }
    }

    /// The fate of the next packet. `nextKey`: how far behind it another one waits that decoding can begin at; nil where none is in
    /// sight, and the frame would stand for an unknown time.
    mutating func admit(isKey: Bool, nextKey: TimeSpan?) -> Admission {
        guard let reach = tailReach else { return .decode }
        if isKey {
            tailReach = nil
            return .decodeAfresh
        }
        if let nextKey, nextKey <= reach { return .leaveOut }
        tailReach = nil
        return .decode
    }

    /// How the next packet is decoded. `isLanding`: no frame of the epoch is out yet, and nothing is late: what a seek lands on is exact.
    /// `isCovered`: a later frame covers this one there.
    func effort(_ shape: Shape, isLanding: Bool = false, isCovered: Bool = false) -> DecodeEffort {
        var effort = Self.effort(shape)
        // A frame that a seek lands on is looked at for longer, and all frames up to the next key frame refer to it.
        if isLanding, effort.skipLoopFilter != .none { effort.skipLoopFilter = .nonReference }
        if isCovered { effort.discard = .nonReference }
        guard isPressed, !shape.isExact, !isLanding else { return effort }
        effort.discard = .nonReference
        if shape.shrink >= (shape.codec == "av1" ? Self.grainlessShrink : 2) { effort.skipLoopFilter = .all }
        return effort
    }

    /// Another epoch: the decoder is as slow as it was, but nothing is late yet.
    mutating func begin() {
        (tailReach, pressure, calm) = (nil, 0, 0)
    }
}

// MARK: - Detail below the shown size

extension DecodePolicy {
    /// AV1: from here on neither grain nor what the in-loop filters smooth can be told from the quantisation of the cells.
    private static let grainlessShrink = 3.0

    /// The effort that is saved for the size alone, as measured (docs/benchmarks.md): the worst frame stays above 43 dB, the mean above 48.
    static func effort(_ shape: Shape) -> DecodeEffort {
        guard !shape.isExact else { return DecodeEffort() }
        let shrink = shape.shrink
        var effort = DecodeEffort()
        switch shape.codec {
        case "h264", "hevc":
            // Worth 60 and more, 53 and more, 46 dB and more (at crf 34 with 250 frames from key to key); cells at full quality are 50.
            effort.skipLoopFilter = shrink >= 12 ? .all : shrink >= 4 ? .bidirectional : shrink >= 2 ? .nonReference : .none
        case "mpeg1video", "mpeg2video", "mpeg4", "mjpeg":
            effort.halvings = shape.isInterlaced ? 0 : shrink >= 12 ? 2 : shrink >= 4 ? 1 : 0
        case "av1": effort.omitsFilmGrain = shrink >= grainlessShrink
        default: break
        }
        return effort
    }
}
