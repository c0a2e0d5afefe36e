import AetherCore

/// When a resource of a presentation is asked for again, and when it is given up. Pure: time and chance are arguments.
struct SegmentRetry: Sendable {
    /// The classes of resource.
    enum Resource: Sendable, CaseIterable {
        case manifest, initOrKey, segment, text, thumbnail
    }

    /// How patient a class is.
    struct Patience: Sendable, Equatable {
        /// Requests in all.
        var attempts: Int
        /// The first pause; each further one is twice as long, up to `longest`.
        var first: TimeSpan, longest: TimeSpan
        /// Without the first byte, and without a further one.
        var answer: TimeSpan, stall: TimeSpan
    }

    /// The outcomes of a failure.
    enum Step: Sendable, Equatable {
        /// The same request, then; what has arrived stays.
        case again(at: HostTime)
        /// The manifest first, for its addresses may have expired; then the request.
        case renewManifest
        /// No more requests of this address.
        case giveUp
    }

    let resource: Resource
    private(set) var failures = 0
    private var hasRenewed = false

    init(_ resource: Resource) { self.resource = resource }

    var patience: Patience {
        func patience(_ attempts: Int, _ first: Double, _ longest: Double, _ answer: Double, _ stall: Double) -> Patience {
            Patience(
                attempts: attempts, first: .seconds(first), longest: .seconds(longest), answer: .seconds(answer),
                stall: .seconds(stall))
        }
        return switch resource {
        case .manifest: patience(3, 0.5, 8, 10, 10)
        case .initOrKey: patience(4, 0.5, 8, 8, 8)
        case .segment: patience(4, 0.25, 4, 8, 5)
        case .text, .thumbnail: patience(2, 1, 1, 5, 5)
        }
    }

    /// A request has failed. `deadline` is the moment at which its bytes are needed (the end of the buffer less a second): a
    /// pause never leads beyond it, but the first retry is always made. `isEdge`: the segment lies at the end of what a live
    /// manifest offers, where it may be published a moment later. `jitter` is 0 ..< 1.
    mutating func failed(
        _ fault: NetworkFault, now: HostTime, deadline: HostTime? = nil, isEdge: Bool = false, jitter: Double
    ) -> Step {
        failures += 1
        if case .status(403) = fault.kind, resource != .manifest, !hasRenewed {
            hasRenewed = true
            return .renewManifest
        }
        guard Self.isPassing(fault.kind, isEdge: isEdge), failures < patience.attempts else { return .giveUp }
        let doubled = min(patience.first.nanoseconds << min(failures - 1, 20), patience.longest.nanoseconds)
        let pause = TimeSpan(nanoseconds: Int64(Double(doubled) * (0.75 + jitter / 2)))
        let next = now + max(pause, fault.retryAfter ?? .zero)
        if let deadline, next > deadline, failures > 1 { return .giveUp }
        return .again(at: next)
    }

    /// Bytes came: what failed before counts no more.
    mutating func progressed() { failures = 0 }

    private static func isPassing(_ kind: NetworkFault.Kind, isEdge: Bool) -> Bool {
        switch kind {
        case .status(404): isEdge
        case .status(408), .status(425), .status(429), .status(500...599): true
        case .brokeOff, .timedOut, .refused, .unreachable, .noSuchHost, .handshake, .proxy, .badAnswer, .other: true
        case .status, .invalidAddress, .certificate, .webPage, .changed, .redirection, .privateAddress: false
        }
    }
}
