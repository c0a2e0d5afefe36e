import AetherCore

/// The reason why an expression over variants is not understood, and where.
public struct PredicateFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// One sentence without a full stop, safe to display.
    public let reason: String
    /// The expression; control characters are replaced one by one, so that places stay.
    public let text: String
    /// The character at which the reason lies, from 0; the length of the text for its end.
    public let place: Int

    init(_ reason: String, in text: [Character], at place: Int) {
        self.reason = DisplayText.singleLine(reason, limit: 200)
        self.text = String(text.prefix(Self.shownLength).map { Self.isShown($0) ? $0 : "?" })
        self.place = min(max(0, place), text.count)
    }

    /// A longer expression is shown to here.
    static let shownLength = 400

    private static func isShown(_ character: Character) -> Bool {
        !character.unicodeScalars.contains(where: DisplayText.isUnsafe) && !character.isNewline && character != "\t"
    }

    /// Three lines: the reason, the expression, and a caret below the place.
    public var description: String {
        guard place <= Self.shownLength else { return reason }
        // East Asian characters take two cells of a terminal.
        let cells = text.prefix(place).map {
            $0.unicodeScalars.first.map { $0.value >= 0x1100 && !$0.isASCII && Self.isWide($0) } == true ? 2 : 1
        }
        return "\(reason)\n  \(text)\n  " + String(repeating: " ", count: cells.reduce(0, +)) + "^"
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
