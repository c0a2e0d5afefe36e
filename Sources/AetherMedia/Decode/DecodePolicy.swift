import CFFmpeg

/// What became of a packet that was offered to a decoder.
public enum SendResult: Sendable, Equatable {
    /// The decoder has it.
    case accepted
    /// The decoder wants to give frames first: receive until nil, then send the same packet again. Not a fault.
    case full
}

/// Which frames a video decoder leaves out to catch up.
public enum DecodeDiscard: Sendable, Equatable {
    case none
    /// Frames that no other frame needs.
    case nonReference
    /// Everything between key frames.
    case nonKey

    var level: AVDiscard {
        switch self {
        case .none: AVDISCARD_DEFAULT
        case .nonReference: AVDISCARD_NONREF
        case .nonKey: AVDISCARD_NONKEY
        }
    }
}

/// How exactly a video decoder works.
public struct DecodePolicy: Sendable, Equatable {
    /// Where the in-loop (deblocking) filter is left out: a third of H.264's time, at the price of visible blocks.
    public enum LoopFilterSkip: Sendable, Equatable {
        case none, nonReference, all

        var level: AVDiscard {
            switch self {
            case .none: AVDISCARD_DEFAULT
            case .nonReference: AVDISCARD_NONREF
            case .all: AVDISCARD_ALL
            }
        }
    }

    public var skipLoopFilter: LoopFilterSkip
    /// No frame threads, each of which holds one frame back. For stills. What B-frames hold back stays; sending nil behind a
    /// key frame's packet and flushing afterwards gives it at once.
    public var lowDelay: Bool

    /// A policy; the default is bit-exact.
    public init(skipLoopFilter: LoopFilterSkip = .none, lowDelay: Bool = false) {
        self.skipLoopFilter = skipLoopFilter
        self.lowDelay = lowDelay
    }
}
