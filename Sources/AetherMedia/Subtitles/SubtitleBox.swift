public import AetherCore

/// A place apart in which subtitles are decoded and drawn. Any thread.
public protocol SubtitleBox: DecodingPlace {
    /// A process for decoders of subtitles, which is started when the first is opened. Never blocks.
    func openSubtitles() -> any BoxedSubtitles

    /// Opens a renderer of a script of ASS. Throws as `ASSRenderer`.
    func openScript(header: String, fonts: [FontAttachment]) throws(MediaError) -> any BoxedScript
}
