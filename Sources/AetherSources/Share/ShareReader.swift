public import AetherCore
import Synchronization

/// A file on a server of shares (`smb://host/share/path`), read through a program of its own. Reads ahead within 4 MiB, and goes on at the
/// exact byte where the server went away and came back.
public final class ShareReader: IOReader {
    private struct State {
        var link: ShareLink?
        var reading: ShareReading?
        var modified: UInt64 = 0
        var ladder = RetryLadder()
    }
    /// The thread that reads holds it while it waits; `cancel` and `close` do without it.
    private let state = Mutex(State())
    private let facts = Mutex((size: Int64?.none, target: Int64(0)))
    private let address: ShareAddress
    private let program: String
    private let time: any TimeSource
    private let wake = WakeHandle()
    private let isCancelled = Atomic(false), isClosed = Atomic(false)

    /// 30 s: twice what the program gives the server for one answer.
    private static let patience = TimeSpan.seconds(30)

    /// Whether an address is one of a share.
    public static func opens(_ url: String) -> Bool { ShareAddress.isShare(url) }

    /// A reader of an address; nothing is asked yet. Throws `.network` for what is no address of a file on a share, and where the program that
    /// speaks with such servers is not installed. Blocks on the file system.
    public convenience init(_ url: String) throws(IOReaderError) {
        guard let address = ShareAddress(url), !address.path.isEmpty else {
            throw .network(NetworkFault(.invalidAddress, detail: "smb://host/share/file is one"))
        }
        guard let program = ShareProgram.find() else {
            throw .network(
                NetworkFault(.other, detail: "the program \(ShareProgram.name) is not installed, which speaks with shares"))
        }
        self.init(address, program: program, time: SystemTime())
    }

    init(_ address: ShareAddress, program: String, time: any TimeSource) {
        (self.address, self.program, self.time) = (address, program, time)
    }

    /// Connects and opens the file. Blocks until the server has answered; `cancel` ends that. Throws `.network` or `.cancelled`.
    public func open() throws(IOReaderError) {
        try state.withLock { state throws(IOReaderError) in
            if state.reading == nil { try connect(&state, .opening) }
        }
    }

    /// Opens the file where that has not been done, and reads. While the server is away it waits, for two minutes at most.
    public func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        if buffer.isEmpty { return 0 }
        let target = facts.withLock { $0.target }
        let count = try state.withLock { state throws(IOReaderError) -> Int in
            try check()
            if state.reading == nil { try connect(&state, .opening) }
            return try read(buffer, from: target, &state)
        }
        facts.withLock { $0.target = target + Int64(count) }
        return count
    }

    private func read(_ buffer: UnsafeMutableRawBufferPointer, from target: Int64, _ state: inout State) throws(IOReaderError)
        -> Int
    {
        if let reading = state.reading, reading.position != target, let request = state.reading?.seek(to: target) {
            state.link?.send(request)
        }
        while true {
            try check()
            if state.link == nil { try connect(&state, .reading) }
            let count = state.reading?.read(buffer)
            for request in state.reading?.requests() ?? [] { state.link?.send(request) }
            if let count { return count }
            switch try answer(&state) {
            case .data(let number, let bytes):
                guard state.reading?.take(number, bytes) == true else { throw .network(NetworkFault(.changed)) }
                state.ladder.progress()
            case .failure(let number, let refusal, let text):
                guard state.reading?.awaits(number) == true else { continue }
                try failed(NetworkFault(refusal.kind, detail: text), .reading, &state)
            case .opened: throw .network(NetworkFault(.badAnswer))
            case nil: try failed(NetworkFault(.brokeOff), .reading, &state)
            }
        }
    }

    /// The program's next answer; nil: it is gone, or says nothing.
    private func answer(_ state: inout State) throws(IOReaderError) -> ShareAnswer? {
        let deadline = time.now() + Self.patience
        while true {
            guard let waiting = state.link?.wait(wake, until: deadline, now: time.now) else { return nil }
            switch waiting {
            case .answer(let answer): return answer
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
    private func connect(_ state: inout State, _ patience: RetryLadder.Patience) throws(IOReaderError) {
        while true {
            try check()
            state.link = ShareLink(address, program: program)
            guard state.link != nil else { throw .network(NetworkFault(.other, detail: "\(ShareProgram.name) does not start")) }
            switch try unlinkingOnError(&state) {
            case .opened(let size, let modified): return try opened(Int64(size), modified, &state)
            case .failure(_, let refusal, let text): try failed(NetworkFault(refusal.kind, detail: text), patience, &state)
            case .data: throw .network(NetworkFault(.badAnswer))
            case nil: try failed(NetworkFault(.brokeOff), patience, &state)
            }
        }
    }

    /// A wait that is broken off before the file is open leaves no program that is half asked.
    private func unlinkingOnError(_ state: inout State) throws(IOReaderError) -> ShareAnswer? {
        do throws(IOReaderError) {
            return try answer(&state)
        } catch {
            state.link = nil
            throw error
        }
    }

    private func opened(_ size: Int64, _ modified: UInt64, _ state: inout State) throws(IOReaderError) {
        if let reading = state.reading {
            guard reading.size == size, state.modified == modified else { throw .network(NetworkFault(.changed)) }
        } else {
            state.reading = ShareReading(size: size)
        }
        state.modified = modified
        facts.withLock { $0.size = size }
    }

    /// Waits until it is to be tried again, or throws the fault.
    private func failed(_ fault: NetworkFault, _ patience: RetryLadder.Patience, _ state: inout State) throws(IOReaderError) {
        state.link = nil
        _ = state.reading?.forget()
        let jitter = Double.random(in: 0..<1)
        guard let next = state.ladder.next(after: fault, patience, now: time.now(), jitter: jitter) else { throw .network(fault) }
        while time.now() < next {
            if wake.wait(until: next, now: time.now) {
                wake.drain()
                try check()
            }
        }
    }

    /// Moves to an absolute offset; nothing is asked of the server before the next read.
    public func seek(to offset: Int64) throws(IOReaderError) {
        guard offset >= 0 else { throw .posix(22) }
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

    /// Ends the program, once the read that is under way has been broken off. Any thread.
    public func close() {
        isClosed.store(true, ordering: .releasing)
        wake.wake()
        state.withLock { $0.link = nil }
    }

    /// A reader of the same file with a position and a program of its own.
    public func makeIndependentReader() -> (any IOReader)? { ShareReader(address, program: program, time: time) }
}
