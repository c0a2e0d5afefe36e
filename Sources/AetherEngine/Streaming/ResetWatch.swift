/// The discontinuities of a broadcast by HLS, until its reader has told them: another encoder, or another program.
struct ResetWatch {
    /// Of several renditions that are read together, one tells for all.
    private let isLead: Bool
    /// The continuity that was read last; nil where what comes next may be from anywhere.
    private var continuity: Int64?
    private var isDue = false

    init(isLead: Bool) { self.isLead = isLead }

    /// Segments of a continuity are read. `isGrowing`: more is broadcast.
    mutating func enter(_ next: Int64, isGrowing: Bool) {
        guard isLead else { return }
        if let continuity, continuity != next, isGrowing { isDue = true }
        continuity = next
    }

    /// The server counts anew: the discontinuity behind it is told with this one.
    mutating func beginAnew() { (isDue, continuity) = (isLead, nil) }

    /// Reading goes on elsewhere.
    mutating func move() { continuity = nil }

    /// Whether one is to be told now; once.
    mutating func take() -> Bool {
        defer { isDue = false }
        return isDue
    }
}
