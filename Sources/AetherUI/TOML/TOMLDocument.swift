import AetherCore
import Glibc
import TOMLKit

/// A file of settings or a theme, read and bounded, with the lines at which its keys stand.
struct TOMLDocument {
    let file: String
    let table: TOMLTable
    private let text: String

    /// 256 KiB: a file beyond is something else.
    static let sizeLimit = 262_144

    /// Reads a file; nil where there is none. Blocks on the file system.
    init?(path: String) throws(ConfigError) {
        guard let bytes = try TOMLDocument.bytes(path) else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ConfigError(file: path, reason: translated("is not UTF-8 text"))
        }
        try self.init(text, file: path)
    }

    /// The first bytes of a file, one more than the limit at most; nil where there is none.
    private static func bytes(_ path: String) throws(ConfigError) -> [UInt8]? {
        // A FIFO that lies in the file's place must not hang the start.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        if descriptor < 0, errno == ENOENT || errno == ENOTDIR { return nil }
        guard descriptor >= 0 else {
            throw ConfigError(file: path, reason: translated("cannot be read: \(SystemText.error(errno))"))
        }
        defer { close(descriptor) }
        var status = stat()
        // A link to /dev/null is an empty file.
        guard fstat(descriptor, &status) == 0, [S_IFREG, S_IFCHR, S_IFDIR].contains(status.st_mode & S_IFMT) else {
            throw ConfigError(file: path, reason: translated("is not a file"))
        }
        var bytes = [UInt8](repeating: 0, count: sizeLimit + 1), count = 0
        while count < bytes.count {
            let more = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress.map { $0 + count }, $0.count - count) }
            if more < 0, errno == EINTR { continue }
            guard more >= 0 else {
                throw ConfigError(file: path, reason: translated("cannot be read: \(SystemText.error(errno))"))
            }
            if more == 0 { break }
            count += more
        }
        return Array(bytes[..<count])
    }

    /// Parses a text; `file` names it in errors.
    init(_ text: String, file: String) throws(ConfigError) {
        // The mark of UTF-8 that some editors write is no part of the first key.
        let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
        guard text.utf8.count <= TOMLDocument.sizeLimit else {
            throw ConfigError(file: file, reason: translated("is larger than 256 KiB"))
        }
        if let (line, reason) = TOMLDocument.firstUnreadable(text) {
            throw ConfigError(file: file, line: line, reason: reason)
        }
        do {
            table = try TOMLTable(string: text)
        } catch let error as TOMLParseError {
            let line = error.source.begin.line
            throw ConfigError(file: file, line: line, reason: TOMLComplaint.reason(error.description, line: line, in: text))
        } catch {
            throw ConfigError(file: file, reason: "\(error)")
        }
        self.file = file
        self.text = text
    }

    /// A key that is no setting, with advice behind it.
    func unknownSetting(_ path: [String], _ advice: String) -> ConfigError {
        let found = error(path, "")
        return ConfigError(
            file: file, line: found.line, reason: translated("unknown setting \"\(path.joined(separator: "."))\"\(advice)"))
    }

    /// The error at a key. TOMLKit does not say where a value stood, so the line is looked for: the key's own inside its
    /// table's part of the file, else the table's heading.
    func error(_ path: [String], _ reason: String) -> ConfigError {
        let bare = path.dropLast().joined(separator: "."), heading = "[" + bare + "]",
            whole = "[" + path.joined(separator: ".") + "]"
        var isInside = path.count == 1
        var found: Int?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let plain = line.filter { $0 != "\t" && $0 != "\r" && $0 != "\"" && $0 != "'" }
            let tight = plain.filter { $0 != " " }
            if tight.hasPrefix("["), !tight.hasPrefix("[[") {
                if tight.hasPrefix(whole) { found = index + 1 }
                isInside = tight.hasPrefix(heading)
                if isInside { found = index + 1 }
                // An unknown name is a heading's first part.
                if path.count == 1, found == nil, tight.hasPrefix("[\(path[0]).") { found = index + 1 }
            } else if path.count == 1, found == nil, tight.hasPrefix("[[\(path[0])") || tight.hasPrefix(path[0] + ".") {
                found = index + 1
            } else if isInside, let key = path.last, let equals = plain.firstIndex(of: "="),
                plain[..<equals].drop(while: { $0 == " " }) == Substring(key)
                    + String(repeating: " ", count: max(0, plain[..<equals].drop(while: { $0 == " " }).count - key.count))
            {
                return ConfigError(file: file, line: index + 1, key: path.joined(separator: "."), reason: reason)
            }
        }
        return ConfigError(file: file, line: found, key: path.joined(separator: "."), reason: reason)
    }

    /// The most parts of a dotted name. TOMLKit's parser calls itself for each: at 100 000 the stack ends.
    private static let mostParts = 1000

    /// The first line that TOMLKit's parser asserts on (`[&`, `a = [}`) instead of reporting an error, and what is wrong with it: a
    /// file must never end the program. Neither settings nor themes need braces, so they are refused where they are in no comment and in no string.
    static func firstUnreadable(_ text: String) -> (line: Int, reason: String)? {
        // In a string of many lines a quotation mark opens nothing: there no line is taken apart.
        let hasLongStrings = ["\"\"\"", "'''"].contains { text.contains($0) }
        for (number, line) in text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            // The parser takes it for the end of the text: what stands behind it would be lost without a word.
            if line.contains("\0") { return (number + 1, "a NUL has no place in a text") }
            var rest = line.drop { $0.properties.isWhitespace }
            if rest.first == "#" { continue }
            let bare = hasLongStrings ? Array(rest) : withoutStrings(rest)
            if bare.contains(where: { $0 == "{" || $0 == "}" }) { return (number + 1, "braces have no place here") }
            if bare.prefix(while: { $0 != "=" || hasLongStrings }).count(where: { $0 == "." }) >= mostParts {
                return (number + 1, "a name has too many parts")
            }
            guard rest.popFirst() == "[" else { continue }
            if rest.first == "[" { rest.removeFirst() }
            guard let first = rest.first(where: { $0 != " " && $0 != "\t" }), canBeginName(first) else {
                return (number + 1, "a table's name is letters, digits, - and _: write [name] and the like")
            }
        }
        return nil
    }

    /// A line without the strings that end on it, and without its comment.
    private static func withoutStrings(_ line: Substring.UnicodeScalarView) -> [Unicode.Scalar] {
        var bare: [Unicode.Scalar] = [], rest = line
        while let scalar = rest.popFirst() {
            if scalar == "#" { break }
            guard scalar == "\"" || scalar == "'", let end = end(ofString: rest, quote: scalar) else {
                bare.append(scalar)
                continue
            }
            rest = rest[end...].dropFirst()
        }
        return bare
    }

    /// The closing mark of a string; nil where it does not end on the line.
    private static func end(ofString text: Substring.UnicodeScalarView, quote: Unicode.Scalar) -> String.Index? {
        var isEscaped = false
        return text.indices.first { index in
            defer { isEscaped = quote == "\"" && !isEscaped && text[index] == "\\" }
            return text[index] == quote && !isEscaped
        }
    }

    private static func canBeginName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_", "\"", "'", "]": true
        default: false
        }
    }
}
