public import AetherCore
import Glibc
import Synchronization

/// A file on a server of shares (`smb://host/share/path`, `nfs://host/path`), read through a program of its own, and over a fast link through a second
/// one beside it. Reads ahead within 4 to 32 MiB, and goes on at the exact byte where the server went away and came back.
public final class ShareReader: IOReader {
    private struct Session: Sendable {
        var links: ShareLinks?
        var reading: ShareReading?
        var modified: UInt64 = 0
        var ladder = RetryLadder()
    }
    /// nil while the thread that reads works with it: it waits for the server and starts the program, and no lock is held meanwhile.
    private let idle = Mutex(Session?.some(Session()))
    private let facts = Mutex((size: Int64?.none, target: Int64(0)))
    private let address: ShareAddress
    private let program: String
    private let time: any TimeSource
    private let wake = WakeHandle()
    private let isCancelled = Atomic(false), isClosed = Atomic(false)

    /// Whether an address is one of a share.
    public static func opens(_ url: String) -> Bool { ShareAddress.isShare(url) }

    /// Whether the program that speaks with such servers is installed. Blocks on the file system.
    public static var isAvailable: Bool { program != nil }

    /// Where the program lies that speaks with servers of shares; nil where it is not installed. Blocks on the file system.
    public static var program: String? { ShareProgram.find() }

    /// A reader of an address; nothing is asked yet. Throws `.network` for what is no address of a file on a share, and where the program that
    /// speaks with such servers is not installed. Blocks on the file system.
    public convenience init(_ url: String) throws(IOReaderError) {
        guard let address = ShareAddress(url), address.mayBeFile else {
            throw .network(NetworkFault(.invalidAddress, detail: "smb://host/share/file or nfs://host/path is one"))
        }
        self.init(address, program: try ShareProgram.required(), time: SystemTime())
    }

    init(_ address: ShareAddress, program: String, time: any TimeSource) {
        (self.address, self.program, self.time) = (address, program, time)
    }

    /// Connects and opens the file. Blocks until the server has answered; `cancel` ends that. Throws `.network` or `.cancelled`.
    public func open() throws(IOReaderError) {
        try withSession { session throws(IOReaderError) in
            if session.reading == nil { try connect(&session, .opening) }
        }
    }

