public import AetherCore

/// The place of the player in the list of files.
public struct PlaylistPosition: Sendable, Equatable {
    /// From 0.
    public var index: Int
    /// The number of files.
    public var count: Int
    /// The file's name as shown when it has no title, safe to display.
    public var name: String
    /// The title that the list gives it, "" where it gives none; goes before the file's own title.
    public var title: String
    /// The path as it was given, or the address of what lies in a listed folder of a web server; "" for all else. Not safe to display.
    public var path: String
    /// The scheme by which it comes over a network, "" for a local file; not safe to display.
    public var scheme: String
    /// The part that is played again by itself.
    public var repeats: RepeatMode
    /// The order is random.
    public var isShuffled: Bool
    /// The number of files behind it that were asked for as the next.
    public var queued: Int
    /// The channel of a list that it is; nil: it is none.
    var channel: ChannelTicket?

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
