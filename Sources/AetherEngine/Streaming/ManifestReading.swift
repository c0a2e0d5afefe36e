public import AetherCore
public import AetherFormats
import AetherMedia
public import AetherSources

/// Reads the manifest of a source, and the lists and indexes of segments that it names, as `aetherctl manifest` shows them. Blocks on files
/// and servers.
public struct ManifestReading: Sendable {
    private let root: StreamAddress
    private let policy: AddressPolicy
    private let http: HTTPOptions
    /// Where the manifest came from: what it names gets nothing that was meant for its server alone.
    private let source = Monitor<Provenance?>(nil)
    /// Breaks waits for servers.
    var interrupt = Interrupt()

    /// A source: a local file or an http or https address. Throws `.unsupported` for any other. Asks for nothing yet.
    public init(
        _ location: MediaLocation, http: HTTPOptions = HTTPOptions(), workingFolder: String
    ) throws(MediaError) {
        let address: StreamAddress? =
            switch location {
            case .file(let path): StreamAddress(filePath: path.hasPrefix("/") ? path : workingFolder + "/" + path)
            case .url(let url): HTTPReader.reads(url) ? StreamAddress(url) : nil
            case .standardInput: nil
            }
        guard let address else { throw MediaError(.unsupported, "read the manifest of", subject: location.displayName) }
        root = address
        policy = AddressPolicy(root: address)
        self.http = http
    }

    /// The presentation with the segments of every rendition; of a broadcast by DASH those of the window at `now`, in nanoseconds since
    /// 1970. Throws `.notMedia` for a document that is no manifest, `.unsupported` for digital rights, `.cannotOpen` where a server or the
    /// system gives nothing. A rendition that cannot be read is left without segments where another one of the same presentation can.
    public func presentation(now: Int64) throws(MediaError) -> Presentation {
        let document = try document(at: root)
        if MPDDocument.begins(document.bytes) {
            return try indexed(
                understood(root) { () throws(StreamFault) in
                    let presentation = try Presentation(MPDDocument(document.bytes, address: document.address), now: now)
                    if let system = presentation.protection, system != .clearKey { throw StreamFault(.protected(system)) }
                    return presentation
                })
        }
        switch try understood(root, { () throws(StreamFault) in try HLSPlaylist(document.bytes, address: document.address) }) {
        case .segments(let list):
            try understood(root, { () throws(StreamFault) in try list.checkPlayable() })
            return Presentation(list)
        case .variants(let list): return try presentation(list)
        }
    }

    /// The presentation without what other documents say; what is protected is in it. Throws as `presentation(now:)`.
    public func outline(now: Int64) throws(MediaError) -> Presentation {
        let document = try document(at: root)
        return try understood(root) { () throws(StreamFault) in
            if MPDDocument.begins(document.bytes) {
                return try Presentation(MPDDocument(document.bytes, address: document.address), now: now)
            }
            switch try HLSPlaylist(document.bytes, address: document.address) {
            case .segments(let list): return Presentation(list)
            case .variants(let list): return Presentation(list)
            }
        }
    }

    /// One rendition with its segments: no other's playlist or index is read. What is protected is in it. Throws as `presentation(now:)`, and
    /// what `choice` throws.
    func rendition(now: Int64, _ choice: (Presentation) throws(MediaError) -> Rendition.ID) throws(MediaError) -> Rendition {
        let document = try document(at: root)
        var (presentation, list) = try understood(root) { () throws(StreamFault) -> (Presentation, HLSVariantList?) in
            if MPDDocument.begins(document.bytes) {
                return (try Presentation(MPDDocument(document.bytes, address: document.address), now: now), nil)
            }
            switch try HLSPlaylist(document.bytes, address: document.address) {
            case .segments(let list): return (Presentation(list), nil)
            case .variants(let list): return (Presentation(list), list)
            }
        }
        let id = try choice(presentation)
        if let list, let rendition = presentation.rendition(id) {
            presentation.attach(try segments(of: rendition, list), to: id)
        }
        try readIndexes(of: id, &presentation)
        guard let rendition = presentation.rendition(id), rendition.index != nil else {
            throw MediaError(
                .notMedia, "play", subject: root.text, reason: StreamFault(.nothingToPlay).description)
        }
        return rendition
    }

    private func presentation(_ list: HLSVariantList) throws(MediaError) -> Presentation {
        var presentation = Presentation(list), failure: MediaError?, count = 0
        for rendition in presentation.renditions {
            do throws(MediaError) {
                presentation.attach(try segments(of: rendition, list), to: rendition.id)
                count += 1
            } catch {
                failure = failure ?? error
            }
        }
        if count == 0, let failure { throw failure }
        return presentation
    }

