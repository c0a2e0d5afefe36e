public import AetherCore

/// Where in the list of files the player is.
public struct PlaylistPosition: Sendable, Equatable {
    /// From 0.
    public var index: Int
    /// The number of files.
    public var count: Int
    /// The file's name as shown when it has no title, safe to display.
    public var name: String
    /// What the list calls it, "" where it says nothing; goes before the file's own title.
    public var title: String
    /// Its path as it was given, "" for what is no file; not safe to display.
    public var path: String
    /// By which way it comes over a network, "" for what does not; not safe to display.
    public var scheme: String
    /// What is played again by itself.
    public var repeats: RepeatMode
    /// The order is one that nobody knows.
    public var isShuffled: Bool
    /// How many files behind it were asked for as the next.
    public var queued: Int

    /// A position.
    public init(
        index: Int = 0, count: Int = 1, name: String = "", title: String = "", path: String = "", scheme: String = "",
        repeats: RepeatMode = .off, isShuffled: Bool = false, queued: Int = 0
    ) {
        (self.repeats, self.isShuffled, self.queued) = (repeats, isShuffled, queued)
        self.path = path
        self.scheme = scheme
        self.index = index
        self.count = count
        self.name = DisplayText.singleLine(name)
        self.title = DisplayText.singleLine(title, limit: 200)
    }
}
