import AetherCore
import AetherOptions
import FoundationEssentials

/// The theme files: files NAME.toml in a few directories, of which an earlier one goes before a later one.
public struct ThemeLibrary: Sendable {
    /// Paths, in the order of the search.
    public let directories: [String]

    /// A library in these directories; nothing is read yet.
    public init(directories: [String]) { self.directories = directories }

    /// The usual directories: the person's own, then the system's. `program` is where the program lies: beside PREFIX/bin there is
    /// PREFIX/share, and a checkout that it was built in has its own.
    public init(environment: [String: String], program: String?) {
        var directories: [String] = []
        if let config = environment["XDG_CONFIG_HOME"], config.hasPrefix("/") {
            directories.append(config + "/aether-tui/themes")
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            directories.append(home + "/.config/aether-tui/themes")
        }
        let parts = program?.split(separator: "/") ?? []
        if parts.dropLast().last == "bin" {
            directories.append("/" + parts.dropLast(2).joined(separator: "/") + "/share/aether-tui/themes")
        } else if let build = parts.lastIndex(where: { $0.hasPrefix(".build") }) {
            directories.append("/" + parts[..<build].joined(separator: "/") + "/themes")
        }
        self.init(directories: directories + ["/usr/local/share/aether-tui/themes", "/usr/share/aether-tui/themes"])
    }

    /// The names of the themes that come with the player.
    static let shipped = [
        "default", "contrast", "daylight", "ember", "fjord", "moss", "paper", "phosphor", "picture", "plum", "terminal",
    ]

    /// The theme of a name or a file. A name with a slash or ending in .toml is a file; "default" needs none. Names in it that are not known
    /// are left out, and told in the report. Reads a file: may block.
    public func load(_ name: String, _ report: inout ConfigReport) throws(ConfigError) -> Theme {
        if let path = file(of: name) {
            guard let document = try TOMLDocument(path: path) else {
                throw ConfigError(file: path, reason: translated("no such file"))
            }
            return try ThemeParser.theme(document, &report)
        }
        if name == Theme.standard.name { return .standard }
        let advice = ConfigError.suggestion(for: name, among: names())
        let places = directories.isEmpty ? translated("any directory") : directories.joined(separator: ", ")
        throw ConfigError(file: name, reason: translated("no such theme in \(places); name a .toml file") + advice)
    }

    /// The file of a theme; nil where there is none of that name. Asks the file system.
    public func file(of name: String) -> String? {
        if name.contains("/") || name.hasSuffix(".toml") { return HomePath.expanded(name) }
        return directories.map { $0 + "/" + name + ".toml" }.first { FileManager.default.fileExists(atPath: $0) }
    }

    /// The names of all themes, "default" first, at most 200. Reads directories: may block.
    public func names() -> [String] {
        var found: Set<String> = []
        for directory in directories {
            // A directory that is not there holds no themes.
            let files = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
            for file in files where file.hasSuffix(".toml") { found.insert(String(file.dropLast(5))) }
        }
        found.remove(Theme.standard.name)
        return [Theme.standard.name] + found.sorted().prefix(199)
    }
}
