import AetherEngine
import AetherTerminal

/// The signs of the chrome, in Unicode or in ASCII.
struct Glyphs {
    let isUnicode: Bool

    /// The mark of cut text.
    var ellipsis: String { isUnicode ? "…" : "..." }

    /// The state of playback, always two cells. None of the signs is one that terminals draw as a wide emoji.
    func state(_ phase: PlaybackPhase, wantsToPlay: Bool) -> String {
        switch phase {
        case .error: "! "
        case .ended: isUnicode ? "■ " : "[]"
        case .seeking: isUnicode ? "» " : ">>"
        case .idle, .loading, .rebuffering, .stalled: isUnicode ? "… " : ".."
        case .playing, .paused: wantsToPlay ? (isUnicode ? "▶ " : "> ") : (isUnicode ? "▍▍" : "||")
        }
    }

    /// A text that this terminal can show. Unicode: accents joined to their letters, for a cell holds one scalar and file
    /// names from macOS keep them apart. ASCII: letters without their accents, "?" for what has no likeness.
    func shown(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        if isUnicode {
            let hasMarks = text.unicodeScalars.contains { $0.properties.canonicalCombiningClass != .notReordered }
            return hasMarks ? CanonicalText.composed(text) : text
        }
        var result = ""
        for scalar in CanonicalText.decomposed(text).unicodeScalars {
            if scalar.isASCII {
                result.unicodeScalars.append(scalar)
            } else if scalar.properties.canonicalCombiningClass == .notReordered {
                result += Glyphs.likeness[scalar] ?? "?"
            }
        }
        return result
    }

    /// A text that this terminal can show, cut to so many columns, in the order in which it is read: most terminals draw what runs from
    /// right to left as it is stored.
    func line(_ label: String, to room: Int) -> String {
        let text = shown(label), room = max(0, room)
        let clipped = ChromeText.clipped(text, to: room, ellipsis: ellipsis)
        if room == 0 || text.utf8.allSatisfy({ $0 < 0x80 }) { return clipped }
        let lines = TextLayout.lines([text], width: room)
        guard let line = lines.first, lines.count > 1 || line.isRightToLeft || line.text != text else { return clipped }
        if lines.count == 1 { return line.text }
        guard line.isRightToLeft else { return clipped }
        return ellipsis + (TextLayout.lines([text], width: max(1, room - 1)).first?.text ?? "")
    }

    private static let likeness: [Unicode.Scalar: String] = [
        "×": "x", "→": ">", "…": "...", "–": "-", "—": "-", "‘": "'", "’": "'", "“": "\"", "”": "\"", "„": "\"", "«": "\"",
        "»": "\"",
        "ß": "ss", "æ": "ae", "Æ": "AE", "ø": "o", "Ø": "O", "œ": "oe", "Œ": "OE", "ł": "l", "Ł": "L", "đ": "d", "ı": "i",
        "þ": "th", "ð": "d", "·": ".", "•": "*", "♪": "#", "♫": "#", "\u{2009}": " ", "\u{202F}": " ", "\u{A0}": " ",
    ]
}
