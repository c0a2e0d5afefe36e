import AetherCore

/// One line of a diagnosis: a part of the machine, and how it stands with it.
public struct Finding: Sendable, Equatable {
    /// How it stands.
    public enum State: String, Sendable, CaseIterable {
        /// The part is there and does what it is for.
        case works
        /// The part is not there.
        case missing
        /// The part is there, and is not as it should be.
        case wrong

        /// The state in the language of the person.
        var words: String {
            switch self {
            case .works: translated("works", context: "doctor")
            case .missing: translated("missing", context: "doctor")
            case .wrong: translated("wrong", context: "doctor")
            }
        }
    }

    /// The group that it belongs to, such as "audio".
    public let area: String
    /// Its name, such as "yt-dlp".
    public let name: String
    /// How it stands.
    public let state: State
    /// Whether the player is less than whole without it. What is only useful may be missing in a healthy machine.
    public let isNeeded: Bool
    /// The finding in a few words, or the feature that does not work without the thing.
    public let detail: String
    /// The command that mends it; nil where there is nothing to mend, or no command for it.
    public let remedy: String?

    /// A finding.
    public init(
        _ area: String, _ name: String, _ state: State, needed: Bool = true, _ detail: String, remedy: String? = nil
    ) {
        (self.area, self.name, self.state) = (area, name, state)
        (self.isNeeded, self.detail, self.remedy) = (needed, detail, remedy)
    }

    /// Whether it stands in the way of playing.
    public var isTrouble: Bool { state == .wrong || state == .missing && isNeeded }

    /// The name in the language of the person, where it is a word and not the name of a program or a library.
    var title: String {
        switch name {
        case "terminal": translated("terminal", context: "doctor")
        case "video": translated("video", context: "doctor")
        case "audio device": translated("audio device", context: "doctor")
        case "sound server": translated("sound server", context: "doctor")
        case "ALSA plugin": translated("ALSA plugin", context: "doctor")
        case "decoders": translated("decoders", context: "doctor")
        case "fonts": translated("fonts", context: "doctor")
        case "shares": translated("shares", context: "doctor")
        case "drives": translated("drives", context: "doctor")
        case "box": translated("box", context: "doctor")
        case "state": translated("state", context: "doctor")
        case "cache": translated("cache", context: "doctor")
        case "settings": translated("settings", context: "doctor")
        default: name
        }
    }
}
