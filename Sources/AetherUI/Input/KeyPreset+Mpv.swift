extension KeyPreset {
    /// mpv's own map, as far as there is something to bind. What has no counterpart means nothing here, and is told in aether-tui-keys(5).
    static let mpvBindings = [
        ("1", "contrast -1"), ("2", "contrast 1"), ("3", "brightness -1"), ("4", "brightness 1"), ("5", "gamma -1"),
        ("6", "gamma 1"), ("7", "saturation -1"), ("8", "saturation 1"), ("9", "add volume -2"), ("0", "add volume 2"),
        ("/", "add volume -2"), ("*", "add volume 2"), ("Ctrl+plus", "audio-delay 0.1"), ("Ctrl+-", "audio-delay -0.1"),
        ("g a", "menu audio"), ("g s", "menu subtitles"), ("g v", "menu video"), ("g c", "menu chapters"), ("g p", "menu files"),
        ("g S", "next-second-subtitles"), ("g e", "menu titles"), ("g D", "disc-menu open"), ("g u", "disc-menu parent"),
        ("g l", "subtitle-list"), ("g d", "menu devices"),
        ("g h", "browse"), ("g b", "palette"), ("g m", "menu player"), ("g t", "theme"),
        ("!", "chapter -1"), ("@", "chapter 1"), ("Shift+PgUp", "seek 600"), ("Shift+PgDn", "seek -600"),
        ("Shift+Up", "seek-exactly 5"), ("Shift+Down", "seek-exactly -5"), ("Q", "quit"), ("Ctrl+w", "quit"),
        ("Ctrl+Shift+Left", "subtitle-align -1"), ("Ctrl+Shift+Right", "subtitle-align 1"), ("Shift+Backspace", "revert-seek"),
        ("Ctrl+Shift+Backspace", "mark-place"), ("Z", "subtitle-delay 0.1"), ("t", "subtitle-lift -1"), ("R", "subtitle-lift -1"),
        ("Alt+v", "second-subtitles"), ("u", "cycle subtitle-override"), ("V", "none"),
        ("d", "cycle deinterlace"), ("w", "add panscan -0.1"), ("W", "add panscan 0.1"), ("e", "add panscan 0.1"), ("f", "fit"),
        ("T", "none"), ("o", "progress"), ("P", "progress"), ("O", "bar-stays"), ("i", "telemetry-glance"), ("I", "telemetry"),
        ("L", "repeat-file"), ("_", "next-video"), ("E", "next-title"), ("Enter", "file 1"), ("F8", "menu files"), ("F9", "info"),
        ("s", "still"), ("S", "still"), ("Ctrl+s", "screen-still"), ("Del", "bar"), ("`", "palette"),
    ]
}
