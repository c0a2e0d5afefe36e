import AetherCore

/// The meaning of a subtitle file's name: whether it belongs to a video, its language and its kind. Pure.
struct SidecarName: Equatable {
    /// ISO 639 as written, nil where the name says none.
    var language: String?
    var isForced = false
    var isHearingImpaired = false
    var isCommentary = false
    /// The rest of the name, as a title; "" for nothing.
    var title = ""

    /// Names that end so hold subtitles. `.sub` is MicroDVD or VobSub's bitmaps: its content decides; `.txt` is left out, for most are
    /// something else.
    static let extensions: Set<String> = [
        "srt", "ass", "ssa", "vtt", "sub", "idx", "sup", "smi", "sami", "ttml", "dfxp", "xml", "mpl2", "mpl", "jss", "pjs", "rt",
        "stl",
        "aqt", "scc", "sbv", "lrc",
    ]
    /// Folders beside a file in which its subtitles lie, in lower case.
    static let folders: Set<String> = ["subs", "sub", "subtitles", "subtitle", "captions", "vobsub"]

    /// Whether a name ends as those of subtitles do.
    static func isSubtitle(_ name: String) -> Bool {
        guard !name.hasPrefix("."), let dot = name.lastIndex(of: ".") else { return false }
        return extensions.contains(name[name.index(after: dot)...].lowercased())
    }

    private init() {}

    /// A name that is the video's own.
    static let plain = SidecarName()

    /// Reads a file's name; nil where it does not belong to the video. `isInFolder`: it lies in a folder of subtitles, where names without
    /// the video's are common (`2_English.srt`).
    init?(_ file: String, video: String, isInFolder: Bool = false) {
        let (stem, ending) = Self.split(file)
        guard Self.extensions.contains(ending) else { return nil }
        let base = Self.split(video).stem
        var rest = stem[...]
        if stem.lowercased().hasPrefix(base.lowercased()) {
            rest = stem.dropFirst(base.count)
            // `film2.srt` is another video's.
            guard rest.isEmpty || Self.isSeparator(rest.first) else { return nil }
        } else if !isInFolder {
            return nil
        }
        read(rest)
    }

    private mutating func read(_ rest: Substring) {
        var words: [Substring] = [], wasLanguage = false
        for part in rest.split(whereSeparator: { Self.isSeparator($0) }).prefix(16) {
            let isBehindLanguage = wasLanguage
            wasLanguage = false
            switch part.lowercased() {
            case "forced", "foreign": isForced = true
            case "sdh", "cc", "hoh": isHearingImpaired = true
            // Hindi where it is the first.
            case "hi" where language != nil: isHearingImpaired = true
            case "commentary", "comment": isCommentary = true
            case "default", "full": break
            case "simplified" where language == "zh": language = "zh-Hans"
            case "traditional" where language == "zh": language = "zh-Hant"
            default:
                if isBehindLanguage, let code = Self.joined(language, part, in: rest) {
                    language = code.tag
                } else if language == nil, let code = LanguageCode(part) {
                    language = code.tag
                    wasLanguage = true
                } else if !part.allSatisfy(\.isNumber) {
                    words.append(part)
                }
            }
        }
        title = DisplayText.singleLine(words.joined(separator: " "), limit: 60)
    }

    /// A region belongs to its language with a hyphen, `pt-BR`, or in capitals: `pt_BR`.
    private static func joined(_ language: String?, _ region: Substring, in rest: Substring) -> LanguageCode? {
        guard let language, region.startIndex > rest.startIndex else { return nil }
        let separator = rest[rest.index(before: region.startIndex)]
        guard separator == "-" || separator == "_" && region.allSatisfy(\.isUppercase) else { return nil }
        return LanguageCode("\(language)-\(region)")
    }

    /// Whether a sidecar's name begins with a video's, and how much of it that is; nil for no.
    static func share(of video: String, in file: String) -> Int? {
        let stem = split(file).stem.lowercased(), base = split(video).stem.lowercased()
        guard !base.isEmpty, stem.hasPrefix(base) else { return nil }
        let rest = stem.dropFirst(base.count)
        return rest.isEmpty || isSeparator(rest.first) ? base.count : nil
    }

    private static func isSeparator(_ character: Character?) -> Bool {
        guard let character else { return false }
        return ". _-[]()".contains(character)
    }

    static func split(_ name: String) -> (stem: String, ending: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (name, "") }
        return (String(name[..<dot]), name[name.index(after: dot)...].lowercased())
    }
}
