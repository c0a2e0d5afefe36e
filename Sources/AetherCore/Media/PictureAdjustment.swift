/// The viewer's changes of a frame's colours, each -100...100; 0 leaves it as it is.
public struct PictureAdjustment: Sendable, Equatable {
    public var brightness = 0
    public var contrast = 0
    public var saturation = 0
    public var gamma = 0

    /// No change.
    public init() {}

    /// Changes; what is out of bounds is cut.
    public init(brightness: Int = 0, contrast: Int = 0, saturation: Int = 0, gamma: Int = 0) {
        func bounded(_ value: Int) -> Int { min(max(value, -100), 100) }
        self.brightness = bounded(brightness)
        self.contrast = bounded(contrast)
        self.saturation = bounded(saturation)
        self.gamma = bounded(gamma)
    }

    /// Nothing is changed.
    public var isNeutral: Bool { self == PictureAdjustment() }
}
