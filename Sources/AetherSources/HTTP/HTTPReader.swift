public import AetherCore
import Synchronization

/// A file behind http or https. Reads ahead within a bounded room, goes on at the exact byte where a connection breaks off, and
/// keeps the file's head and tail, so that indexes are asked for once.
public final class HTTPReader: IOReader {
    private let inflow: Inflow
    private let loop: TransferLoop
    private let address: WebAddress
    private let options: HTTPOptions

    /// Under the monitor: what the thread of the reader and the thread `net` share.
    private final class Inflow: TransferSink {
        let reading: Monitor<HTTPReading>
        let time: any TimeSource

        init(_ reading: sending HTTPReading, time: any TimeSource) {
            self.reading = Monitor(reading)
            self.time = time
        }

        func take(_ head: HTTPHead, isPrivate: Bool, of transfer: Int) {
            reading.update { $0.take(head, isPrivate: isPrivate, of: transfer, now: time.now()) }
        }

        func take(_ bytes: UnsafeRawBufferPointer, of transfer: Int) -> TransferReceipt {
            reading.update { $0.take(bytes, of: transfer, now: time.now()) }
        }

        func end(_ end: TransferEnd, of transfer: Int) { reading.update { $0.take(end, of: transfer) } }
    }

    /// Whether an address is for this reader: http or https.
    public static func reads(_ url: String) -> Bool { WebAddress.isWeb(url) }

    /// A reader of an address; nothing is asked yet. Throws `.network(.invalidAddress)` for what is no address.
    public convenience init(_ url: String, options: HTTPOptions = HTTPOptions()) throws(IOReaderError) {
        try self.init(url, options: options, loop: .shared)
    }

    init(
        _ url: String, options: HTTPOptions, loop: TransferLoop, time: any TimeSource = SystemTime(),
        jitter: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) throws(IOReaderError) {
        guard let address = WebAddress(url) else { throw .network(NetworkFault(.invalidAddress)) }
        (self.address, self.options, self.loop) = (address, options, loop)
        // Who says something else to the server may get something else from it.
        let memory = loop.memory(of: "\(address.text) \(address.user ?? "") \(address.password ?? "") \(options)")
        inflow = Inflow(
            HTTPReading(address, options: options, memory: memory, reserve: { [loop] in loop.reserve() }, jitter: jitter),
            time: time)
    }

    deinit { close() }

    /// Finds out what file it is, so that size and seekability are known. Blocks until the server has answered; `cancel` ends
    /// that. Throws `.network` or `.cancelled`.
    public func open() throws(IOReaderError) { _ = try run(nil) }

    /// Opens the file where that has not been done, and reads.
    public func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        if buffer.isEmpty { return 0 }
        return try run(buffer)
    }

    private func run(_ buffer: UnsafeMutableRawBufferPointer?) throws(IOReaderError) -> Int {
        var deadline: HostTime?
        while true {
            let known = deadline
            let turn = inflow.reading.wait(until: known) { reading -> HTTPReading.Turn? in
                let turn = reading.turn(buffer, now: inflow.time.now())
                return turn.outcome == nil && turn.effects.isEmpty && turn.deadline == known ? nil : turn
            }
            guard let turn else { continue }
            perform(turn.effects)
            if let outcome = turn.outcome { return try outcome.get() }
            deadline = turn.deadline
        }
    }

    private func perform(_ effects: [HTTPReading.Effect]) {
        for effect in effects {
            switch effect {
            case .start(let number, let order): loop.start(number, order, inflow)
            case .resume(let number): loop.resume(number)
            case .drop(let number): loop.drop(number)
            }
        }
    }

    /// Moves to an absolute offset; nothing is asked of the server before the next read.
    public func seek(to offset: Int64) throws(IOReaderError) {
        guard offset >= 0 else { throw .posix(22) }
        let refusal = inflow.reading.update { reading -> IOReaderError? in
            if reading.isClosed { return .closed }
            if reading.file?.isSeekable == false, offset != reading.position { return .notSeekable }
            reading.seek(to: offset)
            return nil
        }
        if let refusal { throw refusal }
    }

    /// Back to the first byte; the bytes up to here must be held.
    func rewind() { inflow.reading.update { $0.seek(to: 0) } }

    /// The address that the bytes come from, behind redirections, without name and password: what a document names is relative to
    /// it. The address that was asked for, before `open`.
    public var target: String { inflow.reading.read { $0.file?.target.text } ?? address.text }

    /// nil also before `open`.
    public var size: Int64? { inflow.reading.read { $0.file?.size } }

    /// The nature of these bytes.
    public var traits: IOReaderTraits {
        IOReaderTraits(isLocal: false, seekCost: isSeekable ? .roundTrip : .impossible, mayStall: true, isRepeatable: true)
    }

    /// Known after `open`; before, it is taken for granted.
    public var isSeekable: Bool { inflow.reading.read { $0.file?.isSeekable ?? true } }

    /// Makes a pending and every later read throw `.cancelled` until `resume`. Any thread; never blocks.
    public func cancel() { inflow.reading.update { $0.isCancelled = true } }

    /// Ends what `cancel` began. Any thread; never blocks.
    public func resume() { inflow.reading.update { $0.isCancelled = false } }

    /// Ends the transfers. Reads throw `.closed` from then on. Any thread; never blocks.
    public func close() { perform(inflow.reading.update { $0.close() }) }

    /// A reader of the same address with a position of its own.
    public func makeIndependentReader() -> (any IOReader)? {
        guard isSeekable else { return nil }
        let memory = inflow.reading.read { $0.memory }
        return HTTPReader(sharing: memory, address: address, options: options, loop: loop, time: inflow.time)
    }

    private init(sharing memory: WebMemory, address: WebAddress, options: HTTPOptions, loop: TransferLoop, time: any TimeSource) {
        (self.address, self.options, self.loop) = (address, options, loop)
        inflow = Inflow(
            HTTPReading(
                address, options: options, memory: memory, reserve: { [loop] in loop.reserve() },
                jitter: { Double.random(in: 0..<1) }), time: time)
    }
}
