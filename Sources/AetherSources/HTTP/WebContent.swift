public import AetherCore

/// The kind of content, by the first bytes of a web server's answer.
public enum WebContent: Sendable, Equatable {
    /// Media, or something that its demuxer has to judge.
    case media
    /// A document that names other files: playlists of HLS, DASH manifests.
    case document
    /// One whose files libavformat opens by itself, whatever they are: ffconcat, session descriptions.
    case script
    /// A page for people.
    case page

    /// As many bytes as are needed to tell.
    static let length = 1024

    /// Judges by content alone: names and types of servers say anything.
    public init(_ bytes: [UInt8]) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let rest = (bytes.starts(with: mark) ? bytes.dropFirst(3) : bytes[...]).drop { $0 <= 0x20 }
        let text = String(decoding: rest.prefix(Self.length), as: UTF8.self).lowercased()
        if text.hasPrefix("#extm3u") {
            self = .document
        } else if ["ffconcat version", "v=0\r\no=", "v=0\no="].contains(where: { text.hasPrefix($0) }) {
            self = .script
        } else if text.hasPrefix("<") {
            // Declarations and comments may come first.
            let isManifest = text.contains("<mpd") || text.contains("<smoothstreamingmedia")
            let isPage = ["<!doctype html", "<html", "<head", "<body"].contains { text.contains($0) }
            self = isManifest ? .document : isPage ? .page : .media
        } else {
            self = .media
        }
    }
}

extension HTTPReader {
    /// Looks at the first bytes; the reader stands at the first of them again. Blocks; `cancel` ends that.
    public func content() throws(IOReaderError) -> WebContent {
        try open()
        let bytes = try bytes(limit: WebContent.length)
        rewind()
        return WebContent(bytes)
    }
}
