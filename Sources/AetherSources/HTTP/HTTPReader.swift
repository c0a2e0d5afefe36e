public import AetherCore
import Glibc

/// A file behind http or https, or on a server of ftp, ftps or sftp. Reads ahead within a bounded room, goes on at the exact byte where a connection breaks off, and
/// keeps the file's head and tail, so that indexes are asked for once.
public final class HTTPReader: IOReader {
    private let inflow: HTTPInflow
    private let loop: TransferLoop
    private let address: WebAddress
    private let options: HTTPOptions
    /// The reader's number in the meter.
    private let place: Int
    /// nil: the file is not kept on disk.
    private let disk: CacheUse?

    /// Whether an address is a web server's: http or https, also as dav or davs.
    public static func reads(_ url: String) -> Bool { WebAddress.isWeb(url) }

    /// Whether an address can be opened at all: a web server's, or one of ftp, ftps or sftp.
    public static func opens(_ url: String) -> Bool { WebAddress.isKnown(url) }

    /// Whether an address is one of WebDAV (dav, davs), whose folders can be listed.
    public static func isDAV(_ url: String) -> Bool { WebAddress.isDAV(url) }

    /// A reader of an address; nothing is asked yet. The meter counts what it does. Throws `.network(.invalidAddress)` for what is no address.
    public convenience init(
        _ url: String, options: HTTPOptions = HTTPOptions(), meter: NetworkMeter = NetworkMeter()
    ) throws(IOReaderError) {
        try self.init(url, options: options, loop: .shared, meter: meter)
    }

    init(
        _ url: String, options: HTTPOptions, loop: TransferLoop, meter: NetworkMeter = NetworkMeter(),
        time: any TimeSource = SystemTime(),
        jitter: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) throws(IOReaderError) {
        guard let address = WebAddress(url) else { throw .network(NetworkFault(.invalidAddress)) }
        (self.address, self.options, self.loop, place) = (address, options, loop, meter.enter())
        // Who says something else to the server may get something else from it.
        // A document's files are read once, and a playlist that grows is another one each time.
        let memory =
            options.document != nil
            ? WebMemory(options.heldRoom)
            : loop.memory(of: "\(address.text) \(address.user ?? "") \(address.password ?? "") \(options)", options.heldRoom)
        disk = CacheUse(address, options, memory)
        inflow = HTTPInflow(
            HTTPReading(
                address, options: options, memory: memory, origin: loop.record(of: address.origin),
                reserve: { [loop] in loop.reserve() }, jitter: jitter), time: time, meter: meter)
        loop.wakes(inflow)
    }

    deinit { close() }

    /// Finds out what file it is, so that size and seekability are known. Blocks until the server has answered; `cancel` ends
    /// that. Throws `.network` or `.cancelled`.
    public func open() throws(IOReaderError) {
        if let cached = disk?.look() {
            inflow.reading.update { if $0.file == nil, $0.flows.isEmpty { $0.cached = cached } }
        }
        _ = try run(nil)
        guard let disk, !disk.isDecided else { return }
        let (verdict, file) = inflow.reading.read { ($0.verdict, $0.file) }
        if let file { disk.decide(verdict, file) }
    }

