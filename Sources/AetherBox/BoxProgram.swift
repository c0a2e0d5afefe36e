import AetherCore

/// The place of the program in the box.
public enum BoxProgram {
    /// Its name.
    public static let name = "aether-decoder"

    /// Beside our own program, or in the folder of such programs of the same installation; nil: not installed. Never by PATH: what decodes in
    /// our place must be ours. Blocks on the file system.
    public static func find() -> String? { ChildProgram.ours(name) }
}
