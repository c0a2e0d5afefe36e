public import AetherCore
public import AetherFormats
public import AetherSources

/// Reads the manifest of a source, and the lists of segments that it names, as `aetherctl manifest` shows them. Blocks on files
/// and servers.
public struct ManifestReading {
    private let root: StreamAddress
    private let policy: AddressPolicy

    /// A source: a local file or an http or https address. Throws `.unsupported` for any other. Asks for nothing yet.
    public init(_ location: MediaLocation, workingFolder: String) throws(MediaError) {
        let address: StreamAddress? =
            switch location {
            case .file(let path): StreamAddress(filePath: path.hasPrefix("/") ? path : workingFolder + "/" + path)
            case .url(let url): HTTPReader.reads(url) ? StreamAddress(url) : nil
            case .standardInput: nil
            }
        guard let address else { throw MediaError(.unsupported, "read the manifest of", subject: location.displayName) }
        root = address
        policy = AddressPolicy(root: address)
    }

    /// The presentation with the segments of every rendition. Throws `.notMedia` for what is no manifest, `.unsupported` for
    /// digital rights, `.cannotOpen` where a server or the system gives nothing. A rendition that cannot be read is left without
    /// segments where another one of the same presentation can.
    public func presentation() throws(MediaError) -> Presentation {
        let document = try document(at: root)
        switch try understood(root, { () throws(StreamFault) in try HLSPlaylist(document.bytes, address: document.address) }) {
        case .segments(let list):
            try understood(root, { () throws(StreamFault) in try list.checkPlayable() })
            return Presentation(list)
        case .variants(let list): return try presentation(list)
        }
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
            let reader = try HTTPReader(address.text)
            defer { reader.close() }
            let bytes = try reader.bytes(limit: limit)
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
        return try ConfinedFile.reader(path: path, below: folder)
    }
}
