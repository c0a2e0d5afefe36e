public import AetherCore
import AetherMedia

/// A part of a source that is played as a whole of its own, as a song on an image of a disc: its start is 0:00, and behind its end comes the
/// next source.
public struct SourcePart: Sendable, Equatable {
    /// The start, counted from the start of the source.
    public var start: TimeSpan
    /// The end, counted from the start of the source; nil: the end of the source.
    public var end: TimeSpan?

    /// A part.
    public init(start: TimeSpan, end: TimeSpan?) {
        self.start = max(.zero, start)
        self.end = end
    }
}

extension SourceDescription {
    /// The description of a part of the source.
    func limited(to part: SourcePart?) -> SourceDescription {
        guard let part else { return self }
        var description = self
        let start = info.startTime + part.start
        let end = [info.duration, part.end].compactMap { $0 }.min().map { info.startTime + $0 }
        description.info = info.limited(from: start, to: end.map { max($0, start) })
        if let seekable = window.seekable {
            let last = max(start, min(end ?? seekable.upperBound, seekable.upperBound))
            description.window.seekable = start...last
        }
        return description
    }
}
