import AetherCore

/// When a reader's request that failed is made again, and when it is given up. Pure.
struct RetryLadder: Sendable {
    /// How patient it is.
    struct Patience: Sendable, Equatable {
        /// Failures in a row of a server that answers, without a byte between them.
        var answers: Int
        /// For how long failures in a row are borne.
        var span: TimeSpan
        /// Whether a host that refuses connections, or has no address, is asked again at all.
        var outlastsAbsence: Bool
        /// Whether a server that was there a moment ago is asked again where it falls silent.
        var outlastsSilence = false
        /// The first pause; each further one is twice as long, up to `longest`.
        var first = TimeSpan.seconds(0.5)
        var longest = TimeSpan.seconds(8)

        /// While a person waits for the first frame: a wrong address is said at once.
        static let opening = Patience(answers: 3, span: .seconds(15), outlastsAbsence: false)
        /// While something plays: a link may be away for a minute, as when a laptop changes its network.
        static let reading = Patience(answers: 4, span: .seconds(120), outlastsAbsence: true)
        /// For files that a document names before anything of it plays: the server has just answered, so that a silence is a connection
        /// that died.
        static let named = Patience(answers: 3, span: .seconds(20), outlastsAbsence: false, outlastsSilence: true)
    }

    private var failures = 0
    private var since: HostTime?

    /// Nothing has failed.
    init() {}

    /// How often in a row it has failed.
    var attempt: Int { failures }

    /// Bytes came: what failed before is forgotten.
    mutating func progress() { self = RetryLadder() }

    /// When to ask again; nil: not at all. `jitter` 0 ..< 1 spreads those whom one outage has hit.
    /// `rung`: failures in a row of all requests to the server, where those are more.
    mutating func next(
        after fault: NetworkFault, _ patience: Patience, rung: Int = 0, now: HostTime, jitter: Double
    ) -> HostTime? {
        let begun = since ?? now
        since = begun
        defer { failures += 1 }
        switch RetryLadder.nature(of: fault.kind) {
        case .final: return nil
        case .odd: if failures + 1 >= min(2, patience.answers) { return nil }
        case .silent where !patience.outlastsAbsence && patience.outlastsSilence:
            if failures + 1 >= patience.answers { return nil }
        case .silent, .absent: if !patience.outlastsAbsence { return nil }
        case .gateway: if !patience.outlastsAbsence, failures + 1 >= patience.answers { return nil }
        case .answered: if failures + 1 >= patience.answers { return nil }
        }
        // A transfer that breaks off in the middle is retried at once: servers close connections that stood still.
        let isFirstBreak = failures == 0 && fault.kind == .brokeOff
        let doubled = patience.first.nanoseconds << min(max(failures, rung), 20)
        let pause = isFirstBreak ? 0 : Double(min(doubled, patience.longest.nanoseconds)) * (0.75 + jitter / 2)
        let wait = max(TimeSpan(nanoseconds: Int64(pause)), fault.retryAfter ?? .zero)
        let next = now + wait
        return next - begun <= patience.span ? next : nil
    }

    /// The number of the last attempt that would be made if a fault went on, each attempt failing at once.
    static func limit(after fault: NetworkFault, _ patience: Patience) -> Int {
        var ladder = RetryLadder(), now = HostTime(nanoseconds: 0), count = 0
        // 1000: tests have patience without pauses.
        while count < 1000, let next = ladder.next(after: fault, patience, now: now, jitter: 0.5) {
            (now, count) = (next, count + 1)
        }
        return count
    }

    private enum Nature {
        case final, absent, silent, answered
        /// Who stands before the server says, or shows, that it is not there: a proxy, a forwarder that hangs up.
        case gateway
        /// An answer that makes no sense may be the rest of another one on the same connection: asked for once more.
        case odd
    }

    private static func nature(of kind: NetworkFault.Kind) -> Nature {
        switch kind {
        case .noSuchHost, .refused, .unreachable: .absent
        case .timedOut: .silent
        case .brokeOff, .other: .answered
        case .hungUp, .handshake, .proxy, .status(502), .status(504): .gateway
        case .status(408), .status(425), .status(429), .status(500...599): .answered
        case .badAnswer: .odd
        case .status, .invalidAddress, .certificate, .hostKey, .webPage, .changed, .redirection, .privateAddress, .missing,
            .denied, .login, .noShare, .forbidden:
            .final
        }
    }
}
