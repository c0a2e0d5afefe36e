import CLinux

/// Gives files another name.
public enum FileRename {
    /// Renames a file where nothing has the new name, which is never replaced. Returns 0, or the system's number, negative. Blocks on the file
    /// system.
    public static func toNew(_ old: String, _ new: String) -> Int32 {
        clinux_rename_new(PathText.cString(old), PathText.cString(new))
    }
}
