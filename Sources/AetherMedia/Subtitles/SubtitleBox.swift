public import AetherCore

/// A place apart in which subtitles are decoded and drawn, and texts looked at. Any thread.
public protocol SubtitleBox: DecodingPlace {
    /// A process for decoders of subtitles, which is started when the first is opened. Never blocks.
    func openSubtitles() -> any BoxedSubtitles

    /// Opens a renderer of a script of ASS. Throws as `ASSRenderer`.
    func openScript(header: String, fonts: [FontAttachment]) throws(MediaError) -> any BoxedScript

    /// As `CharacterSetGuess.here`; what comes back may be any text. nil also where it cannot be had. Blocks, for some seconds at most.
    func characterSet(of text: [UInt8]) -> String?
}
