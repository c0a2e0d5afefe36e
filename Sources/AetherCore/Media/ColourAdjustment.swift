/// The viewer's changes of a frame's colours, each -100...100; 0 leaves it as it is.
public struct ColourAdjustment: Sendable, Equatable {
    /// Added to all levels.
    public var brightness = 0
    /// The distance of levels from the middle.
    public var contrast = 0
    /// The distance of colours from grey.
    public var saturation = 0
    /// The curve between black and white, which stay.
    public var gamma = 0

    /// An adjustment that changes nothing.
    public init() {}

    /// Changes; what is out of bounds is cut.
    public init(brightness: Int = 0, contrast: Int = 0, saturation: Int = 0, gamma: Int = 0) {
        func bounded(_ value: Int) -> Int { min(max(value, -100), 100) }
        self.brightness = bounded(brightness)
        self.contrast = bounded(contrast)
        self.saturation = bounded(saturation)
        self.gamma = bounded(gamma)
    }

    /// True where it changes nothing.
    public var isNeutral: Bool { self == ColourAdjustment() }
}
