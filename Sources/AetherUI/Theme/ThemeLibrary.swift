import AetherCore
import Foundation

/// Where themes are found.
public enum ThemeLibrary {
    /// The theme of a name or a file. A name with a slash or ending in .toml is a file; other names are looked for as
    /// NAME.toml in the given directories, in order; "default" needs no file. Reads a file: may block.
    public static func load(_ name: String, directories: [String]) throws(ThemeError) -> Theme {
        if name.contains("/") || name.hasSuffix(".toml") { return try read(name) }
        for directory in directories {
            let path = directory + "/" + name + ".toml"
            if FileManager.default.fileExists(atPath: path) { return try read(path) }
        }
        if name == Theme.standard.name { return .standard }
        throw ThemeError(
            file: name,
            reason:
                "no such theme in \(directories.isEmpty ? "any directory" : directories.joined(separator: ", ")); name a .toml file"
        )
    }

    /// The usual directories: the person's own, then the system's.
    public static func directories(environment: [String: String], installPrefix: String?) -> [String] {
        var result: [String] = []
        if let config = environment["XDG_CONFIG_HOME"], config.hasPrefix("/") {
            result.append(config + "/aether-tui/themes")
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            result.append(home + "/.config/aether-tui/themes")
        }
        if let installPrefix { result.append(installPrefix + "/share/aether-tui/themes") }
        return result + ["/usr/local/share/aether-tui/themes", "/usr/share/aether-tui/themes"]
    }

    private static func read(_ path: String) throws(ThemeError) -> Theme {
        let bytes: Data
        do {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            // One byte more than allowed tells a file that is too large from one that just fits.
            bytes = try handle.read(upToCount: ThemeParser.sizeLimit + 1) ?? Data()
        } catch {
            throw ThemeError(file: path, reason: "cannot be read: \(error.localizedDescription)")
        }
        guard let text = String(bytes: bytes, encoding: .utf8) else { throw ThemeError(file: path, reason: "is not UTF-8 text") }
        return try ThemeParser.parse(text, file: path)
    }
}
