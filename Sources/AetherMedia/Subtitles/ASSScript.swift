import AetherCore

/// The header of an ASS script, as far as a reader of its lines needs it: the canvas and the styles. Bounded: 1 MB of header,
/// 512 styles.
struct ASSScript: Sendable, Equatable {
    /// The look and place that a style gives.
    struct Style: Sendable, Equatable {
        var look = SubtitleTextRun("")
        /// The numpad's digit for the place.
        var alignment = 2
    }

    /// Canvas that positions refer to. 384×288 is what players take where the script is silent.
    var width = 384.0, height = 288.0
    var styles: [String: Style] = [:]

    static let headerLimit = 1 << 20
    private static let styleLimit = 512

    /// Reads a header; what is not understood is left out.
    init(header: String) {
        var format: [String] = []
        var isV4 = false
        for line in header.prefix(Self.headerLimit).split(whereSeparator: \.isNewline) {
            if line.hasPrefix("[") { isV4 = line.lowercased().hasPrefix("[v4 styles") }
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = Self.trimmed(line[line.index(after: colon)...])
            switch Self.trimmed(line[..<colon]).lowercased() {
            case "playresx": width = Self.canvas(value) ?? width
            case "playresy": height = Self.canvas(value) ?? height
            case "format": format = value.split(separator: ",").map { Self.trimmed($0).lowercased() }
            case "style" where styles.count < Self.styleLimit: add(value, format: format, isV4: isV4)
            default: break
            }
        }
    }

    /// The style of an event; the default one for names that are not in the header.
    func style(named name: Substring) -> Style {
        let name = name.hasPrefix("*") ? name.dropFirst() : name
        return styles[String(name)] ?? styles["Default"] ?? Style()
    }

    private mutating func add(_ value: Substring, format: [String], isV4: Bool) {
        let fields = value.split(separator: ",", omittingEmptySubsequences: false).map { Self.trimmed($0) }
        func field(_ name: String) -> Substring? {
            guard let index = format.firstIndex(of: name), fields.indices.contains(index) else { return nil }
            return fields[index]
        }
        guard let name = field("name") else { return }
        func isOn(_ name: String) -> Bool { field(name).flatMap { Int($0) }.map { $0 != 0 } ?? false }
        var style = Style()
        style.look = SubtitleTextRun(
            "", color: field("primarycolour").flatMap { ASSText.color($0) }, isBold: isOn("bold"), isItalic: isOn("italic"),
            isUnderlined: isOn("underline"), isStruckThrough: isOn("strikeout"))
        if let number = field("alignment").flatMap({ Int($0) }) {
            style.alignment = isV4 ? ASSText.numpad(legacy: number) : (1...9).contains(number) ? number : 2
        }
        styles[String(name.hasPrefix("*") ? name.dropFirst() : name)] = style
    }

    private static func canvas(_ value: Substring) -> Double? {
        Int(value).flatMap { (1...32768).contains($0) ? Double($0) : nil }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return text
    }
}
