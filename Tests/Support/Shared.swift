public import Foundation

/// Material that lies outside the repository: `$AETHER_SHARED`, else `../shared` beside the checkout. Tests that need it are
/// skipped with a message where it is missing.
public enum Shared {
    /// The checkout that this file was compiled from.
    public static let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// `$AETHER_SHARED`; nil where it is unset or empty.
    static let named = ProcessInfo.processInfo.environment["AETHER_SHARED"].flatMap { $0.isEmpty ? nil : URL(filePath: $0) }

    /// The folder of shared material, or nil.
    public static let root: URL? = {
        let folder = named ?? checkout.deletingLastPathComponent().appending(path: "shared")
        return isDirectory(folder) ? folder : nil
    }()

    /// A file or folder in it, or nil where it is missing.
    public static func path(_ name: String) -> URL? {
        guard let url = root?.appending(path: name), FileManager.default.fileExists(atPath: url.path) else { return nil }
        return url
    }

    /// The reason that a skipped test gives.
    public static let missing = "no shared material: set AETHER_SHARED or put it in ../shared"

    private static func isDirectory(_ url: URL) -> Bool {
        var directory: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &directory) && directory.boolValue
    }
}
