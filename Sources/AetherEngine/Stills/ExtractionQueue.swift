import AetherCore

/// A request to an extractor.
enum ExtractionWish: Sendable, Equatable {
    /// The source open, and nothing more.
    case outline
    /// The key frame that a point's decoding begins at, at most so wide.
    case thumbnail(MediaTime, width: Int)
    /// The still on screen at a point, fitted into a box; nil: in full size.
    case snapshot(MediaTime, box: PixelSize?)
}

/// The state of a request.
typealias ExtractionOutcome = Result<ExtractedStill?, MediaError>

/// The requests of an extractor, of which only the newest counts: one waits at most, and one that comes breaks off the one at work.
/// Pure; time is an argument.
struct ExtractionQueue {
    struct Request: Sendable {
        let number: Int
        let wish: ExtractionWish
        let deliver: @Sendable (ExtractionOutcome) -> Void
    }

    /// The thread's present work.
    enum Work: Equatable {
        case nothing
        /// A source is being opened: the newest request needs that, too, so that it goes on.
        case opening
        case extracting
    }

    /// Requests that follow each other faster than this are a hand that moves: 25 a second and more.
    static let burst = TimeSpan.milliseconds(40)
    /// So long the hand must rest before a request of a burst is worth a decoder's work: less than a quarter of what is left of 100 ms
    /// from rest to still after 50 ms of decoding, and longer than the steps of a moving pointer.
    static let rest = TimeSpan.milliseconds(25)

    /// A caller that asks again so soon after the answer has waited for it, and is no pointer that moves.
    static let reply = TimeSpan.milliseconds(3)
    /// Faster than this (83 a second) is a hand in any case: pointers report up to 125 times a second, and a still that is decoded in
    /// 9 ms would else be decoded for each report.
    static let fastest = TimeSpan.milliseconds(12)

    private(set) var waiting: Request?
    private(set) var isStopped = false
    var work = Work.nothing
    private var count = 0
    private var newestAt, answeredAt: HostTime?
    /// The time at which the waiting request may begin.
    private(set) var dueAt = HostTime(nanoseconds: 0)

    /// Takes a request in; returns the one that it replaces, and whether what is at work shall be broken off. `isAwaited`: the caller
    /// waits for the answer before asking again.
    mutating func submit(
        _ wish: ExtractionWish, at now: HostTime, isAwaited: Bool = false,
        deliver: @escaping @Sendable (ExtractionOutcome) -> Void
    ) -> (replaced: Request?, breaksOff: Bool) {
        count += 1
        let request = Request(number: count, wish: wish, deliver: deliver)
        guard !isStopped else { return (request, false) }
        let isBurst = !isAwaited && (newestAt.map { now - $0 < Self.burst } ?? false) && !isReply(now)
        newestAt = now
        dueAt = isBurst ? now + Self.rest : now
        defer { waiting = request }
        return (waiting, work == .extracting)
    }

    /// Whether a request at this time is one of a caller that waited for the last answer.
    private func isReply(_ now: HostTime) -> Bool {
        guard waiting == nil, work == .nothing, let answeredAt, let newestAt else { return false }
        return now - answeredAt < Self.reply && now - newestAt >= Self.fastest
    }

    /// The request to work on now.
    mutating func take() -> Request? {
        guard let request = waiting, !isStopped else { return nil }
        waiting = nil
        work = .extracting
        return request
    }

    /// The request at work has its answer.
    mutating func finish(at now: HostTime) {
        work = .nothing
        answeredAt = now
    }

    /// Nothing more is done; returns the request that waits no longer.
    mutating func stop() -> Request? {
        isStopped = true
        defer { waiting = nil }
        return waiting
    }
}