    /// Opens the file where that has not been done, and reads.
    public func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        if buffer.isEmpty { return 0 }
        guard let disk else { return try run(buffer) }
        if !disk.isDecided { try open() }
        let start = inflow.reading.read { $0.isClosed || $0.isCancelled ? nil : $0.position }
        if let start {
            let held = disk.read(from: start, into: buffer)
            if held > 0 {
                inflow.reading.update { $0.seek(to: start + Int64(held)) }
                inflow.meter.count { $0.cacheHits += 1 }
                return held
            }
        }
        do throws(IOReaderError) {
            let count = try run(buffer)
            if inflow.reading.read({ $0.verdict == .never }) {
                disk.discard()
            } else if let start {
                disk.keep(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]), at: start)
            }
            return count
        } catch {
            if case .network(let fault) = error, fault.kind == .changed { disk.discard() }
            throw error
        }
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
            if turn.isNews { inflow.meter.set(turn.reconnecting, of: place) }
            if turn.isHeld { inflow.meter.count { $0.cacheHits += 1 } }
            if let outcome = turn.outcome { return try outcome.get() }
            deadline = turn.deadline
        }
    }

    private func perform(_ effects: [HTTPReading.Effect]) {
        for effect in effects {
            switch effect {
            case .start(let number, let order):
                inflow.meter.began(number, order.address.fileName, offset: order.offset, now: inflow.time.now())
                loop.start(number, order, inflow)
            case .resume(let number): loop.resume(number)
            case .drop(let number):
                inflow.meter.dropped(number, now: inflow.time.now())
                loop.drop(number)
            }
        }
    }

    /// Moves to an absolute offset; nothing is asked of the server before the next read.
    public func seek(to offset: Int64) throws(IOReaderError) {
        guard offset >= 0 else { throw .posix(EINVAL) }
        let refusal = inflow.reading.update { reading -> IOReaderError? in
            if reading.isClosed { return .closed }
            if reading.file?.isSeekable == false, !reading.rereads, offset != reading.position { return .notSeekable }
            reading.seek(to: offset)
            return nil
        }
        if let refusal { throw refusal }
    }

    /// Ends the bytes before the file does: none behind `end` is asked for by the next request, and reads end there. nil: at the file's end.
    public func limit(to end: Int64?) { inflow.reading.update { $0.bound = end } }

    /// A reader of an address that this document names, relative to it or absolute; nothing is asked yet. It is asked by the document's rules:
    /// no private address unless the document came from one, nothing less secure than the document, headers and names for its own server alone.
    /// Throws `.network` where the address is not followed, and before `open`.
    public func named(_ reference: String, as file: NamedFile = NamedFile()) throws(IOReaderError) -> HTTPReader {
        guard let present = inflow.reading.read({ $0.file }), let next = present.target.resolved(reference) else {
            throw .network(NetworkFault(.invalidAddress))
        }
        var options = file.options(options)
        let former = options.document
        let document = Provenance(
            origin: former?.origin ?? address.origin, isPrivate: former?.isPrivate ?? present.isPrivate,
            user: former?.user ?? address.user, password: former?.password ?? address.password,
            isSecure: former?.isSecure ?? false || present.target.origin.scheme == "https")
        guard !document.isSecure || next.origin.scheme == "https" else {
            throw .network(NetworkFault(.redirection, detail: "from https to http"))
        }
        options.document = document
        let reader = try HTTPReader(
            WebAddress.isWeb(reference) ? reference : next.text, options: options, loop: loop, meter: inflow.meter)
        reader.know(file.knownTag)
        return reader
    }

    /// The bytes of a version are there already: where it is still the newest, `isUnchanged` is true behind `open`, and there is nothing to read.
    func know(_ tag: String?) {
        guard let tag else { return }
        inflow.reading.update { $0.cached = CachedFile(size: 0, validator: tag) }
    }

    /// The version that was known before is still the newest; false before `open`.
    public var isUnchanged: Bool { inflow.reading.read { $0.verdict == .unchanged } }

    /// Opens an address that this document names. Blocks until the server has answered or the interrupt of `attach` cancels it. Throws
    /// `.network` or `.cancelled`.
    public func openNamed(_ reference: String, attach: (HTTPReader) -> Void, detach: (HTTPReader) -> Void) throws(IOReaderError)
        -> HTTPReader
    {
        let reader = try named(reference)
        attach(reader)
        defer {
            detach(reader)
            reader.resume()
        }
        try reader.open()
        return reader
    }

    /// Asks for the bytes at the present position without waiting for them. Never blocks.
    public func prefetch() {
        perform(inflow.reading.update { $0.isClosed ? [] : $0.turn(nil, now: inflow.time.now()).effects })
    }

    /// The rules for addresses that this document lists for a player to open one by one: private ones only where it came from a private one,
    /// headers and names for its own server alone. nil before `open`.
    public var provenance: Provenance? {
        guard let file = inflow.reading.read({ $0.file }) else { return nil }
        let former = options.document
        return Provenance(
            origin: former?.origin ?? address.origin, isPrivate: former?.isPrivate ?? true && file.isPrivate,
            user: former?.user ?? address.user, password: former?.password ?? address.password, isSecure: false)
    }

    /// Whether the answer came from a private, local or loopback address; false before `open`.
    public var isPrivate: Bool { inflow.reading.read { $0.file?.isPrivate ?? false } }

    /// The bytes of audio between two titles of songs, by a radio station's answer; nil before `open`, and for anything else.
    var songInterval: Int? { inflow.reading.read { $0.file?.songInterval } }

    /// The server's clock by the newest answer that says it; nil before `open`, and where none does.
    public var date: ServerDate? { inflow.reading.read { $0.file?.date } }

    /// Where redirections have led; the address itself before `open`.
    public var location: String { inflow.reading.read { $0.file?.target.text ?? $0.address.text } }

    /// The tag that tells this version of the file from another one at the same address: a strong ETag or the time of change. nil before
    /// `open`, and where the server sends neither.
    public var tag: String? { inflow.reading.read { $0.file?.validator } }

    /// Back to the first byte. The bytes up to here must be held in memory, as the first ones of a file are.
    public func rewind() { inflow.reading.update { $0.seek(to: 0) } }

    /// Where the bytes come from, behind redirections, without name and password; before `open` the address that was asked for.
    public var target: String { inflow.reading.read { $0.file?.target.text } ?? address.text }
    /// nil also before `open`.
    public var size: Int64? { inflow.reading.read { $0.file?.size } }
    /// 1 TB: servers of broadcasts say more where their software wants a length.
    private static let longestFile: Int64 = 1 << 40
    /// The nature of these bytes.
    public var traits: IOReaderTraits {
        var traits = IOReaderTraits(
            isLocal: false, seekCost: isSeekable ? .roundTrip : .impossible, mayStall: true, isRepeatable: true)
        traits.hasKnownEnd = size.map { $0 <= Self.longestFile } ?? false
        return traits
    }
    /// Known after `open`; before, it is taken for granted.
    public var isSeekable: Bool { inflow.reading.read { $0.rereads || $0.file?.isSeekable ?? true } }

    /// From now on one can go back in the file of a server that knows no parts: all of it is asked for again, and passed up to the place.
    public func rereads() { inflow.reading.update { $0.rereads = true } }

    /// Makes a pending and every later read throw `.cancelled` until `resume`. Any thread; never blocks.
    public func cancel() { inflow.reading.update { $0.isCancelled = true } }

    /// Ends what `cancel` began. Any thread; never blocks.
    public func resume() { inflow.reading.update { $0.isCancelled = false } }

    /// Ends the transfers. Reads throw `.closed` from then on. Any thread; never blocks.
    public func close() {
        loop.forgets(inflow)
        perform(inflow.reading.update { $0.close() })
        inflow.meter.set(nil, of: place)
    }

    /// A reader of the same address with a position of its own.
    public func makeIndependentReader() -> (any IOReader)? {
        // One that begins at the start again and again is no help.
        guard inflow.reading.read({ $0.file?.isSeekable ?? true }) else { return nil }
        let memory = inflow.reading.read { $0.memory }
        return HTTPReader(sharing: memory, address: address, options: options, loop: loop, time: inflow.time, meter: inflow.meter)
    }

    private init(
        sharing memory: WebMemory, address: WebAddress, options: HTTPOptions, loop: TransferLoop, time: any TimeSource,
        meter: NetworkMeter
    ) {
        (self.address, self.options, self.loop, place) = (address, options, loop, meter.enter())
        disk = CacheUse(address, options, memory)
        inflow = HTTPInflow(
            HTTPReading(
                address, options: options, memory: memory, origin: loop.record(of: address.origin),
                reserve: { [loop] in loop.reserve() }, jitter: { Double.random(in: 0..<1) }), time: time, meter: meter)
        loop.wakes(inflow)
    }
}
