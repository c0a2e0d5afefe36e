import AetherCore
public import AetherSources

/// Subtitles that do not lie in the file: a file beside it or anywhere, or a URL.
public struct ExternalSubtitleTrack: Sendable, Equatable {
    /// The file or URL.
    public var location: MediaLocation
    /// The name; nil: the one in the file's name.
    public var name: String?
    /// ISO 639; nil: the language in the file's name.
    public var language: String?
    /// The text is needed even by people who understand the audio: foreign speech, signs.
    public var isForced = false
    /// Subtitles for the hard of hearing: sounds are described.
    public var isHearingImpaired = false
    /// The text of a commentary.
    public var isCommentary = false
    /// Shown without having been asked for.
    public var isDefault = false
    /// A libavformat demuxer that replaces the guess by content, for example "microdvd".
    public var formatHint: String?
    /// Sent to the server of a URL beside those of the load.
    public var httpHeaders: [String: String] = [:]

    /// A file or URL.
    public init(
        _ location: MediaLocation, name: String? = nil, language: String? = nil, isForced: Bool = false,
        isHearingImpaired: Bool = false, isCommentary: Bool = false, isDefault: Bool = false, formatHint: String? = nil
    ) {
        self.location = location
        self.name = name
        self.language = language
        self.isForced = isForced
        self.isHearingImpaired = isHearingImpaired
        self.isCommentary = isCommentary
        self.isDefault = isDefault
        self.formatHint = formatHint
    }
}

extension ExternalSubtitleTrack {
    /// Whether a name ends as those of subtitle files do.
    public static func isNamed(_ name: String) -> Bool {
        guard let dot = name.lastIndex(of: ".") else { return false }
        return SidecarName.extensions.contains(name[name.index(after: dot)...].lowercased())
    }

    /// A track at a place, by its name beside the video's; nil where that belongs to another one. `isInFolder`: it lies in a folder of subtitles.
    init?(_ location: MediaLocation, name file: String, beside video: String, isInFolder: Bool) {
        guard let name = SidecarName(file, video: video, isInFolder: isInFolder) else { return nil }
        self.init(
            location, name: name.title, language: name.language, isForced: name.isForced,
            isHearingImpaired: name.isHearingImpaired, isCommentary: name.isCommentary,
            // `video.srt`: a person who puts that there wants to read it.
            isDefault: name == SidecarName.plain && !isInFolder)
    }
}
