/// The part of a disc that is played.
public struct DiscChoice: Sendable, Equatable {
    /// The title by its number; nil: the main one.
    public var title: Int?
    /// The angle of it, from 1, where it has several.
    public var angle: Int
    /// Images are looked at for a disc; false: they are played as what a demuxer takes them for.
    public var isLookedFor: Bool

    /// A choice; at first the main title from its first angle.
    public init(title: Int? = nil, angle: Int = 1, isLookedFor: Bool = true) {
        (self.title, self.angle, self.isLookedFor) = (title, angle, isLookedFor)
    }
}
