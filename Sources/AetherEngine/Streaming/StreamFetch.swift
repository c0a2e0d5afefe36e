import AetherCore
import AetherFormats
import AetherMedia
import AetherSources
import Glibc
import Synchronization

/// Opens what a manifest names, where its policy allows that, and keeps the keys. Lives on the thread that reads; keys may be asked for there
/// only.
final class StreamFetch: Sendable {
    private let home: StreamDocument.Home
    private let policy: AddressPolicy
    private let interrupt: Interrupt
    private let waiting: Waiting
    /// Takes the bytes of segments of the leading track for a recording.
    let tap: ByteTap?
    /// Of the host.
    let stages: [any ManifestStage]
    /// Those that segments were found to hold.
    let events = FoundEvents()
    /// By their addresses. Each is asked for once.
    private let keys = Mutex<[StreamAddress: [UInt8]]>([:])
    /// Clear bytes of init sections that were read.
    private let inits = Mutex<[InitSection: [UInt8]]>([:])
    /// The largest init section that is kept: that of a long video without fragments has all tables. Each rendition has one.
    static let initLimit = 1 << 20, initCount = 32
    /// A stream that changes its key with every segment of a day has 43 200.
    private static let keyLimit = 100_000

    /// How one waits: returns whether the interrupt was raised before the moment came.
    typealias Waiting = @Sendable (Interrupt, HostTime) -> Bool

    init(
        _ document: StreamDocument, stages: [any ManifestStage] = [], interrupt: Interrupt, tap: ByteTap? = nil,
        waiting: @escaping Waiting = { $0.wait(until: $1) }
    ) {
        (home, self.stages, self.interrupt, self.waiting) = (document.home, stages, interrupt, waiting)
        self.tap = tap
        policy = AddressPolicy(root: document.address)
    }

    /// The nature of segments.
    var traits: IOReaderTraits {
        switch home {
        case .web: IOReaderTraits(isLocal: false, seekCost: .roundTrip, mayStall: true, isRepeatable: true)
        case .folder: IOReaderTraits(isLocal: true, seekCost: .call, mayStall: false, isRepeatable: true)
        }
    }

    /// A reader of a file, at an offset where that can be gone to, that ends before `end` where it is not nil. A server is asked at once, and not
    /// waited for. Throws where the address is not followed.
    func reader(
        _ address: StreamAddress, as role: AddressPolicy.Role = .media, _ file: NamedFile = NamedFile(), from start: Int64 = 0,
        to end: Int64? = nil
    ) throws(IOReaderError) -> any IOReader {
        do throws(StreamFault) {
            try policy.check(address, as: role)
        } catch {
            throw .network(NetworkFault(.invalidAddress, detail: error.description))
        }
        let address = stages.reduce(address) { $1.address($0) }
        if address.scheme == "data" {
            guard let bytes = DataAddress.bytes(address.text) else { throw .network(NetworkFault(.invalidAddress)) }
            return MemoryReader(bytes)
        }
        switch home {
        case .web(let document):
            return try prefetched(try document.named(address.text, as: file), start, end)
        case .folder(let folder, let document):
            switch MediaLocation.parse(address.text) {
            case .file(let path): return try Self.file(path, address, below: folder)
            case .url(let url) where HTTPReader.reads(url):
                return try prefetched(try document.reader(url, as: file), start, end)
            default: throw .network(NetworkFault(.invalidAddress))
            }
        }
    }

    /// A local file that a manifest names. Playlists that were saved from a server have its queries still: the files are called so by some
    /// programs, and by the path alone by others.
    static func file(_ path: String, _ address: StreamAddress, below folder: String) throws(IOReaderError) -> any IOReader {
        do throws(IOReaderError) {
            return try ConfinedFile.reader(path: path, below: folder)
        } catch {
            guard error == .posix(ENOENT), let bare = address.bare, case .file(let path) = MediaLocation.parse(bare.text) else {
                throw error
            }
            return try ConfinedFile.reader(path: path, below: folder)
        }
    }

    private func prefetched(_ reader: HTTPReader, _ start: Int64, _ end: Int64?) throws(IOReaderError) -> HTTPReader {
        try reader.seek(to: start)
        reader.limit(to: end)
        reader.prefetch()
        return reader
    }

    /// An answer with a document.
    struct Answer {
        /// All of it; empty where it is unchanged.
        var bytes: [UInt8] = []
        /// Where redirections have led to.
        var address: StreamAddress
        /// The server's clock; nil where it does not say.
        var date: ServerDate?
        /// The version; nil where nothing tells it.
        var tag: String?
        /// It is the version that was known.
        var isUnchanged = false
    }

    /// A document as it is by now; `tag` is the version that is known. Blocks until its bytes are there or the interrupt is raised.
    func document(_ address: StreamAddress, unless tag: String? = nil) throws(IOReaderError) -> Answer {
        var answer = Answer(address: address), file = NamedFile(isDocument: true)
        file.knownTag = tag
        answer.bytes = try media { () throws(IOReaderError) in
            let reader = try reader(address, file), bytes = try all(reader, limit: HLSPlaylist.sizeLimit + 1)
            guard let web = reader as? HTTPReader else { return bytes }
            (answer.date, answer.tag, answer.isUnchanged) = (web.date, web.tag, web.isUnchanged)
            answer.address = StreamAddress(web.target) ?? address
            return bytes
        }
        return answer
    }

