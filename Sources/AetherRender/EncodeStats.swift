/// The cost and result of encoding one frame.
public struct EncodeStats: Sendable, Equatable {
    /// Bytes appended.
    public var byteCount = 0
    /// Cells drawn.
    public var cellsChanged = 0
    /// Cells left as the terminal shows them: equal, or near enough for the quality asked for.
    public var cellsSkipped = 0
    /// Colours of drawn cells that were set already and so cost nothing.
    public var coloursElided = 0
    /// Squared difference between what was asked for and what is shown now, summed over the pixels and three channels of all
    /// video cells. 0 is exact.
    public var squaredError = 0
    /// Of the bytes, those of cells drawn exactly because they had been off for long enough.
    public var refreshedBytes = 0

    /// Whether an image is handed over by its name alone: the terminal reads it from shared memory.
    public var isNamed = false

    /// Nothing encoded yet.
    public init() {}
}

/// The required nearness of the shown frame to the wanted one. Cells that are no frame are always exact.
public struct EncodeQuality: Sendable, Equatable {
    /// The squared error (three 8-bit channels added up) that one byte less is worth. 0 shows every pixel as it is.
    public var lambda: Double
    /// No channel of any pixel (0…255) is ever further off than this, so that saving never shows as a blotch.
    public var maximumChannelError: Int
    /// Bytes that the frame shall not exceed; nil for no limit. It comes before the two above: what does not fit waits.
    public var byteBudget: Int?
    /// a video cell that stands still is never off for more than this many frames, whatever λ is; nil: for as long as λ says. On
    /// a link that does not carry it, half of the byte budget goes to that.
    public var exactAfter: Int?
    /// Whether so little moves that `exactAfter` is to hold for all of the frame, not only for cells whose pixels stay what they are.
    public var isQuiet = false

    /// A quality; values out of range are clamped, a budget to at least 256 bytes.
    public init(lambda: Double, maximumChannelError: Int = 16, byteBudget: Int? = nil) {
        self.lambda = lambda.isFinite ? min(max(0, lambda), 1000) : 0
        self.maximumChannelError = min(max(0, maximumChannelError), 255)
        self.byteBudget = byteBudget.map { max(256, $0) }
    }

    /// Every pixel as it is.
    public static let exact = EncodeQuality(lambda: 0, maximumChannelError: 0)
}
