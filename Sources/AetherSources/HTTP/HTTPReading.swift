import AetherCore
import Synchronization

/// The next step of a web server's reader: a fold over what the server sends and what is wanted of the reader. Makes no call and
/// asks no clock; lives under the reader's monitor.
struct HTTPReading {
    /// An act to carry out outside of the monitor.
    enum Effect: Sendable {
        case start(Int, TransferOrder)
        case resume(Int)
        case drop(Int)
    }

    /// One look at the state.
    struct Turn: Sendable {
        var effects: [Effect] = []
        /// The reader's answer; nil: nothing yet.
        var outcome: Result<Int, IOReaderError>?
        /// When to look again at the latest.
        var deadline: HostTime?
        /// The attempt that is waited for; nil: none.
        var reconnecting: ReconnectAttempt?
        /// It is another one than in the turn before.
        var isNews = false
        /// The answer came from memory.
        var isHeld = false
    }

    let address: WebAddress
    let options: HTTPOptions
    let memory: WebMemory
    let reserve: @Sendable () -> Int
    let jitter: @Sendable () -> Double
    var position: Int64 = 0
    /// Behind the last byte that is wanted; nil: all of them are.
    var bound: Int64?
    var isCancelled = false
    var isClosed = false
    /// Where the server knows no parts, one goes back by asking for all of the file.
    var rereads = false
    /// The facts known of the file; nil before the first answer.
    var file: WebFile?
    var flows: [Flow] = []
    /// The server's failures, shared with its other readers.
    let origin: OriginRecord
    /// This reader's number there.
    let reader: Int
    /// The request that has failed last was made then.
    var failureAskedAt: HostTime?
    /// The last request's answer made no sense.
    var hasBadAnswer = false
    /// The attempt that the reader waits for; nil while bytes come.
    var reconnecting: ReconnectAttempt?
    private var told: ReconnectAttempt?
    var notBefore: HostTime?
    /// The address that redirections led away from was gone back to, and no bytes have come since.
    var hasGoneBack = false
    /// The server sends the whole file where the version of a part is named.
    var asksWithoutValidator = false
    /// When bytes may be taken again, by the rate that is set.
    private var brakedUntil: HostTime?
    var hops = 0
    /// Where the next request goes, as long as no answer has come.
    var target: WebAddress
    var isPrivate: Bool?
    /// The server may compress what it sends.
    var unpacks: Bool
    /// Since when the present call waits.
    private var waitsSince: HostTime?
    var effects: [Effect] = []
    /// The file on disk, which the first request asks about.
    var cached: CachedFile?
    var verdict = CacheVerdict.unknown
    private var isHeld = false
    /// The read that waits; nil where none does, or where what comes must go through the ring.
    var waiting: WaitingRead?
    /// Where the present run of bytes without a jump began.
    private var runStart: Int64 = 0
    /// The last change was a piece of a body, and more of it may be at hand: the reader is woken when that is over.
    var isFilling = false

    /// The most that is read to get over a gap, instead of asking anew: at 5 Mbit/s it takes as long as a slow server's answer.
    static let hop: Int64 = 256 << 10
    /// A file of this size is sent by the server itself, and not by a program behind it.
    static let tellingSize: Int64 = 64 << 10
    /// One transfer that is read, and one to come back to: containers with their index at the end, or with audio far from video.
    static let flowLimit = 2

    /// A reading at the file's first byte. `reserve` gives numbers of transfers, `jitter` 0 ..< 1.
    init(
        _ address: WebAddress, options: HTTPOptions, memory: WebMemory, origin: OriginRecord = OriginRecord(),
        reserve: @escaping @Sendable () -> Int, jitter: @escaping @Sendable () -> Double
    ) {
        (self.origin, reader) = (origin, origin.enter())
        (self.address, self.options, self.memory, self.reserve, self.jitter) = (address, options, memory, reserve, jitter)
        file = memory.file
        target = file?.target ?? address
        isPrivate = file?.isPrivate
        unpacks = options.unpacks || file?.isPacked ?? false
    }

    // MARK: - The reader

    /// The next step of a read into the buffer, or, with nil, of finding out what file it is.
    mutating func turn(_ buffer: UnsafeMutableRawBufferPointer?, now: HostTime) -> Turn {
        var turn = Turn()
        isHeld = false
        turn.outcome = delivered(into: buffer) ?? next(buffer, now, &turn.deadline)
        if turn.outcome == nil, let buffer { waiting = lends ? WaitingRead(buffer) : nil }
        (turn.reconnecting, turn.isHeld, turn.isNews) = (reconnecting, isHeld, reconnecting != told)
        told = reconnecting
        if turn.outcome != nil { waitsSince = nil }
        swap(&turn.effects, &effects)
        return turn
    }

    /// Goes to another place; what is under way is judged by the next read.
    mutating func seek(to offset: Int64) {
        if offset != position { runStart = offset }
        position = offset
        for flow in flows {
            if let base = flow.base, flow.ring.reaches(offset - base) { flow.ring.move(to: offset - base) }
        }
    }

    /// Ends all transfers for good.
    mutating func close() -> [Effect] {
        isClosed = true
        (reconnecting, waiting) = (nil, nil)
        origin.ladder.withLock { $0.leave(reader) }
        let drops = flows.map { Effect.drop($0.number) }
        flows = []
        return drops
    }

