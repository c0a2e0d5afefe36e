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
}
