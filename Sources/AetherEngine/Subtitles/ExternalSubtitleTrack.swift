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

    /// The tracks of files that lie beside a video of which nothing but names is known, in natural order, 32 at most. A name that belongs to another
    /// video is left out; of VobSub's pairs of files there is the index. `location` says where a file is; nil: nowhere.
    public static func sidecars(of video: String, among names: [String], location: (String) -> MediaLocation?)
        -> [ExternalSubtitleTrack]
    {
        let indices = Set(names.map { $0.lowercased() }.filter { $0.hasSuffix(".idx") }.map { $0.dropLast(4) })
        let others = names.filter { $0 != video && DirectoryListing.isMediaName($0) }
        let found = NaturalOrder.order(of: names).map { names[$0] }.filter { name in
            let lower = name.lowercased()
            guard isNamed(name), !(lower.hasSuffix(".sub") && indices.contains(lower.dropLast(4))),
                let share = SidecarName.share(of: video, in: name)
            else { return false }
            return !others.contains { (SidecarName.share(of: $0, in: name) ?? 0) > share }
        }
        return found.prefix(32).compactMap { name in
            location(name).flatMap { ExternalSubtitleTrack($0, name: name, beside: video, isInFolder: false) }
        }
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
