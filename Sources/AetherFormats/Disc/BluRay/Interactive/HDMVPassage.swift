/// A playlist of a Blu-ray disc as its commands play it: a menu, a title or a piece of one. Pure.
public struct HDMVPassage: Sendable, Equatable {
    /// The point to begin with.
    public enum Start: Sendable, Equatable {
        /// The first frame.
        case beginning
        /// A part, from 0.
        case item(Int)
        /// A mark, from 0; others than those of chapters are counted, too.
        case mark(Int)
    }

    /// The number of the playlist's file.
    public let playlist: Int
    /// The point to begin with.
    public let start: Start
    /// The title whose commands play it: 0 is the menu of the disc, 0xFFFF its beginning.
    public let title: Int

    /// A playlist that is played from a point on.
    public init(playlist: Int, start: Start = .beginning, title: Int = 0) {
        (self.playlist, self.start, self.title) = (playlist, start, title)
    }

    /// The same playlist for the same title, whatever it begins with.
    public func isSame(as other: HDMVPassage) -> Bool { playlist == other.playlist && title == other.title }
}
