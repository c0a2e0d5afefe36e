public import AetherCore

/// Finds the chapter that a step goes to. Pure; the engine moves by it and a front end names the chapter by it.
public enum ChapterStep {
    /// Positions are rounded on their way through containers and decoders: a chapter that begins this little later has begun.
    static let tolerance = TimeSpan.milliseconds(100)
    /// Further into a chapter than this, a step back goes to its own start first.
    static let restartAfter = TimeSpan.seconds(3)

    /// The chapter that a position lies in; nil before the first.
    public static func index(at position: MediaTime, chapters: [ChapterInfo]) -> Int? {
        let point = position + tolerance
        let isInOrder = zip(chapters, chapters.dropFirst()).allSatisfy { $0.start <= $1.start }
        if isInOrder { return chapters.lastIndex { $0.start <= point } }
        // Of an edition that goes to and fro the one that holds the point, whatever comes before it.
        return chapters.lastIndex { $0.start <= point && point < $0.start + $0.duration }
    }

    /// The chapter that a step of `count` chapters leads to; nil beyond the last one, and before the first.
    public static func destination(from position: MediaTime, count: Int, chapters: [ChapterInfo]) -> Int? {
        let present = index(at: position, chapters: chapters)
        guard count < 0 else {
            let next = (present ?? -1) + count
            return chapters.indices.contains(next) ? next : nil
        }
        guard let present else { return nil }
        let isDeepInside = position - chapters[present].start > restartAfter
        return max(0, present + count + (isDeepInside ? 1 : 0))
    }
}
