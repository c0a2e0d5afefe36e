/// A TTML, DFXP, EBU-TT or IMSC text document. W3C TTML2 and IMSC 1.1 (text profile): timing, regions and the styling that text
/// can follow; layout of boxes, rubies and pictures are left out. Bounded: depth, styles, cues.
public struct TTMLDocument: Sendable, Equatable {
    /// Sorted by start.
    public let cues: [TimedTextCue]

    private static let byteLimit = 16 << 20

    /// Reads UTF-8. Nil for what is no TTML at all; a document that breaks off gives what was read.
    public init?(_ bytes: [UInt8]) {
        var builder = TTMLBuilder()
        var scanner = XMLScanner(bytes.count > Self.byteLimit ? Array(bytes[..<Self.byteLimit]) : bytes)
        while let token = scanner.next() {
            switch token {
            case .start(let name, let attributes, let isEmpty):
                guard builder.hasRoot || name == "tt" else { return nil }
                builder.start(name, attributes)
                if isEmpty { builder.end() }
            case .end: builder.end()
            case .text(let text): builder.text(text)
            }
            if builder.isFull { break }
        }
        guard builder.hasRoot else { return nil }
        cues = builder.finished
    }
}
