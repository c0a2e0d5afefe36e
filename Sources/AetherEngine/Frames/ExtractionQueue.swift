import AetherCore

/// What is wanted of an extractor.
enum ExtractionWish: Sendable, Equatable {
    /// The source open, and nothing more.
    case outline
    /// The key frame that a point's decoding begins at, at most so wide.
    case thumbnail(MediaTime, width: Int)
    /// The picture on screen at a point, fitted into a box; nil: in full size.
    case snapshot(MediaTime, box: PixelSize?)
}

/// What has become of a wish.
typealias ExtractionOutcome = Result<ExtractedPicture?, MediaError>

/// The requests of an extractor, of which only the newest counts: one waits at most, and one that comes breaks off the one at work.
/// Pure; time is an argument.
struct ExtractionQueue {
    struct Request: Sendable {
        let number: Int
        let wish: ExtractionWish
        let deliver: @Sendable (ExtractionOutcome) -> Void
    }

    /// What the thread does now.
    enum Work: Equatable {
        case nothing
        /// A source is being opened: the newest request needs that, too, so that it goes on.
        case opening
        case extracting
    }

    /// Requests that follow each other faster than this are a hand that moves: 25 a second and more.
    static let burst = TimeSpan.milliseconds(40)
    /// So long the hand must rest before a request of a burst is worth a decoder's work: less than a quarter of what is left of 100 ms
    /// from rest to picture after 50 ms of decoding, and longer than the steps of a moving pointer.
    static let rest = TimeSpan.milliseconds(25)

    private(set) var waiting: Request?
    private(set) var isStopped = false
    var work = Work.nothing
    private var count = 0
    private var newestAt: HostTime?
    /// When the waiting one may begin.
    private(set) var dueAt = HostTime(nanoseconds: 0)

    /// Takes a request in; returns the one that it replaces, and whether what is at work shall be broken off.
    mutating func submit(
        _ wish: ExtractionWish, at now: HostTime, deliver: @escaping @Sendable (ExtractionOutcome) -> Void
    ) -> (replaced: Request?, breaksOff: Bool) {
        count += 1
        let request = Request(number: count, wish: wish, deliver: deliver)
        guard !isStopped else { return (request, false) }
        let isBurst = newestAt.map { now - $0 < Self.burst } ?? false
        newestAt = now
        dueAt = isBurst ? now + Self.rest : now
        defer { waiting = request }
        return (waiting, work == .extracting)
    }

    /// The request to work on now.
    mutating func take() -> Request? {
        guard let request = waiting, !isStopped else { return nil }
        waiting = nil
        work = .extracting
        return request
    }

    /// Nothing more is done; returns the request that waits no longer.
    mutating func stop() -> Request? {
        isStopped = true
        defer { waiting = nil }
        return waiting
    }
}
