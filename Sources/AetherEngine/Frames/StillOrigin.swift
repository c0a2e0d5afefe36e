import AetherCore
import AetherMedia
import AetherSources

/// Packets of the pictures that a playing session has in memory, from one that decoding can begin at.
struct HeldPictures: Sendable {
    let stream: StreamInfo
    /// In the order of decoding; with `keyOnly` just the first.
    let packets: [Packet]
}

/// Where an extractor gets its packets: from what is in memory, else from the source itself.
struct StillOrigin: Sendable {
    /// Opens the source a second time. Blocks until the interrupt is raised. nil where that cannot be: what a pipe has given it gives nobody else.
    var open: (@Sendable (Interrupt) throws(MediaError) -> MediaInput)?
    var options = OpenOptions()
    /// What lies in memory for a point.
    var held: @Sendable (_ point: MediaTime, _ keyOnly: Bool) -> HeldPictures? = { _, _ in nil }
    /// What has to be added to the source's times around a point of the axis that is played.
    var offset: @Sendable (_ point: MediaTime) -> TimeSpan = { _ in .zero }
    /// How high dynamic ranges are shown at the moment, and what lies behind transparent pictures.
    var look: @Sendable () -> (toneMapping: ToneMapping, background: UInt32) = { (.auto, 0xFF00_0000) }
    /// The stream that is watched; nil: the one that playing begins with.
    var stream: @Sendable () -> Int? = { nil }

    /// A source that nobody plays.
    init(_ source: MediaSource, options: OpenOptions = OpenOptions(), http: HTTPOptions = HTTPOptions()) {
        self.options = options
        switch source {
        case .location(let location) where location.canBeReadTwice:
            open = { interrupt throws(MediaError) in try MediaInput(.location(location), http: http, interrupt: interrupt) }
        case .location: open = nil
        case .custom(let reader, let name):
            guard let own = reader.makeIndependentReader() else { return }
            open = { _ throws(MediaError) in
                // Closed extractors open again, each time with a position of its own.
                .reader(own.makeIndependentReader() ?? own, name: name)
            }
        }
    }
}
