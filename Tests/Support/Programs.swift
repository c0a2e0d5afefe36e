public import Foundation

/// The built programs, which the build puts beside the test bundle; `$AETHER_BIN` names another folder.
public enum Programs {
    /// The folder where programs and test bundle lie.
    public static let folder: URL = {
        if let named = ProcessInfo.processInfo.environment["AETHER_BIN"] { return URL(filePath: named) }
        let arguments = CommandLine.arguments
        if let at = arguments.firstIndex(of: "--test-bundle-path"), at + 1 < arguments.count {
            return URL(filePath: arguments[at + 1]).deletingLastPathComponent()
        }
        return URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    }()

    /// `aether-tui`, or nil where it was not built.
    public static let player = find("aether-tui")

    /// `aetherctl`, or nil where it was not built.
    public static let control = find("aetherctl")

    /// The demo clip, or nil where it was not made.
    public static let demo: String? = {
        let path = Shared.checkout.appending(path: "demo/demo.mkv").path
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }()

    /// The reason that a skipped test gives.
    public static let missing = "the programs are not built: run make test"

    private static func find(_ name: String) -> String? {
        let path = folder.appending(path: name).path
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }
}
