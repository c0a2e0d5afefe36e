import AetherCore
import AetherTerminal
import TOMLKit

/// Theme files: TOML with a `name` and a table `[roles.<role>]` for each role that shall differ from the built-in theme, with
/// `foreground`, `background` ("#rrggbb", 0 … 255 for a palette entry, or "default") and `style` (a list of "bold", "dim",
/// "italic", "underline").
public enum ThemeParser {
    /// 64 KiB: the default theme has 2. A file beyond is something else.
    public static let sizeLimit = 65_536

    /// Parses the text of a theme; `file` names it in errors and, without its suffix, the theme where it has no name itself.
    public static func parse(_ text: String, file: String) throws(ThemeError) -> Theme {
        guard text.utf8.count <= sizeLimit else { throw ThemeError(file: file, reason: "larger than 64 KiB, so not a theme") }
        if let (line, reason) = firstUnreadable(text, in: "a theme") { throw ThemeError(file: file, line: line, reason: reason) }
        let table: TOMLTable
        do {
            table = try TOMLTable(string: text)
        } catch let error as TOMLParseError {
            throw ThemeError(file: file, line: error.source.begin.line, reason: error.description)
        } catch {
            throw ThemeError(file: file, reason: "\(error)")
        }
        return try Reader(file: file, text: text).theme(table)
    }

    /// The first line that TOMLKit's parser asserts on (`[&`, `a = [}`) instead of reporting an error, and what is wrong with it: a
    /// theme must never end the program. Themes need no braces, so they are refused wherever they are no comment.
    static func firstUnreadable(_ text: String, in what: String) -> (line: Int, reason: String)? {
        for (number, line) in text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            var rest = line.drop { $0.properties.isWhitespace || $0 == "\u{FEFF}" }
            if rest.first == "#" { continue }
            if rest.contains(where: { $0 == "{" || $0 == "}" }) { return (number + 1, "braces have no place in \(what)") }
            guard rest.popFirst() == "[" else { continue }
            if rest.first == "[" { rest.removeFirst() }
            guard let first = rest.first(where: { $0 != " " && $0 != "\t" }), canBeginName(first) else {
                return (number + 1, "a table's name is letters, digits, - and _: write [name] and the like")
            }
        }
        return nil
    }

    private static func canBeginName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_", "\"", "'", "]": true
        default: false
        }
    }
}

private struct Reader {
    let file: String
    let text: String

    func theme(_ table: TOMLTable) throws(ThemeError) -> Theme {
        let fileName = file.split(separator: "/").last.map(String.init) ?? file
        var theme = Theme(name: fileName.hasSuffix(".toml") ? String(fileName.dropLast(5)) : fileName)
        for key in table.keys {
            guard let value = table[key] else { continue }
            switch key {
            case "name":
                guard let name = value.string else { throw error([key], "is a text, for example \"night\"") }
                theme.name = DisplayText.singleLine(name, limit: 60)
            case "roles":
                guard let roles = value.table else { throw error([key], "is a table: write [roles.bar] and the like") }
                for name in roles.keys { try read(roles[name], role: name, into: &theme) }
            default: throw error([key], "is not known; a theme has name and roles")
            }
        }
        return theme
    }

    private func read(_ value: (any TOMLValueConvertible)?, role name: String, into theme: inout Theme) throws(ThemeError) {
        guard let role = ThemeRole(rawValue: name) else {
            throw error(["roles", name], "is no role; there are: " + ThemeRole.allCases.map(\.rawValue).joined(separator: ", "))
        }
        guard let table = value?.table else { throw error(["roles", name], "is a table with foreground, background and style") }
        for key in table.keys {
            guard let value = table[key] else { continue }
            let path = ["roles", name, key]
            switch key {
            case "foreground": theme[role].foreground = try color(value, path)
            case "background": theme[role].background = try color(value, path)
            case "style": theme[role].style = try style(value, path)
            default: throw error(path, "is not known; a role has foreground, background and style")
            }
        }
    }

    private func color(_ value: any TOMLValueConvertible, _ path: [String]) throws(ThemeError) -> CellColor {
        if let index = value.int {
            guard let entry = UInt8(exactly: index) else { throw error(path, "is a palette entry from 0 to 255, not \(index)") }
            return .indexed(entry)
        }
        let advice = "is \"#rrggbb\", 0 to 255, or \"default\""
        guard let text = value.string else { throw error(path, advice) }
        if text == "default" { return .terminalDefault }
        let digits = text.dropFirst()
        guard text.hasPrefix("#"), digits.utf8.count == 6, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
            let number = UInt32(digits, radix: 16)
        else { throw error(path, "\(advice), not \"\(DisplayText.singleLine(text, limit: 40))\"") }
        return .rgb(UInt8(number >> 16), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF))
    }

    private func style(_ value: any TOMLValueConvertible, _ path: [String]) throws(ThemeError) -> CellStyle {
        let words: [String: CellStyle] = ["bold": .bold, "dim": .dim, "italic": .italic, "underline": .underline]
        let advice = "is a list of \"bold\", \"dim\", \"italic\", \"underline\""
        guard let list = value.array else { throw error(path, advice) }
        var style: CellStyle = []
        for item in list {
            guard let word = item.string, let known = words[word] else { throw error(path, advice) }
            style.insert(known)
        }
        return style
    }

    /// TOMLKit does not say where a value stood, so the line is looked for: the key's own line inside its table's part of the
    /// file, else the table's heading.
    private func error(_ path: [String], _ reason: String) -> ThemeError {
        let heading = "[" + path.dropLast().joined(separator: ".") + "]", whole = "[" + path.joined(separator: ".") + "]"
        var isInside = path.count == 1
        var found: Int?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = line.filter { $0 != " " && $0 != "\t" && $0 != "\r" && $0 != "\"" }
            if line.hasPrefix("[") {
                if line.hasPrefix(whole) { found = index + 1 }
                isInside = line.hasPrefix(heading)
                if isInside { found = index + 1 }
            } else if isInside, let key = path.last, line.hasPrefix(key + "=") || line.hasPrefix(key + ".") {
                return ThemeError(file: file, line: index + 1, key: path.joined(separator: "."), reason: reason)
            }
        }
        return ThemeError(file: file, line: found, key: path.joined(separator: "."), reason: reason)
    }
}
