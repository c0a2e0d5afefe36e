public import AetherCore
public import AetherEngine
public import AetherRender
public import AetherServe
public import ArgumentParser

extension EncoderChoice.Renderer: ExpressibleByArgument {}

extension ColourDepth: ExpressibleByArgument {}
extension StreamDemuxer: ExpressibleByArgument {}
extension HardwareDecoding: ExpressibleByArgument {}

extension TimePoint: ExpressibleByArgument {
    /// Parses; nil for anything but the four forms.
    public init?(argument: String) { self.init(argument) }
}
extension AudioBridge: ExpressibleByArgument {}
