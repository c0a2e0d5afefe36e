import AetherCore
import AetherMedia

/// How a live source that has ended is had once more.
struct TimeShiftReopening: Sendable {
    /// The host says that it has no end; else it is taken for endless where it came at the pace of time.
    let isStated: Bool
    /// Opens it anew, for the attempt of that number. Blocks.
    let open: @Sendable (_ attempt: Int) throws(MediaError) -> ContainerSource

    /// Half a second before the first attempt, then twice as long each time, 30 s at most.
    static func pause(before attempt: Int) -> TimeSpan { .seconds(min(30, 0.5 * Double(1 << min(max(0, attempt - 1), 6)))) }

    /// Whether the streams of a source can be decoded as those of the one before.
    static func isAlike(_ former: SourceInfo, _ next: SourceInfo) -> Bool {
        guard former.streams.count == next.streams.count else { return false }
        return zip(former.streams, next.streams).allSatisfy { a, b in
            a.index == b.index && a.codecName == b.codecName
                && a.parameters.header(limit: 1 << 20) == b.parameters.header(limit: 1 << 20)
        }
    }
}
