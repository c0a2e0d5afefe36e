@testable import AetherUI

extension ThemeParser {
    /// A theme in which every name is known.
    static func strictly(_ text: String, file: String) throws(ConfigError) -> Theme {
        var report = ConfigReport()
        let theme = try parse(text, file: file, &report)
        if let warning = report.warnings.first { throw warning }
        return theme
    }
}

extension ThemeLibrary {
    /// A theme in which every name is known.
    func theme(_ name: String) throws(ConfigError) -> Theme {
        var report = ConfigReport()
        let theme = try load(name, &report)
        if let warning = report.warnings.first { throw warning }
        return theme
    }
}

extension Settings {
    /// Settings of a file without faults.
    init(strictly text: String, commandLine: [String]) throws(ConfigError) {
        var report = ConfigReport()
        self.init(try TOMLDocument(text, file: "config.toml"), commandLine: commandLine, &report)
        if let fault = (report.warnings + report.errors).first { throw fault }
    }
}

extension KeysFile {
    /// The keymap of a file without faults.
    static func strictly(_ text: String) throws(ConfigError) -> Keymap {
        var report = ConfigReport()
        let map = keymap(try TOMLDocument(text, file: "keys.toml"), &report)
        if let fault = (report.warnings + report.errors).first { throw fault }
        return map
    }
}
