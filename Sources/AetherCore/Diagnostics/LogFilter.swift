/// The lines of the log that are wanted: those of a level and above, and for some parts of the program of another one, or none.
public struct LogFilter: Sendable, Equatable {
    /// The least level of all parts but those that are named; nil: none of their lines.
    public var level: LogLevel?
    /// The least levels of single parts; nil: none of its lines.
    public var parts: [String: LogLevel?]

    /// The parts of the program that write lines.
    public static let names = [
        "aether-tui", "aetherctl", "alsa", "app", "audio", "chrome", "cover", "demux", "disc", "download", "engine", "ffmpeg",
        "glance",
        "guide", "history", "inhibit", "inspect", "keyring",
        "lyrics", "memory", "mpris", "net", "page", "present", "previews", "record", "serve", "stderr", "subtitles", "telemetry",
        "terminal",
        "themes", "time-shift", "video", "web-list",
    ]

    /// A filter.
    public init(_ level: LogLevel? = .info, parts: [String: LogLevel?] = [:]) { (self.level, self.parts) = (level, parts) }

    /// As a person writes it: levels with commas between them, each for all parts, or for one: `warning,net=verbose,terminal=off`. nil for
    /// anything else.
    public init?(_ text: String) {
        self.init()
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            let sides = word.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
            guard let last = sides.last, let level = LogFilter.level(last) else { return nil }
            switch sides.count {
            case 1: self.level = level
            case 2 where LogFilter.names.contains(sides[0]): parts[sides[0]] = .some(level)
            default: return nil
            }
        }
    }

    /// Whether a line of that level, of that part, is wanted.
    public func takes(_ level: LogLevel, of part: String) -> Bool {
        guard let least = parts[part] ?? self.level else { return false }
        return level >= least
    }

    /// nil for no word of a level, .some(nil) for `off`.
    private static func level(_ word: String) -> LogLevel?? {
        switch word {
        case "verbose": .some(.verbose)
        case "info": .some(.info)
        case "warning": .some(.warning)
        case "error": .some(.error)
        case "off": .some(nil)
        default: nil
        }
    }
}
