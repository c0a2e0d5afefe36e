import AetherTerminal
import AetherUI

/// The bytes that a terminal sends for a key.
enum KeyBytes {
    static func of(_ stroke: KeyStroke) -> String {
        let modifier =
            (stroke.modifiers.contains(.shift) ? 1 : 0) + (stroke.modifiers.contains(.alt) ? 2 : 0)
            + (stroke.modifiers.contains(.control) ? 4 : 0)
        func letter(_ final: String) -> String { modifier == 0 ? "\u{1B}[\(final)" : "\u{1B}[1;\(modifier + 1)\(final)" }
        func numbered(_ number: Int) -> String { "\u{1B}[\(number)" + (modifier == 0 ? "~" : ";\(modifier + 1)~") }
        let meta = stroke.modifiers.contains(.alt) ? "\u{1B}" : ""
        switch stroke.key {
        case .character(let character): return meta + String(character)
        case .left: return letter("D")
        case .right: return letter("C")
        case .up: return letter("A")
        case .down: return letter("B")
        case .home: return letter("H")
        case .end: return letter("F")
        case .pageUp: return numbered(5)
        case .pageDown: return numbered(6)
        case .insert: return numbered(2)
        case .delete: return numbered(3)
        case .backspace: return meta + "\u{7F}"
        case .enter: return "\r"
        case .escape: return "\u{1B}"
        case .tab: return "\t"
        case .function(let number):
            let codes = [11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24]
            return numbered(codes[number - 1])
        }
    }
}
