import AetherCore

/// The visible text of an ASS dialogue line, with its looks and its place.
struct ASSText {
    /// Longest text looked at, in bytes: no line that a person can read is longer.
    static let limit = 16 << 10
    /// Longest event that is kept for drawing: signs of many strokes have tens of kilobytes.
    static let markupLimit = 64 << 10

    /// The text; nil for none (drawings, empty lines).
    private(set) var body: SubtitleCue.Body?
    private(set) var placement: SubtitleTextPlacement?

    private var lines = StyledLines()
    private let script: ASSScript
    private let style: ASSScript.Style
    private var look: SubtitleTextRun
    private var alignment: Int?
    private var position: SubtitlePoint?
    private var isDrawing = false

    /// Reads a text field in a style. Override blocks give looks and place, drawings are left out, `\N` and `\n` are line breaks,
    /// `\h` is a space.
    init(_ field: Substring, style: ASSScript.Style = ASSScript.Style(), script: ASSScript = ASSScript(header: "")) {
        self.script = script
        self.style = style
        look = style.look
        read(field.unicodeScalars[...])
        body = lines.body
        let alignment = alignment ?? style.alignment
        if alignment != 2 || position != nil { placement = SubtitleTextPlacement(alignment: alignment, position: position) }
    }

    private mutating func read(_ text: Substring.UnicodeScalarView) {
        var rest = text
        while let scalar = rest.popFirst() {
            if scalar == "{", let end = rest.firstIndex(of: "}") {
                overrides(rest[..<end])
                rest = rest[rest.index(after: end)...]
                continue
            }
            if scalar == "\\", let next = rest.first, "Nnh".unicodeScalars.contains(next) {
                rest.removeFirst()
                if !isDrawing { lines.append(next == "h" ? " " : "\n", look) }
                continue
            }
            if !isDrawing { lines.append(scalar, look) }
        }
    }

    // MARK: - Overrides

    private mutating func overrides(_ block: Substring.UnicodeScalarView) {
        // The final state of a transform is not the look with which the text begins.
        var depth = 0
        for tag in Substring(block).split(separator: "\\") where !tag.isEmpty {
            guard depth > 0 || tag.hasPrefix("t(") else {
                apply(tag)
                continue
            }
            for letter in tag { depth = max(0, depth + (letter == "(" ? 1 : letter == ")" ? -1 : 0)) }
        }
    }

    private mutating func apply(_ tag: Substring) {
        if tag.hasPrefix("pos(") || tag.hasPrefix("move(") { return place(tag) }
        if tag.hasPrefix("fn") { return change(fontName: .some(name(tag.dropFirst(2)))) }
        if tag.hasPrefix("an") {
            if let number = Int(tag.dropFirst(2)), (1...9).contains(number) { alignment = alignment ?? number }
            return
        }
        let letters = tag.prefix { $0.isASCII && $0.isLetter }
        let value = tag.dropFirst(letters.count)
        switch letters {
        case "b": change(isBold: Int(value).map { $0 == 1 || $0 > 500 } ?? style.look.isBold)
        case "i": change(isItalic: Int(value).map { $0 != 0 } ?? style.look.isItalic)
        case "u": change(isUnderlined: Int(value).map { $0 != 0 } ?? style.look.isUnderlined)
        case "s": change(isStruckThrough: Int(value).map { $0 != 0 } ?? style.look.isStruckThrough)
        case "fs": change(fontSize: .some(Int(value.prefix { $0.isNumber }).flatMap { (1...1000).contains($0) ? $0 : nil }))
        case "c": change(color: .some(value.isEmpty ? style.look.color : Self.color(value)))
        case "a": if let number = Int(value) { alignment = alignment ?? Self.numpad(legacy: number) }
        case "p": if !value.isEmpty, value.allSatisfy(\.isNumber) { isDrawing = value.contains { $0 != "0" } }
        default:
            if tag.hasPrefix("1c") {
                change(color: .some(Self.color(tag.dropFirst(2)) ?? style.look.color))
            } else if tag.hasPrefix("r") {
                look = tag.count == 1 ? style.look : script.style(named: tag.dropFirst()).look
            }
        }
    }

    private mutating func change(
        color: SubtitleColor?? = nil, isBold: Bool? = nil, isItalic: Bool? = nil, isUnderlined: Bool? = nil,
        isStruckThrough: Bool? = nil, fontName: String?? = nil, fontSize: Int?? = nil
    ) {
        look = SubtitleTextRun(
            "", color: color ?? look.color, isBold: isBold ?? look.isBold, isItalic: isItalic ?? look.isItalic,
            isUnderlined: isUnderlined ?? look.isUnderlined, isStruckThrough: isStruckThrough ?? look.isStruckThrough,
            fontName: fontName ?? look.fontName, fontSize: fontSize ?? look.fontSize)
    }

    /// A font's name is not shown here, but hosts get it.
    private func name(_ value: Substring) -> String? {
        let name = DisplayText.singleLine(String(value), limit: 100)
        return name.isEmpty ? nil : name
    }

    /// `\pos(x,y)`; of `\move` the point where it begins.
    private mutating func place(_ tag: Substring) {
        guard position == nil, let open = tag.firstIndex(of: "(") else { return }
        let numbers = tag[tag.index(after: open)...].prefix { $0 != ")" }.split(separator: ",").prefix(2).map {
            Double($0.filter { !$0.isWhitespace })
        }
        guard numbers.count == 2, let x = numbers[0], let y = numbers[1] else { return }
        position = SubtitlePoint(x: x / script.width, y: y / script.height)
    }

    // MARK: - Values

    /// `&HBBGGRR&`, `&HAABBGGRR`, or a decimal number; nil for white, which every style begins with.
    static func color(_ text: Substring) -> SubtitleColor? {
        let digits = text.drop { $0 == "&" || $0 == "H" || $0 == "h" }.prefix { $0.isHexDigit }
        let isHex = digits.startIndex != text.startIndex
        guard !digits.isEmpty, digits.count <= 10, let value = UInt64(digits, radix: isHex ? 16 : 10) else { return nil }
        guard value & 0xFF_FFFF != 0xFF_FFFF else { return nil }
        return SubtitleColor(r: UInt8(value & 255), g: UInt8(value >> 8 & 255), b: UInt8(value >> 16 & 255))
    }

    /// SSA counts 1 … 3 at the bottom, 5 … 7 at the top and 9 … 11 in the middle.
    static func numpad(legacy number: Int) -> Int {
        switch number {
        case 1...3: number
        case 5...7: number + 2
        case 9...11: number - 5
        default: 2
        }
    }

    // MARK: - Events

    /// The style's name, the text, and the event without its ReadOrder; nil for what is no event. As libavcodec writes events:
    /// ReadOrder,Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text.
    static func fields(ofEvent event: String) -> (style: Substring, text: Substring, markup: Substring)? {
        var rest = event[...], style: Substring = "", markup: Substring = ""
        for index in 0..<8 {
            guard let comma = rest.firstIndex(of: ",") else { return nil }
            if index == 2 { style = rest[..<comma] }
            rest = rest[rest.index(after: comma)...]
            if index == 0 { markup = rest }
        }
        return (style, rest, markup)
    }

    /// The plain lines of a text field: at most 16, none empty.
    static func lines(_ field: Substring) -> [String] { ASSText(field).body?.lines ?? [] }
}
