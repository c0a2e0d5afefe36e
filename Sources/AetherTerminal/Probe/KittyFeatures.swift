/// The parts of the kitty graphics protocol that a program has and that cannot be asked for without sending an image.
public enum KittyFeatures {
    /// One part of the protocol.
    public enum Feature: Sendable, Hashable {
        /// Rectangles of a frame can be changed in place (`a=f`, `r=1`).
        case frameEdits
        /// `N=1`: not for the disk cache.
        case transient
        /// `U=1`: images hang on characters, the only way to place them inside tmux.
        case placeholders
    }

    /// The features of each program.
    public static let table: [ProgramFact<Feature>] = [
        ProgramFact("kitty", .from("0.20"), .frameEdits, source: "kitty changelog, 0.20.0: animation"),
        ProgramFact("kitty", .from("0.28"), .placeholders, source: "kitty graphics protocol, Unicode placeholders: since 0.28.0"),
        ProgramFact("kitty", .from("0.48"), .transient, source: "kitty changelog, 0.48.0: transient usage hint"),
        ProgramFact("ghostty", .all, .placeholders, source: "ghostty terminal/kitty/graphics_unicode.zig, since 1.0"),
        ProgramFact("ghostty", .from("1.3"), .frameEdits, source: "ghostty terminal/kitty/graphics_animation.zig, not in 1.2"),
    ]

    /// The known features of a terminal.
    public static func features(of identity: TerminalIdentity) -> Set<Feature> {
        Set(table.filter { $0.holds(for: identity) }.map(\.value))
    }
}
