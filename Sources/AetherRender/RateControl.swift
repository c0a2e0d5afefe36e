/// Chooses λ for the next frame from the bytes of the last ones. A pure value: no clock, no terminal.
///
/// Three ranges of bytes. Over the budget λ rises until the frames fit. In the middle (a moving image) it stays at `cruise`,
/// where the eye sees no loss; where only a part moves, a renderer may go a little further. Under a share of it (an eighth, for cells) little moves:
/// λ falls to `rest`, and to 0 when next to nothing is sent with that: grain on a still frame would cost three times the bytes at 0, without a
/// visible gain. One frame alone in the middle does not lift it again: that is what refining a still frame costs. So an image that stops is exact
/// within six frames.
public struct RateControl: Sendable, Equatable {
    /// λ of a moving frame of cells within the budget: about 42 dB on video at 160×45 cells.
    public static let cellCruise = 3.0
    /// `cellCruise` where the link easily takes twice the bytes: about 49 dB.
    public static let ampleCellCruise = 0.24
    /// λ is never above so many times its value at rest: the bound on a channel's error then decides alone.
    public static let ceiling = 21.0

    /// λ of a moving frame within the budget.
    public private(set) var cruise: Double
    /// λ of a nearly still frame: about 48 dB in cells.
    private var rest: Double { min(ordinaryRest, cruise) }
    private let ordinaryRest: Double
    /// A frame of less than the budget over this is one in which little moves.
    private let busyShare: Int
    /// The factor of λ while only a part of the frame moves.
    private let localFactor: Double

    /// Bytes that a frame should not exceed.
    public private(set) var budget: Int
    /// λ for the next frame.
    public private(set) var lambda: Double
    /// Whether the last frame was in the middle range or above.
    private var wasBusy = true
    /// Frames in a row with λ = 0.
    private var exactFrames = 0
    /// Frames to come in which λ is not tried at 0 again.
    private var patience = 0
    /// Two seconds of video.
    private static let grainPatience = 48

    /// A moving frame of less than the budget over this is one of which a part moves.
    private static let localShare = 4

    /// The `busyShare` of cells.
    public static let cellBusyShare = 8

    /// A control at rest; `budget` is in bytes per frame and at least 1024. A frame of less than the budget over `busyShare` is one in
    /// which little moves; up to a quarter of the budget λ is `cruise` × `localFactor`.
    public init(
        budget: Int, cruise: Double = RateControl.cellCruise, busyShare: Int = RateControl.cellBusyShare, localFactor: Double = 1
    ) {
        self.budget = max(1024, budget)
        self.busyShare = max(1, busyShare)
        self.localFactor = max(1, localFactor)
        self.cruise = cruise
        ordinaryRest = cruise / 4
        lambda = cruise
    }

    /// The link or the frame rate has changed.
    public mutating func setBudget(_ bytes: Int) { budget = max(1024, bytes) }

    /// Another λ for moving images, from the next frame on; an image that is nearly still keeps its own.
    public mutating func setCruise(_ lambda: Double) {
        guard lambda != cruise else { return }
        if self.lambda >= cruise || self.lambda > lambda { self.lambda = lambda }
        cruise = lambda
    }

    /// The quality for the next frame. The bound on errors grows with λ, from 16 to 32 of 255.
    public var quality: EncodeQuality {
        EncodeQuality(lambda: lambda, maximumChannelError: lambda <= cruise ? 16 : 32)
    }

    /// Whether little moved in the last frame.
    public var isQuiet: Bool { !wasBusy }
    /// Whether a part of the frame moved at most.
    public private(set) var isLocal = false

    /// Takes in the bytes of a frame that was encoded with `quality`.
    public mutating func didEncode(byteCount: Int) {
        let bytes = max(0, byteCount)
        isLocal = bytes < budget / Self.localShare
        let isBusy = bytes >= budget / busyShare
        let moving = bytes < budget / Self.localShare ? cruise * localFactor : cruise
        exactFrames = lambda == 0 ? exactFrames + 1 : 0
        // The first exact frame refines; what the second one sends is what the image goes on to cost.
        let isGrain = exactFrames > 1 && bytes >= budget / 32
        patience = isGrain ? Self.grainPatience : max(0, patience - 1)
        if bytes > budget {
            // At twice the budget λ doubles; a single outlier such as a cut does not throw it further.
            lambda = min(Self.ceiling * cruise, max(lambda, rest) * min(2, Double(bytes) / Double(budget)))
        } else if !isBusy {
            let isStill = bytes < budget / 128
            if isGrain {
                lambda = rest
            } else if isStill && lambda <= rest && patience == 0 {
                lambda = 0
            } else if lambda > 0 {
                lambda = max(rest, lambda / 8)
            }
        } else if lambda < moving {
            if wasBusy { lambda = (lambda + moving) / 2 }
        } else {
            // Falls only as far as the bytes saved leave room for, so that it settles below the budget and does not swing.
            lambda = max(moving, lambda * max(0.7, Double(bytes) / Double(budget)))
        }
        wasBusy = isBusy
    }
}
