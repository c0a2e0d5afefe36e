public import AetherCore
public import AetherRender
public import ArgumentParser

extension EncoderChoice.Renderer: ExpressibleByArgument {}

extension ColourDepth: ExpressibleByArgument {}

extension TimePoint: ExpressibleByArgument {
    /// Parses; nil for anything but the four forms.
    public init?(argument: String) { self.init(argument) }
}
