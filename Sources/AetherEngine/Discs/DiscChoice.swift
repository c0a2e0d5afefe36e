/// The part of a disc that is played.
public struct DiscChoice: Sendable, Equatable {
    /// The title by its number; nil: the main one.
    public var title: Int?
    /// The angle of it, from 1, where it has several.
    public var angle: Int

    /// A choice; at first the main title from its first angle.
    public init(title: Int? = nil, angle: Int = 1) { (self.title, self.angle) = (title, angle) }
}
