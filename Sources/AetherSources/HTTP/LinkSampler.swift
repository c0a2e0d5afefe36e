import AetherCore

/// Measures what a link can do by the transfers of one source, all of them together. A transfer whose bytes are not read says nothing any more:
/// what comes after its pause has waited in the system. Pure: time is an argument.
struct LinkSampler: Sendable {
    /// Transfers whose bytes come as fast as the link gives them.
    private var flowing: Set<Int> = []
    /// Transfers that were paused once.
    private var tainted: Set<Int> = []
    private var begin: HostTime?
    private var last = HostTime(nanoseconds: 0)
    private var bytes: Int64 = 0
    private var samples: [LinkSample] = []

    /// A sample is told at the latest after this time; a sample that is not asked for is forgotten.
    private static let longest = TimeSpan.seconds(1), limit = 64

    init() {}

    /// Bytes of a body. The first ones of a row only start the clock: how long they took is unknown.
    mutating func received(_ count: Int, of transfer: Int, now: HostTime) {
        guard !tainted.contains(transfer) else { return }
        flowing.insert(transfer)
        guard let begin else { return (self.begin, last, bytes) = (now, now, 0) }
        bytes += Int64(count)
        last = now
        if now - begin >= Self.longest { tell(goingOn: true) }
    }

    /// A transfer is paused: its reader is slower than the link.
    mutating func paused(_ transfer: Int) {
        tainted.insert(transfer)
        end(transfer)
    }

    /// A transfer has ended.
    mutating func ended(_ transfer: Int) {
        tainted.remove(transfer)
        end(transfer)
    }

    private mutating func end(_ transfer: Int) {
        if flowing.remove(transfer) != nil, flowing.isEmpty { tell(goingOn: false) }
    }

    private mutating func tell(goingOn: Bool) {
        if let begin, bytes > 0 {
            if samples.count == Self.limit { samples.removeFirst() }
            samples.append(LinkSample(bytes: bytes, span: last - begin))
        }
        (begin, bytes) = (goingOn ? last : nil, 0)
    }

    /// The samples since it was asked last.
    mutating func take() -> [LinkSample] {
        defer { samples = [] }
        return samples
    }
}
