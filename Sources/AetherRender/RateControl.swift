/// Chooses λ for the next frame from the bytes of the last ones. A pure value: no clock, no terminal.
///
/// Three ranges of bytes. Over the budget λ rises until the frames fit. In the middle (a moving picture) it stays at `cruise`,
/// where the eye sees no loss. Under an eighth of the budget little moves: λ falls to an eighth each frame and then to 0. One
/// frame alone in the middle does not lift it again: that is what refining a still picture costs. So a picture that stops is
/// exact within six frames.
public struct RateControl: Sendable, Equatable {
    /// λ of a moving picture of cells within the budget: about 42 dB on film at 160×45 cells.
    public static let cellCruise = 3.0
    /// λ is never above so many times its value at rest: the bound on a channel's error then decides alone.
    public static let ceiling = 21.0

    /// λ of a moving picture within the budget.
    public let cruise: Double

    /// Bytes that a frame should not exceed.
    public private(set) var budget: Int
    /// λ for the next frame.
    public private(set) var lambda: Double
    /// Whether the last frame was in the middle range or above.
    private var wasBusy = true

    /// A control at rest; `budget` is in bytes per frame and at least 1024.
    public init(budget: Int, cruise: Double = RateControl.cellCruise) {
        self.budget = max(1024, budget)
        self.cruise = cruise
        lambda = cruise
    }

    /// The link or the frame rate has changed.
    public mutating func setBudget(_ bytes: Int) { budget = max(1024, bytes) }

    /// The quality for the next frame. The bound on errors grows with λ, from 16 to 32 of 255.
    public var quality: EncodeQuality {
        EncodeQuality(lambda: lambda, maximumChannelError: lambda <= cruise ? 16 : 32)
    }

    /// Takes in the bytes of a frame that was encoded with `quality`.
    public mutating func didEncode(byteCount: Int) {
        let bytes = max(0, byteCount)
        let isBusy = bytes >= budget / 8
        if bytes > budget {
            // At twice the budget λ doubles; a single outlier such as a cut does not throw it further.
            lambda = min(Self.ceiling * cruise, max(lambda, cruise / 4) * min(2, Double(bytes) / Double(budget)))
        } else if !isBusy {
            lambda = lambda < cruise / 16 ? 0 : lambda / 8
        } else if lambda < cruise {
            if wasBusy { lambda = (lambda + cruise) / 2 }
        } else {
            // Falls only as far as the bytes saved leave room for, so that it settles below the budget and does not swing.
            lambda = max(cruise, lambda * max(0.7, Double(bytes) / Double(budget)))
        }
        wasBusy = isBusy
    }
}
