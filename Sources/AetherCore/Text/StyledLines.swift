/// Collects characters with their looks and makes lines of them that are safe to display: controls left out, white space
/// reduced, empty lines left out, bounded in length and number.
public struct StyledLines: Sendable {
    /// 500 characters a line and 16 lines: `DisplayText` has the same bounds.
    private static let lineLength = 500
    private static let lineLimit = 16

    private var runs: [(look: SubtitleTextRun, text: String.UnicodeScalarView)] = []
    /// Of the line that is being written.
    private var length = 0
    private var lineCount = 0
    private var owesSpace = false
    private var owesBreak = false
    private var isCut = false

    /// An empty text.
    public init() {}

    /// True where no more lines are taken.
    public var isFull: Bool { lineCount >= Self.lineLimit }

    /// Adds one scalar; line breaks and white space are recognised.
    public mutating func append(_ scalar: Unicode.Scalar, _ look: SubtitleTextRun) {
        guard !isFull else { return }
        switch scalar.value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029:
            if length > 0 {
                lineCount += 1
                owesBreak = true
            }
            (length, owesSpace, isCut) = (0, false, false)
        case 0x20, 0x09, 0xA0:
            owesSpace = length > 0
        default:
            if DisplayText.isUnsafe(scalar) || isCut { return }
            if owesBreak { put("\n", look) }
            if owesSpace {
                put(" ", look)
                length += 1
            }
            (owesBreak, owesSpace) = (false, false)
            length += 1
            isCut = length > Self.lineLength
            put(isCut ? "…" : scalar, look)
        }
    }

    private mutating func put(_ scalar: Unicode.Scalar, _ look: SubtitleTextRun) {
        if runs.last?.look != look { runs.append((look, String.UnicodeScalarView())) }
        runs[runs.count - 1].text.append(scalar)
    }

    /// The text with its looks; nil for none.
    public var body: SubtitleCue.Body? {
        if runs.isEmpty { return nil }
        if runs.allSatisfy({ $0.look.isPlain }) { return .text(runs.map { String($0.text) }.joined()) }
        return .richText(
            runs.map { run in
                let look = run.look
                return SubtitleTextRun(
                    String(run.text), color: look.color, isBold: look.isBold, isItalic: look.isItalic,
                    isUnderlined: look.isUnderlined, isStruckThrough: look.isStruckThrough, fontName: look.fontName,
                    fontSize: look.fontSize)
            })
    }
}