    /// Bytes that are no page for people: where one comes, they are asked for twice more, half a second apart.
    private func media(_ body: () throws(IOReaderError) -> [UInt8]) throws(IOReaderError) -> [UInt8] {
        for _ in 0..<2 {
            let bytes = try body()
            guard case .web = home, WebContent(Array(bytes.prefix(1024))) == .page else { return bytes }
            if waiting(interrupt, SystemTime().now() + .seconds(0.5)) { throw .cancelled }
        }
        return try body()
    }

    /// A few words that are not worth a wait, with the address that redirections have led to. Blocks for some seconds at most.
    func words(_ address: StreamAddress) throws(IOReaderError) -> (bytes: [UInt8], address: StreamAddress) {
        let reader = try reader(address, as: .small, NamedFile(patience: .brief))
        let bytes = try all(reader, limit: SteeringManifest.sizeLimit + 1)
        return (bytes, (reader as? HTTPReader).flatMap { StreamAddress($0.target) } ?? address)
    }

    /// The server's clock by the head of an answer; nil where it does not say. Blocks until it has answered or the interrupt is raised.
    func date(of address: StreamAddress) throws(IOReaderError) -> ServerDate? {
        guard let reader = try reader(address, NamedFile(method: .head)) as? HTTPReader else { return nil }
        interrupt.attach(reader)
        defer {
            interrupt.detach(reader)
            reader.close()
        }
        try reader.open()
        return reader.date
    }

    /// The bytes of a part of a file, fewer where it ends before. Blocks until they are there or the interrupt is raised.
    func part(_ address: StreamAddress, _ range: Range<Int64>) throws(IOReaderError) -> [UInt8] {
        let reader = try reader(address, from: range.lowerBound, to: range.upperBound)
        if reader is HTTPReader { return try all(reader, limit: range.count) }
        if reader.isSeekable { try reader.seek(to: range.lowerBound) }
        return try all(reader, limit: range.count)
    }

    /// Runs a search through the bytes of a file: those alone where the index is known to lie, else the file from its start on. Blocks until it
    /// has come to its end.
    func search(_ search: inout MediaIndexSearch, in address: StreamAddress) throws(IOReaderError) {
        while search.isStated, let request = search.request {
            let end = request.offset.addingReportingOverflow(Int64(request.count))
            guard !end.overflow else { return }
            search.take(try part(address, request.offset..<end.partialValue))
        }
        guard !search.isStated else { return }
        let reader = try reader(address)
        interrupt.attach(reader)
        defer {
            interrupt.detach(reader)
            reader.close()
        }
        var failure: IOReaderError?
        search.run { offset, count in
            do throws(IOReaderError) {
                try reader.seek(to: offset)
                return try reader.bytes(limit: count)
            } catch {
                failure = error
                return nil
            }
        }
        if let failure { throw failure }
    }

    /// A key of so many bytes. Blocks the first time that it is asked for.
    func key(
        _ address: StreamAddress, length: Int = 16, _ patience: NamedFile.Patience = .opening
    ) throws(IOReaderError) -> [UInt8] {
        if let known = keys.withLock({ $0[address] }), known.count == length { return known }
        let bytes = try keyBytes(address, patience)
        guard bytes.count == length else {
            let fault = StreamFault(.keyLength(bytes.count, wanted: length))
            throw .network(NetworkFault(.badAnswer, detail: fault.description))
        }
        keys.withLock { keys in
            if keys.count >= Self.keyLimit { keys = [:] }
            keys[address] = bytes
        }
        return bytes
    }

    private func keyBytes(_ address: StreamAddress, _ patience: NamedFile.Patience) throws(IOReaderError) -> [UInt8] {
        do throws(IOReaderError) {
            return try media { () throws(IOReaderError) in
                try all(try reader(address, as: .small, NamedFile(patience: patience)), limit: 4096)
            }
        } catch {
            throw error.ofKey
        }
    }

    /// The bytes of an init section that was read before; nil for others.
    func known(_ map: InitSection) -> [UInt8]? { inits.withLock { $0[map] } }

    /// Keeps the bytes of an init section; none, or too many, are not kept.
    func keep(_ map: InitSection, _ bytes: [UInt8]) {
        guard (1...Self.initLimit).contains(bytes.count) else { return }
        inits.withLock { inits in
            if inits.count >= Self.initCount { inits = [:] }
            inits[map] = bytes
        }
    }

    func all(_ reader: any IOReader, limit: Int) throws(IOReaderError) -> [UInt8] {
        interrupt.attach(reader)
        defer {
            interrupt.detach(reader)
            reader.close()
        }
        return try reader.bytes(limit: limit)
    }

    /// Blocks until a moment. Throws where the interrupt is raised meanwhile.
    func wait(until moment: HostTime) throws(MediaError) {
        if waiting(interrupt, moment) { throw MediaError(.interrupted, "read") }
    }
}
