import AetherCore
import AetherTerminal
import TOMLKit

/// Theme files: TOML with a `name`, a table `[colors]` of the few colours that all roles are made of, and a table `[roles.<role>]` for each
/// role that shall differ from what follows from them, with `foreground`, `background` ("#rrggbb", 0 … 255 for a palette entry, "default",
/// or the name of a colour) and `style` (a list of "bold", "dim", "italic", "underline"). `follows = "picture"` takes hues from the video.
public enum ThemeParser {
    /// Parses the text of a theme; `file` names it in errors and, without its suffix, the theme where it has no name itself. Names that
    /// are not known are left out, and told in the report. Throws what is wrong otherwise.
    public static func parse(_ text: String, file: String, _ report: inout ConfigReport) throws(ConfigError) -> Theme {
        try theme(TOMLDocument(text, file: file), &report)
    }

    static func theme(_ document: TOMLDocument, _ report: inout ConfigReport) throws(ConfigError) -> Theme {
        var reader = Reader(document: document)
        defer { for warning in reader.warnings { report.warn(warning) } }
        return try reader.theme()
    }
}

private struct Reader {
    let document: TOMLDocument
    /// Names that are not known.
    private(set) var warnings: [ConfigError] = []

    init(document: TOMLDocument) { self.document = document }

    mutating func theme() throws(ConfigError) -> Theme {
        let file = document.file, table = document.table
        let fileName = file.split(separator: "/").last.map(String.init) ?? file
        let colors = try colors(table["colors"])
        var theme = Theme(name: fileName.hasSuffix(".toml") ? String(fileName.dropLast(5)) : fileName, colors: colors)
        for key in table.keys {
            guard let value = table[key] else { continue }
            switch key {
            case "name":
                guard let name = value.string else { throw error([key], translated("is a text, for example \"night\"")) }
                theme.name = DisplayText.singleLine(name, limit: 60)
            case "roles":
                guard let roles = value.table else {
                    throw error([key], translated("is a table: write [roles.bar] and the like"))
                }
                for name in roles.keys { try read(roles[name], role: name, colors, into: &theme) }
            case "colors": break
            case "follows":
                guard value.string == "picture" else {
                    let near = value.string.map { ConfigError.suggestion(for: $0, among: ["picture"]) } ?? ""
                    throw error([key], translated("is \"picture\", or left out") + near)
                }
                theme.followsVideo = true
            default:
                let near = ConfigError.suggestion(for: key, among: ["name", "colors", "roles", "follows"])
                warn([key], translated("is not known; a theme has name, colors, roles and follows") + near)
            }
        }
        return theme
    }

    private mutating func colors(_ value: (any TOMLValueConvertible)?) throws(ConfigError) -> ThemeColors {
        var colors = ThemeColors.standard
        guard let value else { return colors }
        guard let table = value.table else { throw error(["colors"], translated("is a table: write [colors]")) }
        let names = ThemeColor.allCases.map(\.rawValue)
        for key in table.keys {
            guard let value = table[key] else { continue }
            guard let name = ThemeColor(rawValue: key) else {
                let near = ConfigError.suggestion(for: key, among: names)
                let all = translated("; there are: ") + names.joined(separator: ", ")
                warn(["colors", key], translated("is not a colour") + (near.isEmpty ? all : near))
                continue
            }
            colors[name] = try color(value, ["colors", key], nil)
        }
        return colors
    }

    private mutating func read(
        _ value: (any TOMLValueConvertible)?, role name: String, _ colors: ThemeColors, into theme: inout Theme
    ) throws(ConfigError) {
        guard let role = ThemeRole(rawValue: name) else {
            let names = ThemeRole.allCases.map(\.rawValue)
            let near = ConfigError.suggestion(for: name, among: names)
            warn(
                ["roles", name],
                translated("is not a role") + (near.isEmpty ? translated("; there are: ") + names.joined(separator: ", ") : near))
            return
        }
        guard let table = value?.table else {
            throw error(["roles", name], translated("is a table with foreground, background and style"))
        }
        for key in table.keys {
            guard let value = table[key] else { continue }
            let path = ["roles", name, key]
            switch key {
            case "foreground": theme[role].foreground = try color(value, path, colors)
            case "background": theme[role].background = try color(value, path, colors)
            case "style": theme[role].style = try style(value, path)
            default:
                let near = ConfigError.suggestion(for: key, among: ["foreground", "background", "style"])
                warn(path, translated("is not known; a role has foreground, background and style") + near)
            }
        }
    }

    /// `colors` are those that may be named; nil where they are being made.
    private func color(
        _ value: any TOMLValueConvertible, _ path: [String], _ colors: ThemeColors?
    ) throws(ConfigError) -> CellColor {
        if let index = value.int {
            guard let entry = UInt8(exactly: index) else {
                throw error(path, translated("is a palette entry from 0 to 255, not \(index)"))
            }
            return .indexed(entry)
        }
        let advice =
            translated("is \"#rrggbb\", 0 to 255, or \"default\"")
            + (colors == nil ? "" : translated(", or a name under [colors]"))
        guard let text = value.string else { throw error(path, advice) }
        if text == "default" { return .terminalDefault }
        if let colors, let name = ThemeColor(rawValue: text) { return colors[name] }
        let digits = text.dropFirst()
        guard text.hasPrefix("#"), digits.utf8.count == 6, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
            let number = UInt32(digits, radix: 16)
        else {
            let names = ["default"] + (colors == nil ? [] : ThemeColor.allCases.map(\.rawValue))
            let near = ConfigError.suggestion(for: text, among: names)
            throw error(path, translated("\(advice), not \"\(DisplayText.singleLine(text, limit: 40))\"") + near)
        }
        return .rgb(UInt8(number >> 16), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF))
    }

    private func style(_ value: any TOMLValueConvertible, _ path: [String]) throws(ConfigError) -> CellStyle {
        let words: [String: CellStyle] = ["bold": .bold, "dim": .dim, "italic": .italic, "underline": .underline]
        let advice = translated("is a list of \"bold\", \"dim\", \"italic\", \"underline\"")
        guard let list = value.array else { throw error(path, advice) }
        var style: CellStyle = []
        for item in list {
            guard let word = item.string, let known = words[word] else {
                let near = item.string.map { ConfigError.suggestion(for: $0, among: words.keys.sorted()) } ?? ""
                throw error(path, advice + near)
            }
            style.insert(known)
        }
        return style
    }

    private func error(_ path: [String], _ reason: String) -> ConfigError { document.error(path, reason) }

    private mutating func warn(_ path: [String], _ reason: String) { warnings.append(document.error(path, reason)) }
}