    /// Opens the file where that has not been done, and reads. While the server is away it waits, for two minutes at most.
    public func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        if buffer.isEmpty { return 0 }
        let target = facts.withLock { $0.target }
        let count = try withSession { session throws(IOReaderError) -> Int in
            if session.reading == nil { try connect(&session, .opening) }
            return try read(buffer, from: target, &session)
        }
        facts.withLock { $0.target = target + Int64(count) }
        return count
    }

    /// Works with the session outside of any lock. Throws EBUSY where another thread does.
    private func withSession<Value>(_ body: (inout Session) throws(IOReaderError) -> Value) throws(IOReaderError) -> Value {
        try check()
        guard var session = idle.withLock({ $0.take() }) else {
            try check()
            throw .posix(EBUSY)
        }
        defer { putBack(session) }
        return try body(&session)
    }

    /// Gives the session back. After `close` it ends here, on the thread that read.
    private func putBack(_ session: Session) {
        idle.withLock { idle in
            if !isClosed.load(ordering: .acquiring) { idle = session }
        }
    }

    private func read(_ buffer: UnsafeMutableRawBufferPointer, from target: Int64, _ session: inout Session) throws(IOReaderError)
        -> Int
    {
        if let reading = session.reading, reading.position != target, let request = session.reading?.seek(to: target) {
            session.links?.send(request)
        }
        while true {
            try check()
            if session.links == nil { try connect(&session, .reading) }
            if session.reading?.wantsSecond() == true, session.links?.addSecond(.open(address), program: program) != true {
                session.reading?.second(isThere: false)
            }
            let part = session.reading?.read(buffer.count)
            if let part { session.links?.copy(part, to: buffer) }
            for order in session.reading?.requests() ?? [] { session.links?.send(order.request, lane: order.lane) }
            if let part { return part.count }
            switch try answer(&session) {
            case (.filled(let number, let count, let microseconds), let lane)?:
                guard session.reading?.take(number, Int(count), in: microseconds, lane: lane) == true else {
                    throw .network(NetworkFault(.changed))
                }
                session.ladder.progress()
            case (.failure(let number, let refusal, let text), let lane)?:
                if lane > 0, number == 0 {
                    withoutSecond(&session)
                } else if session.reading?.awaits(number) == true {
                    try failed(NetworkFault(refusal.kind, detail: text), .reading, &session)
                }
            case (.opened(let size, let modified), let lane)? where lane > 0:
                let isSame = session.reading?.size == Int64(size) && session.modified == modified
                isSame ? session.reading?.second(isThere: true) : withoutSecond(&session)
            case (.opened, _)?, (.entries, _)?: throw .network(NetworkFault(.badAnswer))
            case nil: try failed(NetworkFault(.brokeOff), .reading, &session)
            }
        }
    }

    /// The server takes no second connection: one is enough.
    private func withoutSecond(_ session: inout Session) {
        session.links?.dropSecond()
        session.reading?.second(isThere: false)
    }

    /// A program's next answer, and which one's; nil: it is gone, or says nothing.
    private func answer(_ session: inout Session) throws(IOReaderError) -> (ShareAnswer, lane: Int)? {
        let deadline = time.now() + ShareProgram.patience
        while true {
            guard let waiting = session.links?.wait(wake, until: deadline, now: time.now) else { return nil }
            switch waiting {
            case .answer(let answer, let lane): return (answer, lane)
            case .ended(let lane) where lane > 0 && session.reading?.hasSecond == false: withoutSecond(&session)
            case .late, .ended: return nil
            case .woken:
                wake.drain()
                try check()
            }
        }
    }

    private func check() throws(IOReaderError) {
        if isClosed.load(ordering: .acquiring) { throw .closed }
        if isCancelled.load(ordering: .acquiring) { throw .cancelled }
    }

    /// Starts the program until it has the file open.
    private func connect(_ session: inout Session, _ patience: RetryLadder.Patience) throws(IOReaderError) {
        while true {
            try check()
            session.links = ShareLinks(.open(address), program: program)
            guard session.links != nil else {
                throw .network(NetworkFault(.other, detail: "\(ShareProgram.name) does not start"))
            }
            switch try unlinkingOnError(&session) {
            case .opened(let size, let modified): return try opened(Int64(size), modified, &session)
            case .failure(_, let refusal, let text): try failed(NetworkFault(refusal.kind, detail: text), patience, &session)
            case .filled, .entries: throw .network(NetworkFault(.badAnswer))
            case nil:
                if patience == .opening, session.links?.hasEnded == true { throw .network(ShareProgram.mute) }
                try failed(NetworkFault(.brokeOff), patience, &session)
            }
        }
    }

    /// A wait that is broken off before the file is open leaves no program that is half asked.
    private func unlinkingOnError(_ session: inout Session) throws(IOReaderError) -> ShareAnswer? {
        do throws(IOReaderError) {
            return try answer(&session)?.0
        } catch {
            session.links = nil
            throw error
        }
    }

    private func opened(_ size: Int64, _ modified: UInt64, _ session: inout Session) throws(IOReaderError) {
        if let reading = session.reading {
            guard reading.size == size, session.modified == modified else { throw .network(NetworkFault(.changed)) }
        } else {
            session.reading = ShareReading(size: size)
        }
        session.modified = modified
        facts.withLock { $0.size = size }
    }

    /// Waits until it is to be tried again, or throws the fault.
    private func failed(_ fault: NetworkFault, _ patience: RetryLadder.Patience, _ session: inout Session) throws(IOReaderError) {
        session.links = nil
        session.reading?.restart()
        let jitter = Double.random(in: 0..<1)
        guard let next = session.ladder.next(after: fault, patience, now: time.now(), jitter: jitter) else {
            throw .network(fault)
        }
        while time.now() < next {
            if wake.wait(until: next, now: time.now) {
                wake.drain()
                try check()
            }
        }
    }

    /// Moves to an absolute offset; nothing is asked of the server before the next read.
    public func seek(to offset: Int64) throws(IOReaderError) {
        guard offset >= 0 else { throw .posix(EINVAL) }
        if isClosed.load(ordering: .acquiring) { throw .closed }
        facts.withLock { $0.target = offset }
    }

    /// nil before `open`.
    public var size: Int64? { facts.withLock { $0.size } }
    /// Always true.
    public var isSeekable: Bool { true }
    /// The nature of these bytes.
    public var traits: IOReaderTraits { .network }

    /// Makes a pending and every later read throw `.cancelled` until `resume`. Any thread; never blocks.
    public func cancel() {
        isCancelled.store(true, ordering: .releasing)
        wake.wake()
    }

    /// Ends what `cancel` began. Any thread; never blocks.
    public func resume() { isCancelled.store(false, ordering: .releasing) }

    /// Ends the program, or has the read that is under way break off and end it. Any thread; never blocks.
    public func close() {
        isClosed.store(true, ordering: .releasing)
        wake.wake()
        // Its program is ended outside of the lock.
        _ = idle.withLock { $0.take() }
    }

    /// A reader of the same file with a position and a program of its own.
    public func makeIndependentReader() -> (any IOReader)? { ShareReader(address, program: program, time: time) }
}
