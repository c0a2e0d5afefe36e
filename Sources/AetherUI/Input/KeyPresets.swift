/// Sets of keys for hands that know another program. What they do not name stays as it is.
public enum KeyPreset: String, CaseIterable, Sendable {
    /// The player's own, and those of another program.
    case standard, mpv, vim

    /// Keys and actions as a file of keys would name them.
    var bindings: [(keys: String, action: String)] {
        switch self {
        case .standard: []
        case .mpv: KeyPreset.mpvBindings
        case .vim: KeyPreset.vimBindings
        }
    }

    private static let vimBindings = [
        ("h", "seek -5"), ("l", "seek 5"), ("j", "seek -60"), ("k", "seek 60"), ("H", "seek-exactly -1"), ("L", "seek-exactly 1"),
        ("g g", "start"), ("G", "end"), ("0", "start"), ("$", "end"), ("w", "chapter 1"), ("b", "chapter -1"),
        ("Ctrl+f", "seek 60"),
        ("Ctrl+b", "seek -60"), ("M", "loop"), ("n", "subtitle-step 1"), ("N", "subtitle-step -1"), ("R", "repeat"),
        ("s", "next-subtitles"), ("S", "previous-subtitles"), ("Z Z", "quit"),
        ("Z Q", "quit"),
    ]
}
