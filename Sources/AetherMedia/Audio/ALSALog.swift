import AetherCore
import CALSA

/// Sends ALSA's messages into the log. Without it libasound writes them to stderr, onto the screen.
enum ALSALog {
    /// Evaluated once per process.
    static let install: Void = calsa_set_error_sink { text in
        Log.shared.add(.warning, "alsa", String(cString: text))
    }
}
