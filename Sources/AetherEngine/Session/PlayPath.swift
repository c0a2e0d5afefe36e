import AetherCore

/// The stretches of a source that are played one after another, and which of them is played now. Without any, all of the source is one. Pure.
struct PlayPath: Sendable, Equatable {
    private let stretches: [Range<MediaTime>]
    private var index = 0

    /// A path; empty for the whole source.
    init(_ stretches: [Range<MediaTime>] = []) { self.stretches = stretches.filter { !$0.isEmpty } }

    var isWhole: Bool { stretches.isEmpty }
    /// The beginning of playing; nil: that of the source.
    var first: MediaTime? { stretches.first?.lowerBound }
    /// The beginning and the end of the present stretch; nil: those of the source.
    var start: MediaTime? { isWhole ? nil : stretches[index].lowerBound }
    var end: MediaTime? { isWhole ? nil : stretches[index].upperBound }

    /// So much before the end of a stretch there is still a frame to land on.
    private static let margin = TimeSpan.milliseconds(100)

    /// Goes to a point of the source and returns it, or where a point that is left out leads. Of several stretches that hold it this is the
    /// present one, else the next to be played; from what is left out the way leads to what follows in the source.
    mutating func enter(_ point: MediaTime) -> MediaTime {
        guard !isWhole else { return point }
        let turns = stretches.indices.map { (index + $0) % stretches.count }
        if let holder = turns.first(where: { stretches[$0].contains(point) }) {
            index = holder
            return point
        }
        if let behind = turns.filter({ stretches[$0].lowerBound > point }).min(by: {
            stretches[$0].lowerBound < stretches[$1].lowerBound
        }) {
            index = behind
            return stretches[behind].lowerBound
        }
        index = turns.max { stretches[$0].upperBound < stretches[$1].upperBound } ?? 0
        return max(stretches[index].lowerBound, stretches[index].upperBound - Self.margin)
    }

    /// Goes to the target of a plan and returns what the path makes of it: what lies in front of the stretch or behind it is not shown.
    mutating func enter(_ wanted: SeekPlan) -> SeekPlan {
        guard !isWhole else { return wanted }
        var plan = wanted
        plan.target = enter(wanted.target)
        if case .keyframe(let tolerance, let floor, let ceiling) = wanted.landing, let start, let end {
            let before = start - TimeSpan(nanoseconds: 1)
            plan.landing = .keyframe(tolerance: tolerance, floor: max(floor ?? before, before), ceiling: min(ceiling ?? end, end))
        }
        return plan
    }

    /// Goes on to the next stretch and returns where that begins; nil behind the last.
    mutating func advance() -> MediaTime? {
        guard index + 1 < stretches.count else { return nil }
        index += 1
        return stretches[index].lowerBound
    }

    /// Back to the beginning.
    mutating func rewind() { index = 0 }
}
