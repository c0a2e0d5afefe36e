public import AetherCore

/// An image of a TTML document (IMSC's image profile), with its times on the document's own axis.
public struct TTMLImage: Sendable, Equatable {
    /// The place of the image's file.
    public enum Source: Sendable, Equatable {
        /// The file of this number, from 0, of those behind the document in its sample.
        case sample(Int)
        /// The file itself, out of the document.
        case file([UInt8])
    }

    /// A rectangle in shares of the frame; may lie outside of it.
    public struct Box: Sendable, Equatable {
        /// The upper left corner.
        public let x, y: Double
        /// The size, which the image fills; nil where the document does not say.
        public let width, height: Double?
    }

    /// The time at which the image appears.
    public let start: MediaTime
    /// nil: until something else takes its place.
    public let end: MediaTime?
    /// Its file.
    public let source: Source
    /// Its place.
    public let box: Box
    /// Shown also to people who want no subtitles.
    public let isForced: Bool
}

/// The images that a document has in itself (SMPTE-TT: `smpte:image`, Base64), by their names. Bounded.
struct TTMLImageFiles {
    /// Images of a whole video may be some thousands; in one document they are a few.
    private static let limit = 1000
    private(set) var files: [String: [UInt8]] = [:]
    private var open: (id: String, text: [UInt8])?

    /// A tag of another namespace than TTML's.
    mutating func start(_ name: String, _ attributes: [String: String]) {
        guard name == "image", let id = attributes["id"], files.count < Self.limit, files[id] == nil else { return }
        open = (id, [])
    }

    mutating func text(_ text: String) { open?.text += text.utf8.filter { $0 > 0x20 } }

    /// A tag has ended; its text was an image's if one was open.
    mutating func end() {
        guard let (id, text) = open else { return }
        if let file = Base64Text.bytes(text) { files[id] = file }
        open = nil
    }

    /// The file behind a reference: "urn:mpeg:14496-30:subs:1" is the first one behind the document, "#name" one of the document's own.
    func source(_ reference: String) -> TTMLImage.Source? {
        if reference.hasPrefix("#") { return files[String(reference.dropFirst())].map { .file($0) } }
        let prefix = "urn:mpeg:14496-30:subs:"
        guard reference.hasPrefix(prefix), let number = Int(reference.dropFirst(prefix.count)), number > 0 else { return nil }
        return .sample(number - 1)
    }
}
