import AetherCore

/// A file that was played before, for the top of the browser.
public struct RecentFile: Sendable, Equatable {
    /// A path or URL, as the command line takes it.
    public let location: String
    /// The name that a person gives it; made safe to display.
    public let title: String

    /// A file. `title`: "" for the last part of the location.
    public init(location: String, title: String = "") {
        self.location = location
        let name = location.split(separator: "/").last.map(String.init) ?? location
        self.title = DisplayText.singleLine(title.isEmpty ? name : title, limit: 200)
    }
}
