import AetherCore

/// Where a source's times were found to begin anew, and what brings them onto the axis that is played. Pure.
struct TimelineSeams: Sendable, Equatable {
    /// A time line behind the first one: from this point of the axis on so much is added to the source's times.
    struct Segment: Sendable, Equatable {
        let from: MediaTime
        let offset: TimeSpan
    }

    /// A damaged file may have a seam with every packet: this many are remembered.
    private static let limit = 1000
    /// In the order of playing.
    private(set) var segments: [Segment] = []

    /// The offset of the source's times at a point of the axis.
    func offset(at point: MediaTime) -> TimeSpan { segments.last { $0.from <= point }?.offset ?? .zero }

    /// A time line that begins behind all others.
    mutating func append(_ offset: TimeSpan, from: MediaTime) {
        let former = segments.last
        guard former?.offset ?? .zero != offset, former.map({ $0.from < from }) ?? true, segments.count < Self.limit else {
            return
        }
        segments.append(Segment(from: from, offset: offset))
    }
}
