import AetherEngine
import Foundation

/// The signs of the chrome, in Unicode or in ASCII.
struct Glyphs {
    let isUnicode: Bool

    /// What marks cut text.
    var ellipsis: String { isUnicode ? "…" : "..." }

    /// The state of playback, always two cells. None of the signs is one that terminals draw as a wide emoji.
    func state(_ phase: PlaybackPhase, wantsToPlay: Bool) -> String {
        switch phase {
        case .error: "! "
        case .ended: isUnicode ? "■ " : "[]"
        case .seeking: isUnicode ? "» " : ">>"
        case .idle, .loading, .rebuffering: isUnicode ? "… " : ".."
        case .playing, .paused: wantsToPlay ? (isUnicode ? "▶ " : "> ") : (isUnicode ? "▮▮" : "||")
        }
    }

    /// A text that this terminal can show. Unicode: accents joined to their letters, for a cell holds one scalar and file
    /// names from macOS keep them apart. ASCII: letters without their accents, "?" for what has no likeness.
    func shown(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        if isUnicode {
            let hasMarks = text.unicodeScalars.contains { $0.properties.canonicalCombiningClass != .notReordered }
            return hasMarks ? text.precomposedStringWithCanonicalMapping : text
        }
        var result = ""
        for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars {
            if scalar.isASCII {
                result.unicodeScalars.append(scalar)
            } else if scalar.properties.canonicalCombiningClass == .notReordered {
                result += Glyphs.likeness[scalar] ?? "?"
            }
        }
        return result
    }

    private static let likeness: [Unicode.Scalar: String] = [
        "×": "x", "→": ">", "…": "...", "–": "-", "—": "-", "‘": "'", "’": "'", "“": "\"", "”": "\"", "„": "\"", "«": "\"", "»": "\"",
        "ß": "ss", "æ": "ae", "Æ": "AE", "ø": "o", "Ø": "O", "œ": "oe", "Œ": "OE", "ł": "l", "Ł": "L", "đ": "d", "ı": "i",
        "þ": "th", "ð": "d", "·": ".", "•": "*", "♪": "#", "♫": "#", "\u{2009}": " ", "\u{202F}": " ", "\u{A0}": " ",
    ]
}
