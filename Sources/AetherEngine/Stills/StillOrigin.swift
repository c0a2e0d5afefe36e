import AetherCore
import AetherMedia
import AetherSources

/// Packets of the stills that a playing session has in memory, from one that decoding can begin at.
struct HeldStills: Sendable {
    let stream: StreamInfo
    /// In the order of decoding; with `keyOnly` just the first.
    let packets: [Packet]
}

/// The source of an extractor's packets: memory, else the source itself.
struct StillOrigin: Sendable {
    /// Opens the source a second time. Blocks until the interrupt is raised. nil where that cannot be: a pipe gives its bytes once.
    var open: (@Sendable (Interrupt) throws(MediaError) -> MediaInput)?
    var options = OpenOptions()
    /// How servers are spoken to that a local manifest names.
    var http = HTTPOptions()
    /// Small stills that the source's host knows of.
    var storyboard: Storyboard?
    /// The packets in memory for a point.
    var held: @Sendable (_ point: MediaTime, _ keyOnly: Bool) -> HeldStills? = { _, _ in nil }
    /// The start of the source on its own timeline.
    var start: @Sendable () -> MediaTime = { .zero }
    /// The offset from the source's times to the media timeline around a point.
    var offset: @Sendable (_ point: MediaTime) -> TimeSpan = { _ in .zero }
    /// The present tone mapping, and the background of transparent stills.
    var look: @Sendable () -> (toneMapping: ToneMapping, background: UInt32) = { (.auto, 0xFF00_0000) }
    /// The wishes for the quality of a source in segments.
    var wishes = VariantChoice([.best])
    /// The window that stills are shown in, for the choice of that quality.
    var window: VariantPicker.Window?
    /// The stream that is watched; nil: the one that playing begins with.
    var stream: @Sendable () -> StreamID? = { nil }

    /// A source that is not being played.
    init(
        _ source: MediaSource, options: OpenOptions = OpenOptions(), http: HTTPOptions = HTTPOptions(),
        disc: DiscChoice = DiscChoice()
    ) {
        (self.options, self.http) = (options, http)
        switch source {
        case .location(let location) where location.traits.isRepeatable:
            open = { interrupt throws(MediaError) in
                try MediaInput(.location(location), http: http, disc: disc, interrupt: interrupt)
            }
        case .location: open = nil
        case .custom(let reader, let name):
            guard let own = reader.makeIndependentReader() else { return }
            open = { interrupt throws(MediaError) in
                // Closed extractors open again, each time with a position of its own.
                try MediaInput.reader(own.makeIndependentReader() ?? own, name: name).onDisc(disc, interrupt: interrupt)
            }
        }
    }
}
