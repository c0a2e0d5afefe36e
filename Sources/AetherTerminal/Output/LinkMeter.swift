public import AetherCore

/// Learns what the link to the terminal drains from when bytes were handed over and when the terminal answered behind them.
///
/// A write that is taken says only that the nearest buffer had room: the kernel's pty queue holds 4–16 KB, ssh and the network
/// hundreds of KB more. So a frame ends with a question (DSR, `CSI 5 n`) whose answer proves that everything before it was read.
/// From submission to answer passes the link's round trip plus the bytes' own time, and before that what is left of the frame
/// ahead; the round trip is the least ever seen, as in BBR congestion control. Where questions are not answered, the time that writes were refused is
/// all there is to learn from.
///
/// Pure: time is an argument. Belongs to the thread that writes.
public struct LinkMeter: Sendable, Equatable {
    /// A question on its way.
    private struct Fence: Equatable {
        /// Bytes handed over up to and with the question.
        let total: Int64
        /// The time at which the first byte behind the question before was handed over.
        let began: HostTime
        /// Bytes since the question before.
        let bytes: Int
        /// The time at which the held bytes of the frame went out; nil where there were none.
        var released: HostTime?
    }

    /// Bytes a second that the link takes; nil before the first answer or refused write.
    public private(set) var drainRate: Double?
    /// The least time from question to answer, nil before the first.
    public private(set) var roundTrip: TimeSpan?
    /// Bytes handed over that are not known to have arrived; 0 where questions are not answered.
    public private(set) var bytesInFlight: Int64 = 0
    /// Whether the terminal is asked: not where it never answers.
    public private(set) var asks: Bool

    private var fences: [Fence] = []
    private var total: Int64 = 0
    private var answered: Int64 = 0
    private var lastAnswer: HostTime?
    private var unansweredInRow = 0
    /// Answers that may still come to questions that were given up, and since when.
    private var strays = 0
    private var strayingSince: HostTime?

    /// An answer that has not come after this long never comes. A window that is being dragged stops a terminal for 1 s or so.
    private static let patience = TimeSpan.seconds(4)
    /// A frame's time is not known better than this; small frames say nothing about a fast link.
    private static let resolution = TimeSpan.milliseconds(1)
    /// Frames smaller than this measure the round trip, larger ones the rate: 4 KB take 16 ms at 250 KB/s.
    private static let smallFrame = 4096

    /// A meter of a link of which only this is known: whether the terminal answers `CSI 5 n`, and how long it took to answer the
    /// probe's few bytes.
    public init(asks: Bool, roundTrip: TimeSpan? = nil) {
        self.asks = asks
        self.roundTrip = roundTrip
    }

    /// Questions that are not answered.
    public var questionsOpen: Int { fences.count }

    /// A frame of so many bytes, question included, goes out now. With `question` false it carries none.
    public mutating func submitted(_ bytes: Int, question: Bool, at now: HostTime) {
        guard bytes > 0 else { return }
        total += Int64(bytes)
        guard asks, question else { return }
        fences.append(Fence(total: total, began: now, bytes: bytes))
        bytesInFlight = total - answered
    }

    /// The terminal has answered the oldest question.
    public mutating func answered(at now: HostTime) {
        if strays > 0, let since = strayingSince, now - since < Self.patience {
            strays -= 1
            return
        }
        guard !fences.isEmpty else { return }
        let fence = fences.removeFirst()
        unansweredInRow = 0
        let trip = min(roundTrip ?? .seconds(60), now - fence.began)
        roundTrip = trip
        // The link is a queue: these bytes begin when they arrive, or when those ahead are through, whichever is later. Both moments
        // are half a round trip before an answer to them would be here.
        let begin = max(fence.began + trip, lastAnswer ?? fence.began)
        if !isHeldUp(fence, trip: trip, at: now) { observe(bytes: fence.bytes, over: now - begin) }
        answered = fence.total
        lastAnswer = now
        bytesInFlight = fences.isEmpty ? 0 : total - answered
    }

    /// The bytes of the last frame that were held back, behind its question, go out now.
    public mutating func released(at now: HostTime) {
        if !fences.isEmpty { fences[fences.count - 1].released = now }
    }

    /// Whether an answer that is no sooner back than what was held says nothing of the bytes before: some terminals read an update, with
    /// the question in it, when it ends.
    private func isHeldUp(_ fence: Fence, trip: TimeSpan, at now: HostTime) -> Bool {
        guard let released = fence.released, now >= released, let known = drainRate else { return false }
        let isLate = now - released > trip + .milliseconds(2)
        return !isLate && Double(fence.bytes) < known * max(now - fence.began, Self.resolution).seconds
    }

    /// The time that bytes handed over now would wait for those ahead of them, as far as rate and round trip are known; zero where nothing
    /// is under way.
    public func backlog(at now: HostTime) -> TimeSpan {
        guard let rate = drainRate, let trip = roundTrip else { return .zero }
        var free = lastAnswer
        for fence in fences {
            let begin = max(fence.began + trip, free ?? fence.began)
            free = begin + .seconds(Double(fence.bytes) / max(1, rate))
        }
        guard !fences.isEmpty, let free else { return .zero }
        return max(.zero, free - (now + trip))
    }

    /// A write was refused and later taken: bytes that went out after the refusal, and how long that took. Counts only where
    /// answers say nothing.
    public mutating func refused(bytes: Int, over span: TimeSpan) {
        guard !asks else { return }
        observe(bytes: bytes, over: span)
    }

    /// Gives up waiting for answers that do not come; returns whether something was given up.
    public mutating func expire(at now: HostTime) -> Bool {
        guard let oldest = fences.first else { return false }
        let since = max(oldest.began, lastAnswer ?? oldest.began)
        let expected = drainRate.map { TimeSpan.seconds(min(60, Double(bytesInFlight) / max(1024, $0))) } ?? .zero
        guard now - since > Self.patience + expected else { return false }
        forgetQuestions(at: now)
        unansweredInRow += 1
        // Twice 4 s without a word, though the terminal once promised: it is asked no more.
        if unansweredInRow >= 2 { asks = false }
        return true
    }

    /// Answers to earlier questions do not count: a frame was given up, or another program had the terminal. `unsent`
    /// questions never went out. Those that come within 4 s are told from later ones by their number.
    public mutating func forgetQuestions(unsent: Int = 0, at now: HostTime) {
        strays = max(0, fences.count - unsent)
        strayingSince = now
        fences.removeAll()
        bytesInFlight = 0
        answered = total
        lastAnswer = nil
    }

    /// The time at which `expire` should be asked next; nil while nothing is open.
    public var nextExpiry: HostTime? {
        guard let oldest = fences.first else { return nil }
        let expected = drainRate.map { TimeSpan.seconds(min(60, Double(bytesInFlight) / max(1024, $0))) } ?? .zero
        return max(oldest.began, lastAnswer ?? oldest.began) + Self.patience + expected
    }

    private mutating func observe(bytes: Int, over span: TimeSpan) {
        guard bytes >= Self.smallFrame else { return }
        let rate = Double(bytes) / max(span, Self.resolution).seconds
        guard let known = drainRate else {
            drainRate = rate
            return
        }
        // Down a little faster than up: a frame that is late stays late. One answer that waited for a busy processor counts little.
        drainRate = known + (rate - known) * (rate < known ? 0.25 : 0.2)
    }
}
