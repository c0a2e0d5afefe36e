import AetherCore
import AetherMedia

/// One step of reading a source.
enum SourceEvent: Sendable {
    /// The next packet, on the axis that is played.
    case packet(Packet)
    /// The description is another one from here on: a stream came, or has another format.
    case described(SourceDescription)
    /// The times of the source begin anew here; the seams lead from its own times to the axis that is played.
    case discontinuity(TimelineSeams)
    /// What can be gone to is another part of the axis than before.
    case window(SourceWindow)
    /// One of several sources has no more packets in this run; the others go on.
    case end(source: Int)
}

/// The part of a source that can be gone to. It may move while the source plays.
struct SourceWindow: Sendable, Equatable {
    /// From the first to the last point that can be gone to; nil where the source can only be read on.
    var seekable: ClosedRange<MediaTime>?
    /// The end of what there is by now, of a source that is still being made; nil for one that is complete.
    var liveEdge: MediaTime?

    /// Whether more comes while it plays.
    var isLive: Bool { liveEdge != nil }
}

/// The description of a source as far as it is known. Values with a higher revision say more, or say it anew.
struct SourceDescription: Sendable {
    var revision = 0
    var info: SourceInfo
    /// The formats of a stream whose packets changed theirs in the middle: number 0 is the one in `info`.
    var formats: [StreamID: [StreamInfo]] = [:]
    var window: SourceWindow

    /// A stream in one of its formats; nil for a stream that there is not.
    func stream(_ id: StreamID, format: Int = 0) -> StreamInfo? {
        if let formats = formats[id], formats.indices.contains(format) { return formats[format] }
        return info.streams.first { $0.id == id }
    }
}
