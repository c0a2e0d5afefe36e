import AetherCore

/// The end of a source that is still being written, estimated from its bytes: all of them last about as long for their number as those that
/// are known. Pure.
struct GrowingExtent: Sendable, Equatable {
    private let start: MediaTime
    private var nanosecondsPerByte: Double?
    /// The end of the source by now.
    private(set) var end: MediaTime

    /// `duration` and `size` as of the opening. `isMeasured`: the duration is that of these bytes, as in MPEG-TS, and not the header's
    /// word, which may be of the whole file (a copy in progress) or of its first fragment; then what is read first tells.
    init(start: MediaTime, duration: TimeSpan?, isMeasured: Bool, size: Int64) {
        self.start = start
        end = start + (duration ?? .zero)
        guard isMeasured, let duration, duration > .zero, size > 0 else { return }
        nanosecondsPerByte = Double(duration.nanoseconds) / Double(size)
    }

    /// Takes the present size. `reached`: the end of what was read, after so many bytes where it was read from the start on; `fetched` is nil
    /// elsewhere. The end never moves back.
    mutating func take(size: Int64, reached: MediaTime, fetched: Int64?) {
        if nanosecondsPerByte == nil, let fetched, fetched > 0, reached - start > .seconds(1) {
            nanosecondsPerByte = Double((reached - start).nanoseconds) / Double(fetched)
        }
        let estimate = nanosecondsPerByte.map { start + TimeSpan(nanoseconds: Int64(min($0 * Double(size), 1e18))) } ?? reached
        end = max(end, estimate, reached)
    }

    /// Takes the end that was read.
    mutating func close(at reached: MediaTime) { end = reached }
}
