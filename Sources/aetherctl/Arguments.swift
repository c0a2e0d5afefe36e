public import AetherCore
public import AetherEngine
public import AetherRender
public import ArgumentParser

extension EncoderChoice.Renderer: ExpressibleByArgument {}

extension ColourDepth: ExpressibleByArgument {}
extension StreamDemuxer: ExpressibleByArgument {}

extension TimePoint: ExpressibleByArgument {
    /// Parses; nil for anything but the four forms.
    public init?(argument: String) { self.init(argument) }
}

extension VariantWish: ExpressibleByArgument {
    /// Parses; nil for anything but auto, best, worst and a number from 1.
    public init?(argument: String) { self.init(argument) }

    /// As a person says it.
    public var defaultValueDescription: String { "auto" }
}