    /// From the first of its addresses that gives them.
    private func segments(of rendition: Rendition, _ list: HLSVariantList) throws(MediaError) -> HLSSegmentList {
        var failure = MediaError(.notMedia, "read", subject: rendition.id)
        for address in rendition.addresses {
            do throws(MediaError) {
                try understood(address, { () throws(StreamFault) in try policy.check(address) })
                let document = try document(at: address)
                return try understood(address) { () throws(StreamFault) in
                    try HLSPlaylist(document.bytes, address: document.address, variables: list.variables).segmentList()
                }
            } catch {
                failure = error
            }
        }
        throw failure
    }

    // MARK: - Indexes

    /// With the indexes that lie in the media. A file whose index cannot be read is one segment.
    private func indexed(_ presentation: Presentation) throws(MediaError) -> Presentation {
        var presentation = presentation
        for rendition in presentation.renditions { try readIndexes(of: rendition.id, &presentation) }
        return presentation
    }

    private func readIndexes(of id: Rendition.ID, _ presentation: inout Presentation) throws(MediaError) {
        for pending in presentation.pendingIndexes(of: id) {
            var search = pending.search
            for address in pending.addresses {
                search = pending.search
                try understood(address, { () throws(StreamFault) in try policy.check(address) })
                if find(&search, at: address) { break }
            }
            presentation.attach(search, to: pending)
        }
    }

    /// False where the file cannot be read.
    private func find(_ search: inout MediaIndexSearch, at address: StreamAddress) -> Bool {
        var isRead = true
        do throws(IOReaderError) {
            let reader = try reader(address)
            defer { reader.close() }
            search.run { offset, count in
                do throws(IOReaderError) {
                    try reader.seek(to: offset)
                    return try reader.bytes(limit: count)
                } catch {
                    isRead = false
                    return nil
                }
            }
            return isRead
        } catch {
            return false
        }
    }

    /// A reader of a file that the manifest names, where its policy lets it be followed. Throws `.network` where it does not.
    func reader(_ address: StreamAddress, as role: AddressPolicy.Role) throws(IOReaderError) -> any IOReader {
        do throws(StreamFault) {
            try policy.check(address, as: role)
        } catch {
            throw .network(NetworkFault(.invalidAddress, detail: error.description))
        }
        if address.scheme == "data" {
            guard let bytes = DataAddress.bytes(address.text) else { throw .network(NetworkFault(.invalidAddress)) }
            return MemoryReader(bytes)
        }
        return try reader(address)
    }

    private func reader(_ address: StreamAddress) throws(IOReaderError) -> any IOReader {
        address.scheme == "file" ? try file(address) : try HTTPReader(address.text, options: http.named(by: source.read { $0 }))
    }

    private func understood<Value>(
        _ address: StreamAddress, _ body: () throws(StreamFault) -> Value
    ) throws(MediaError) -> Value {
        do throws(StreamFault) {
            return try body()
        } catch {
            var code = MediaError.Code.notMedia
            if case .protected = error.kind { code = .unsupported }
            if case .refusedAddress = error.kind { code = .unsupported }
            throw MediaError(code, "play", subject: address.text, reason: error.description)
        }
    }

    // MARK: - Bytes

    private func document(at address: StreamAddress) throws(MediaError) -> (bytes: [UInt8], address: StreamAddress) {
        // One byte more than a playlist may have, so that a longer one is seen.
        let limit = HLSPlaylist.sizeLimit + 1
        do throws(IOReaderError) {
            if address.scheme == "file" {
                let reader = try file(address)
                defer { reader.close() }
                return (try reader.bytes(limit: limit), address)
            }
            let reader = try HTTPReader(address.text, options: http.named(by: source.read { $0 }))
            interrupt.attach(reader)
            defer {
                interrupt.detach(reader)
                reader.close()
            }
            let bytes = try reader.bytes(limit: limit)
            if address == root { source.update { $0 = reader.provenance } }
            return (bytes, StreamAddress(reader.target) ?? address)
        } catch {
            throw MediaError(MediaLocation.parse(address.text), error)
        }
    }

    private func file(_ address: StreamAddress) throws(IOReaderError) -> any IOReader {
        guard case .file(let path) = MediaLocation.parse(address.text) else { throw .network(NetworkFault(.invalidAddress)) }
        guard address != root, case .file(let folder) = MediaLocation.parse(root.resolved(".")?.text ?? "") else {
            return try FileReader(path: path)
        }
        return try StreamFetch.file(path, address, below: folder)
    }
}