    private mutating func next(
        _ buffer: UnsafeMutableRawBufferPointer?, _ now: HostTime, _ deadline: inout HostTime?
    ) -> Result<Int, IOReaderError>? {
        if isClosed { return .failure(.closed) }
        if isCancelled { return .failure(.cancelled) }
        let since = waitsSince ?? now
        waitsSince = since
        while true {
            if let fault = judgeHeads(now) {
                if let error = failed(fault, now) { return .failure(error) }
                continue
            }
            if let known = served(buffer, now) { return .success(known) }
            if let time = brakedUntil {
                deadline = time
                return nil
            }
            guard let index = flows.firstIndex(where: { leads($0) }) else {
                if let time = notBefore, now < time {
                    deadline = time
                    return nil
                }
                switch admitted(now) {
                case .failure(let fault): return .failure(.network(fault))
                case .success(let time) where now < time:
                    deadline = time
                    return nil
                case .success: start(now)
                }
                continue
            }
            wake(index, now)
            switch wait(for: index, since: since, now: now, &deadline) {
            case .bytes: return nil
            case .ended: return .success(0)
            case .fault(let fault): if let error = failed(fault, now) { return .failure(error) }
            }
        }
    }

    private enum Waiting {
        case bytes
        case ended
        case fault(NetworkFault)
    }

    /// The bytes that came straight into the buffer of the read that waited.
    private mutating func delivered(into buffer: UnsafeMutableRawBufferPointer?) -> Result<Int, IOReaderError>? {
        guard let buffer, let read = waiting else { return nil }
        waiting = nil
        guard !isClosed, read.fills(buffer), read.filled > 0 else { return nil }
        hasCome(read.filled, in: buffer)
        return .success(read.filled)
    }

    /// A read that waits now may be given its bytes without the ring.
    private var lends: Bool { file != nil && options.rateLimit == nil && position - runStart >= WaitingRead.streak }

    /// Bytes that are new to the reader lie in its buffer.
    private mutating func hasCome(_ count: Int, in buffer: UnsafeMutableRawBufferPointer) {
        // A server that always breaks off at one place makes no progress.
        origin.ladder.withLock { $0.progress(of: reader) }
        (reconnecting, hasGoneBack) = (nil, false)
        memory.keep(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]), at: position)
        position += Int64(count)
    }

    /// The answer that can be given at once.
    private mutating func served(_ buffer: UnsafeMutableRawBufferPointer?, _ now: HostTime) -> Int? {
        brakedUntil = nil
        guard let file else { return nil }
        guard let buffer, !buffer.isEmpty else {
            reconnecting = nil
            return 0
        }
        if let end = bound ?? file.size, position >= min(end, file.size ?? end) { return 0 }
        var count = memory.read(from: position, into: buffer)
        isHeld = count > 0
        guard !isHeld else {
            position += Int64(count)
            return count
        }
        for index in flows.indices {
            guard let base = flows[index].base else { continue }
            guard let room = permitted(buffer, flows[index].ring.count(from: position - base), now) else { return nil }
            count = flows[index].ring.read(from: position - base, into: room)
            guard count > 0 else { continue }
            hasCome(count, in: buffer)
            wake(index, nil)
            return count
        }
        return nil
    }

    /// The part of a buffer that may be filled now with bytes of which so many are there; nil: none of it, before `brakedUntil`.
    private mutating func permitted(
        _ buffer: UnsafeMutableRawBufferPointer, _ available: Int, _ now: HostTime
    ) -> UnsafeMutableRawBufferPointer? {
        guard let rate = options.rateLimit, available > 0 else { return buffer }
        let grant = origin.brake.withLock { $0.take(min(buffer.count, available), rate: rate, now: now) }
        brakedUntil = grant.next
        return grant.next == nil ? UnsafeMutableRawBufferPointer(rebasing: buffer[..<grant.count]) : nil
    }

    /// Whether the flow will bring the byte that is wanted, or the news that there is none.
    private func leads(_ flow: Flow) -> Bool {
        guard let base = flow.base else { return flow.asked == (file == nil ? flow.asked : position) }
        if flow.ring.reaches(position - base) { return true }
        guard flow.end == nil, let high = flow.high, high <= position else { return false }
        // Of a server without parts there is only the way through.
        return position - high <= Self.hop || file?.isSeekable == false || !flow.isPart
    }

    /// The flow is read: it takes bytes again where there is room for them.
    private mutating func wake(_ index: Int, _ now: HostTime?) {
        let flow = flows[index]
        if let base = flow.base, base + flow.ring.high < position { flow.ring.move(to: flow.ring.high) }
        flows[index].isParked = false
        guard flow.isPaused, flow.ring.free >= options.aheadLimit / 2 else { return }
        flows[index].isPaused = false
        if let now { flows[index].heard = now }
        effects.append(.resume(flow.number))
    }

    private mutating func wait(for index: Int, since: HostTime, now: HostTime, _ deadline: inout HostTime?) -> Waiting {
        let flow = flows[index]
        failureAskedAt = flow.askedAt
        if let end = flow.end {
            flows.remove(at: index)
            switch end {
            case .failed(let fault): return .fault(fault)
            case .complete:
                guard let high = flow.high else { return .fault(NetworkFault(.brokeOff)) }
                // The length of the file was unknown so far.
                if file?.size == nil, position >= high {
                    remember { $0.size = high }
                    return .ended
                }
                return .fault(NetworkFault(.brokeOff))
            }
        }
        let limit = max(flow.heard, since) + options.stallLimit
        if now >= limit {
            effects.append(.drop(flow.number))
            flows.remove(at: index)
            return .fault(NetworkFault(.timedOut))
        }
        deadline = limit
        return .bytes
    }

    mutating func remember(_ change: (inout WebFile) -> Void) {
        guard var changed = file else { return }
        change(&changed)
        file = changed
        memory.file = changed
    }
}
