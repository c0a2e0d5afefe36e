import AetherCore
import AetherFormats
import AetherMedia
import AetherSources
import Glibc

/// A document that names the media in segments instead of having it: a playlist of HTTP Live Streaming, a manifest of DASH.
struct StreamDocument: Sendable {
    /// The place from which its segments are reached.
    enum Home: Sendable {
        /// The reader that the document came from: what it names is asked by its rules.
        case web(HTTPReader)
        /// The folder of a local document, and how that reaches what it names on the web.
        case folder(String, LocalDocument)
    }
    let bytes: [UInt8]
    /// Behind redirections.
    let address: StreamAddress
    let home: Home

    /// The document behind an input; nil for anything else, which is left at its start. `http` and `meter` are for servers that a local one
    /// names. Blocks on the source. Throws as it does.
    init?(
        _ input: MediaInput, http: HTTPOptions = HTTPOptions(), meter: NetworkMeter = NetworkMeter()
    ) throws(MediaError) {
        do throws(IOReaderError) {
            switch input {
            case .document(let reader as HTTPReader, _, _):
                guard let bytes = try Self.playlist(reader), let address = StreamAddress(reader.target) else { return nil }
                (self.bytes, self.address, home) = (bytes, address, .web(reader))
            case .reader(let reader, let path) where reader is FileReader || reader is GrowingFileReader:
                guard try Self.isPlaylist(reader) else { return nil }
                let whole = realpath(PathText.cString(path), nil).map { pointer in
                    defer { free(pointer) }
                    return String(cString: pointer)
                }
                guard let whole, let slash = whole.lastIndex(of: "/") else { return nil }
                bytes = try reader.bytes(limit: HLSPlaylist.sizeLimit + 1)
                address = StreamAddress(filePath: whole)
                home = .folder(String(whole[...slash]), LocalDocument(options: http, meter: meter))
            default: return nil
            }
        } catch {
            if error == .cancelled { throw MediaError(.interrupted, "open", subject: input.name) }
            throw MediaError(.cannotOpen, "open", subject: input.name, reason: "\(error)")
        }
    }

    /// The server's clock as it was answered ("Date"); nil where it does not say, and for a local one.
    var date: ServerDate? {
        if case .web(let reader) = home { reader.date } else { nil }
    }

    /// The name of its format in libavformat's words, and for people.
    var format: (name: String, longName: String) {
        MPDDocument.begins(bytes) ? ("dash", "Dynamic Adaptive Streaming over HTTP") : ("hls", "HTTP Live Streaming")
    }

    /// Looks at the first bytes for a playlist with tags of HLS; a list of files has none. The reader is left at its start.
    private static func isPlaylist(_ reader: any IOReader) throws(IOReaderError) -> Bool {
        guard reader.isSeekable else { return false }
        let first = try reader.bytes(limit: 64)
        try reader.seek(to: 0)
        guard HLSPlaylist.begins(first) || mayBeMarkup(first) else { return false }
        // Comments of any length may come first: this many bytes of them.
        let head = try reader.bytes(limit: 64 << 10)
        try reader.seek(to: 0)
        return HLSPlaylist.isStreaming(head) || MPDDocument.begins(head)
    }

    /// The bytes of a playlist or a manifest; nil for another document, whose reader is left at its start where it is neither.
    private static func playlist(_ reader: HTTPReader) throws(IOReaderError) -> [UInt8]? {
        let first = try reader.bytes(limit: 64)
        reader.rewind()
        guard HLSPlaylist.begins(first) || mayBeMarkup(first) else { return nil }
        let bytes = try reader.bytes(limit: HLSPlaylist.sizeLimit + 1)
        if HLSPlaylist.isStreaming(bytes) || MPDDocument.begins(bytes) { return bytes }
        reader.rewind()
        return nil
    }

    private static func mayBeMarkup(_ bytes: [UInt8]) -> Bool {
        bytes.first { $0 > 0x20 && ![0xEF, 0xBB, 0xBF].contains($0) } == UInt8(ascii: "<")
    }
}
