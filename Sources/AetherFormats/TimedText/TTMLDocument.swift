/// A TTML, DFXP, EBU-TT or IMSC document. W3C TTML2 and IMSC 1.1: timing, regions and the styling that text can follow, and the images of the
/// image profile; layout of boxes and rubies are left out. Bounded: depth, styles, cues.
public struct TTMLDocument: Sendable, Equatable {
    /// Sorted by start.
    public let cues: [TimedTextCue]
    /// Sorted by start.
    public let images: [TTMLImage]

    private static let byteLimit = 16 << 20

    /// Reads UTF-8. Nil for a document that is no TTML at all; a document that breaks off gives the part before the break.
    public init?(_ bytes: [UInt8]) {
        var builder = TTMLBuilder(), foreign = ForeignPrefixes(), files = TTMLImageFiles()
        var scanner = XMLScanner(bytes.count > Self.byteLimit ? Array(bytes[..<Self.byteLimit]) : bytes)
        while let token = scanner.next() {
            switch token {
            case .start(let name, let attributes, let isEmpty):
                guard builder.hasRoot || name == "tt" else { return nil }
                foreign.declare(attributes)
                let isForeign = foreign.contains(scanner.prefix)
                if isForeign { files.start(name, attributes) }
                builder.start(isForeign ? "" : name, attributes)
                if isEmpty { builder.end() }
            case .end:
                files.end()
                builder.end()
            case .text(let text):
                files.text(text)
                builder.text(text)
            }
            if builder.isFull { break }
        }
        guard builder.hasRoot else { return nil }
        let composer = TTMLComposer(builder, files)
        (cues, images) = (composer.finished, composer.images.sorted { $0.start < $1.start })
    }
}

/// Prefixes of names that are of another namespace than TTML's. `XMLScanner` leaves the prefix of attributes out, too: a declaration is one by
/// the address that it gives.
private struct ForeignPrefixes {
    private var names: Set<String> = []
    private static let limit = 64

    mutating func declare(_ attributes: [String: String]) {
        for (name, value) in attributes where value.hasPrefix("http") || value.hasPrefix("urn:") {
            if value.contains("/ttml") || value.contains("/ttaf") {
                names.remove(name)
            } else if names.count < Self.limit {
                names.insert(name)
            }
        }
    }

    func contains(_ prefix: String) -> Bool { !prefix.isEmpty && names.contains(prefix) }
}
