import AetherCore
import AetherEngine

/// A recording in a few words. Pure.
enum RecordingWords {
    /// "12:03, 45 MB": how long and how large it is by now.
    static func progress(_ recording: RecordingProgress) -> String {
        "\(Timecode.text(recording.span)), \(Figures.bytes(recording.byteCount))"
    }
}
