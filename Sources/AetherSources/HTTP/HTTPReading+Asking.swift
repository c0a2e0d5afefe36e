import AetherCore
import Synchronization

extension HTTPReading {
    private static let log = Log.module("net")

    /// When the server may be asked.
    func admitted(_ now: HostTime) -> Result<HostTime, NetworkFault> {
        origin.ladder.withLock { ladder in
            do throws(NetworkFault) {
                return .success(try ladder.start(patience, now: now))
            } catch {
                return .failure(error)
            }
        }
    }

    /// The open network leads into no private one: neither by a redirection nor by a document.
    private var permitsPrivate: Bool {
        if options.allowsLAN { return true }
        if let document = options.document { return document.isPrivate }
        return target == address || isPrivate ?? true
    }

    private var patience: RetryLadder.Patience { file == nil ? options.opening : options.reading }

    /// The outcome of a fault: nil where it will be tried again.
    mutating func failed(_ fault: NetworkFault, _ now: HostTime) -> IOReaderError? {
        // An address that a redirection has led to, and that gave bytes, may be good for a while only: the one that led there is asked once more.
        if case .status(let status) = fault.kind, [401, 403, 404, 410].contains(status), target != address, file != nil,
            !hasGoneBack
        {
            (target, hops, hasGoneBack) = (address, 0, true)
            return nil
        }
        hasBadAnswer = fault.kind == .badAnswer
        if fault.kind == .changed { memory.isStale = true }
        let isEndless = file.map { $0.size == nil && !$0.isSeekable && !$0.isPacked } ?? false
        let (patience, jitter, asked) = (patience, jitter(), failureAskedAt ?? now)
        let (time, attempt): (HostTime?, Int) = origin.ladder.withLock { ladder in
            let time =
                isEndless ? nil : ladder.next(after: fault, of: reader, asked: asked, patience, now: now, jitter: jitter)
            return (time, ladder.attempts(of: reader))
        }
        guard let time else {
            origin.ladder.withLock { $0.leave(reader) }
            (notBefore, reconnecting) = (nil, nil)
            return .network(fault)
        }
        notBefore = time
        reconnecting = ReconnectAttempt(number: attempt, limit: RetryLadder.limit(after: fault, patience))
        let milliseconds = (time - now).nanoseconds / 1_000_000
        Self.log.warning("\(fault.sentence); attempt \(attempt) follows in \(milliseconds) ms, at byte \(position)")
        return nil
    }

    /// Makes a request for the bytes from the position on.
    mutating func start(_ now: HostTime) {
        notBefore = nil
        flows.removeAll { flow in
            // One that has not answered yet is of no use elsewhere; neither is one that has ended and been left.
            guard flow.base == nil || flow.end != nil else { return false }
            if flow.end == nil { effects.append(.drop(flow.number)) }
            return true
        }
        while flows.count >= Self.flowLimit { effects.append(.drop(flows.removeFirst().number)) }
        for index in flows.indices { flows[index].isParked = true }
        // Credentials and headers that a person has given are for the server that they named, also where a document leads to that server.
        let isTrusted = target.origin == options.document?.origin ?? address.origin
        let isOwn = target.origin == address.origin && address.user != nil
        let mayBePart = !unpacks && file?.isSeekable ?? !options.isListing
        let isPart = mayBePart && !(file == nil && origin.ranges.isMissing(target.origin, now: now))
        var order = TransferOrder(
            address: target, offset: isPart && options.method == .get ? position : nil,
            validator: asksWithoutValidator ? nil : file?.validator,
            isTrusted: isTrusted, permitsPrivate: permitsPrivate, usesDigest: origin.usesDigest,
            user: isOwn ? address.user : isTrusted ? options.document?.user : nil,
            password: isOwn ? address.password : isTrusted ? options.document?.password : nil, options: options)
        (order.unpacks, order.isFresh) = (unpacks, hasBadAnswer)
        order.end = bound.flatMap { $0 > position ? $0 : nil }
        if file == nil { order.condition = cached?.validator }
        let number = reserve()
        flows.append(
            Flow(
                number: number, asked: position, isPart: isPart, isSpared: mayBePart && !isPart,
                ring: ByteRing(capacity: options.aheadLimit), askedAt: now,
                heard: now))
        effects.append(.start(number, order))
    }

    /// The machine has slept: every connection is dead without notice. What has come is read; for the rest the server is asked at once.
    mutating func wake() {
        for index in flows.indices where flows[index].end == nil {
            effects.append(.drop(flows[index].number))
            flows[index].end = .failed(NetworkFault(.brokeOff))
        }
        flows.removeAll { $0.base == nil }
        notBefore = nil
        origin.ladder.withLock { $0.wake() }
    }
}
