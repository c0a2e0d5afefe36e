/// Sets of keys for hands that know another program. What they do not name stays as it is.
enum KeyPreset: String, CaseIterable {
    case standard, mpv, vim

    /// Keys and actions as a file of keys would name them.
    var bindings: [(keys: String, action: String)] {
        switch self {
        case .standard: []
        case .mpv: KeyPreset.mpvBindings
        case .vim: KeyPreset.vimBindings
        }
    }

    /// mpv's own map, as far as there is something to bind.
    private static let mpvBindings = [
        ("9", "volume-down"), ("0", "volume-up"), ("*", "volume-up"), ("Ctrl+plus", "sound-delay 0.1"),
        ("Ctrl+-", "sound-delay -0.1"),
        ("g a", "menu audio"), ("g s", "menu subtitles"), ("g v", "menu video"), ("g c", "menu chapters"), ("g p", "menu files"),
        ("!", "chapter -1"),
        ("@", "chapter 1"), ("Shift+PgUp", "seek 600"), ("Shift+PgDn", "seek -600"), ("Shift+Up", "seek-exactly 5"),
        ("Shift+Down", "seek-exactly -5"), ("Q", "quit"), ("Ctrl+w", "quit"), ("P", "remaining"), ("I", "telemetry"),
    ]

    private static let vimBindings = [
        ("h", "seek -5"), ("l", "seek 5"), ("j", "seek -60"), ("k", "seek 60"), ("H", "seek-exactly -1"), ("L", "seek-exactly 1"),
        ("g g", "start"), ("G", "end"), ("0", "start"), ("$", "end"), ("w", "chapter 1"), ("b", "chapter -1"),
        ("Ctrl+f", "seek 60"),
        ("Ctrl+b", "seek -60"), ("M", "loop"), ("s", "next-subtitles"), ("S", "previous-subtitles"), ("Z Z", "quit"),
        ("Z Q", "quit"),
    ]
}
