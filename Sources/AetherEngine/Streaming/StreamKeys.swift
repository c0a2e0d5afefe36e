import AetherCore
import AetherFormats
import AetherMedia
import AetherSources

extension ContentKeys {
    /// Throws where a presentation that is protected cannot be played with these.
    func check(_ presentation: Presentation, _ system: ContentProtection) throws(StreamFault) {
        guard isEmpty else { return }
        if let key = presentation.keys.first, system == .clearKey || system == .other { throw StreamFault(.missingKey(key)) }
        throw StreamFault(.protected(system))
    }
}

extension StreamFetch {
    private static let log = Log.module("net")

    /// The keys that a person gave, with those of the licences that a manifest names, where some are missing. Blocks. A licence that cannot be
    /// had is none. Throws `.interrupted`.
    func keys(of presentation: Presentation, given: ContentKeys) throws(MediaError) -> ContentKeys {
        var keys = given
        let wanted = presentation.keys.filter { keys.key($0) == nil }
        guard !wanted.isEmpty || given.isEmpty else { return keys }
        for address in presentation.licences {
            do throws(IOReaderError) {
                if keys.add(licence: try licence(address, for: wanted)) > 0 { break }
                Self.log.warning("a licence has no keys")
            } catch {
                if error == .cancelled { throw MediaError(.interrupted, "open") }
                Self.log.warning("a licence: \(error)")
            }
        }
        return keys
    }

    /// A licence: asked for by its names where it lies on a server, as ClearKey wants it, else as it is.
    private func licence(_ address: StreamAddress, for wanted: [KeyID]) throws(IOReaderError) -> [UInt8] {
        let reader = try reader(address, as: .small, NamedFile(method: .post(ContentKeys.request(wanted))))
        return try all(reader, limit: 1 << 20)
    }

    /// The bytes from a segment on as a demuxer is to see them, and the options for that: what is encrypted sample by sample is clear, or is by the
    /// demuxer's own cipher.
    func clear(
        _ reader: any IOReader, _ first: Segment, keys: ContentKeys, options: OpenOptions,
        _ patience: NamedFile.Patience = .opening
    ) throws(IOReaderError) -> (reader: DecryptingReader, options: OpenOptions) {
        var options = options, keys = keys
        options.keys = ContentKeys()
        if let encryption = first.encryption, case .samples(let address, let written, _) = encryption {
            let key = try key(address, patience)
            options.frameKey = FrameKey(key: key, vector: encryption.vector(number: first.number))
            keys = ContentKeys(all: key, vector: written ?? encryption.vector(number: first.number))
        }
        return (DecryptingReader(reader, keys: keys), options)
    }
}

extension StreamCatalog {
    /// The bytes from a segment on without encryption, and the options for their demuxer. Blocks on the key.
    func clear(
        _ reader: any IOReader, _ first: Segment, _ options: OpenOptions
    ) throws(MediaError) -> (reader: DecryptingReader, options: OpenOptions) {
        do throws(IOReaderError) {
            return try fetch.clear(reader, first, keys: keys, options: options, hasPlayed ? .playing : .opening)
        } catch {
            if error == .cancelled { throw MediaError(.interrupted, "read", subject: name) }
            throw MediaError(.cannotOpen, "play", subject: name, reason: SegmentFailure.words(error))
        }
    }

    /// No key is known.
    func locked(_ key: KeyID) -> MediaError {
        MediaError(.unsupported, "play", subject: name, reason: StreamFault(.missingKey(key)).description)
    }
}
