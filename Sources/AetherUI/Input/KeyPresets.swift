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
        ("1", "contrast -1"), ("2", "contrast 1"), ("3", "brightness -1"), ("4", "brightness 1"), ("5", "gamma -1"),
        ("6", "gamma 1"), ("7", "saturation -1"), ("8", "saturation 1"), ("9", "volume-down"), ("0", "volume-up"),
        ("/", "volume-down"), ("*", "volume-up"), ("Ctrl+plus", "sound-delay 0.1"),
        ("Ctrl+-", "sound-delay -0.1"),
        ("g a", "menu audio"), ("g s", "menu subtitles"), ("g v", "menu video"), ("g c", "menu chapters"), ("g p", "menu files"),
        ("g S", "next-second-subtitles"), ("g e", "menu titles"), ("g l", "subtitle-list"), ("g d", "menu devices"),
        ("g h", "browse"), ("g b", "palette"), ("g m", "menu player"),
        ("!", "chapter -1"),
        ("@", "chapter 1"), ("Shift+PgUp", "seek 600"), ("Shift+PgDn", "seek -600"), ("Shift+Up", "seek-exactly 5"),
        ("Shift+Down", "seek-exactly -5"), ("Q", "quit"), ("Ctrl+w", "quit"), ("P", "remaining"), ("I", "telemetry"),
        ("L", "repeat"), ("_", "menu video"), ("E", "menu titles"), ("W", "fit"), ("Enter", "file 1"), ("F8", "menu files"),
        ("F9", "menu audio"), ("Ctrl+s", "screen-still"), ("S", "still"), ("Del", "bar"), ("`", "palette"),
    ]

    private static let vimBindings = [
        ("h", "seek -5"), ("l", "seek 5"), ("j", "seek -60"), ("k", "seek 60"), ("H", "seek-exactly -1"), ("L", "seek-exactly 1"),
        ("g g", "start"), ("G", "end"), ("0", "start"), ("$", "end"), ("w", "chapter 1"), ("b", "chapter -1"),
        ("Ctrl+f", "seek 60"),
        ("Ctrl+b", "seek -60"), ("M", "loop"), ("n", "subtitle-step 1"), ("N", "subtitle-step -1"), ("R", "repeat"),
        ("s", "next-subtitles"), ("S", "previous-subtitles"), ("Z Z", "quit"),
        ("Z Q", "quit"),
    ]
}
