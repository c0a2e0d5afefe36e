public import AetherCore
import CFFmpeg

/// The decoder's answer to a packet that it was offered.
public enum SendResult: Sendable, Equatable {
    /// The decoder has it.
    case accepted
    /// The decoder wants to give frames first: receive until nil, then send the same packet again. Not a fault.
    case full
}

/// The frames that a video decoder drops to catch up.
public enum DecodeDiscard: Sendable, Equatable {
    case none
    /// Frames that no other frame needs.
    case nonReference
    /// All frames between key frames.
    case nonKey

    var level: AVDiscard {
        switch self {
        case .none: AVDISCARD_DEFAULT
        case .nonReference: AVDISCARD_NONREF
        case .nonKey: AVDISCARD_NONKEY
        }
    }
}

/// The exactness of a video decoder. Savings that a codec does not know have no effect: one without a loop filter has none to skip.
public struct DecodeEffort: Sendable, Equatable {
    /// The frames whose in-loop (deblocking) filter is skipped: a third of H.264's time, at the price of visible blocks.
    public enum LoopFilterSkip: Sendable, Equatable {
        case none
        /// The filter of frames that no other needs.
        case nonReference
        /// Of those and of B-frames that others refer to: what is off then is forgotten with the next P-frame.
        case bidirectional
        case all

        var level: AVDiscard {
            switch self {
            case .none: AVDISCARD_DEFAULT
            case .nonReference: AVDISCARD_NONREF
            case .bidirectional: AVDISCARD_BIDIR
            case .all: AVDISCARD_ALL
            }
        }
    }

    /// The frames that are not decoded.
    public var discard: DecodeDiscard
    /// The frames whose loop filter is skipped.
    public var skipLoopFilter: LoopFilterSkip
    /// The number of halvings of width and height while decoding, by codecs that can (MPEG-1, -2, -4, JPEG). When opening only.
    public var halvings: Int
    /// The film grain of AV1 is not drawn. When opening only.
    public var omitsFilmGrain: Bool
    /// No frame threads, each of which holds one frame back. For stills. What B-frames hold back stays; sending nil behind a
    /// key frame's packet and flushing afterwards gives it at once. When opening only.
    public var lowDelay: Bool
    /// Each frame comes with how it was coded, as far as the decoder tells: motion vectors, quantisers, film grain. For inspectors: it takes
    /// a tenth of the time more. When opening only.
    public var tellsCoding: Bool

    /// An effort; the default is bit-exact.
    public init(
        discard: DecodeDiscard = .none, skipLoopFilter: LoopFilterSkip = .none, halvings: Int = 0, omitsFilmGrain: Bool = false,
        lowDelay: Bool = false, tellsCoding: Bool = false
    ) {
        self.discard = discard
        self.skipLoopFilter = skipLoopFilter
        self.halvings = halvings
        self.omitsFilmGrain = omitsFilmGrain
        self.lowDelay = lowDelay
        self.tellsCoding = tellsCoding
    }
}

/// Turns packets of a video stream into frames in the order of showing. Lives on one thread.
public protocol VideoDecoding: ~Copyable {
    /// Offers a packet; nil says that none follow, so that the last frames come out. Throws `.decodeFailed` after a thousand failures
    /// without a frame.
    mutating func send(_ packet: Packet?) throws(MediaError) -> SendResult

    /// The next frame, or nil when the decoder wants packets first. Throws `.endOfMedia` when drained, `.decodeFailed` as `send`.
    mutating func receive() throws(MediaError) -> DecodedFrame?

    /// Forgets everything sent, for a seek or to go on after the end.
    mutating func flush()

    /// Works so from the next packet on, as far as an open decoder can change that.
    mutating func apply(_ effort: DecodeEffort)

    /// Whether only a newly opened decoder can work so.
    func needsReopening(for effort: DecodeEffort) -> Bool
}
