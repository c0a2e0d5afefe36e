import AetherCore

/// The header of a WebVTT file, before its first cue: how classes look and where regions lie. Selectors of one class or tag are followed,
/// others left out. Bounded: 64 KB, 256 of each.
public struct WebVTTHeader: Sendable, Equatable {
    /// The declarations of a rule; nil where it has none.
    struct Look: Sendable, Equatable {
        var color: SubtitleColor?
        var isBold, isItalic, isUnderlined: Bool?
    }
    /// A box that cues stand in, in shares of the frame.
    struct Region: Sendable, Equatable {
        var width = 1.0
        /// The point of the region that lies at a point of the frame.
        var anchor = (x: 0.0, y: 1.0), place = (x: 0.0, y: 1.0)

        static func == (a: Region, b: Region) -> Bool {
            a.width == b.width && a.anchor == b.anchor && a.place == b.place
        }
    }

    /// By ".class", by a tag's name, or "" for all text.
    private(set) var looks: [String: Look] = [:]
    private(set) var regions: [String: Region] = [:]
    private static let limit = 256, byteLimit = 64 << 10

    /// A header with the defaults of the format.
    public init() {}

    /// Reads the text before the first arrow.
    public init(_ text: some StringProtocol) {
        let head = String(decoding: text.utf8.prefix(Self.byteLimit), as: UTF8.self)
        var block: [Substring] = []
        for line in head.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            if line.contains("-->") { return }
            if line.allSatisfy(\.isWhitespace) {
                read(block)
                block = []
            } else {
                block.append(line)
            }
        }
        read(block)
    }

    private mutating func read(_ block: [Substring]) {
        guard let first = block.first else { return }
        if first.hasPrefix("STYLE") { style(block.dropFirst().joined(separator: " ")) }
        if first.hasPrefix("REGION") || first.hasPrefix("Region:") { region(block.joined(separator: " ")) }
    }

    // MARK: - Styles

    private mutating func style(_ text: String) {
        for rule in text.split(separator: "}") {
            guard let open = rule.firstIndex(of: "{") else { continue }
            let look = Self.look(rule[rule.index(after: open)...])
            for selector in rule[..<open].split(separator: ",") where looks.count < Self.limit {
                guard let name = Self.name(selector) else { continue }
                looks[name, default: Look()].add(look)
            }
        }
    }

    /// ".class", a tag's name, "" for all text; nil for what is none of them.
    private static func name(_ selector: Substring) -> String? {
        let selector = selector.filter { !$0.isWhitespace }
        guard selector.hasPrefix("::cue") else { return nil }
        let rest = selector.dropFirst(5)
        guard rest.hasPrefix("(") else { return rest.isEmpty ? "" : nil }
        let inner = rest.dropFirst().prefix { $0 != ")" }
        let isSimple = inner.dropFirst().allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
        return isSimple && !inner.isEmpty ? String(inner) : nil
    }

    private static func look(_ declarations: Substring) -> Look {
        var look = Look()
        for declaration in declarations.split(separator: ";") {
            guard let colon = declaration.firstIndex(of: ":") else { continue }
            let value = declaration[declaration.index(after: colon)...].lowercased().filter { !$0.isWhitespace }
                .replacing("!important", with: "")
            switch declaration[..<colon].filter({ !$0.isWhitespace }).lowercased() {
            case "color": look.color = TTMLStyle.color(value)
            case "font-weight": look.isBold = value == "bold" || value == "bolder" || (Int(value) ?? 0) > 500
            case "font-style": look.isItalic = value == "italic" || value == "oblique"
            case "text-decoration": look.isUnderlined = value == "underline"
            default: break
            }
        }
        return look
    }

    // MARK: - Regions

    private mutating func region(_ text: String) {
        var region = Region(), id: Substring?
        for word in text.split(whereSeparator: \.isWhitespace) {
            guard let cut = word.firstIndex(where: { $0 == ":" || $0 == "=" }) else { continue }
            let value = word[word.index(after: cut)...]
            switch word[..<cut] {
            case "id": id = value
            case "width": region.width = Self.share(value) ?? region.width
            case "regionanchor": region.anchor = Self.point(value) ?? region.anchor
            case "viewportanchor": region.place = Self.point(value) ?? region.place
            default: break
            }
        }
        if let id, regions.count < Self.limit { regions[String(id)] = region }
    }

    private static func share(_ text: Substring) -> Double? {
        guard text.hasSuffix("%"), let number = Double(text.dropLast()), (0...100).contains(number) else { return nil }
        return number / 100
    }

    private static func point(_ text: Substring) -> (x: Double, y: Double)? {
        let parts = text.split(separator: ",").map { share($0) }
        guard parts.count == 2, let x = parts[0], let y = parts[1] else { return nil }
        return (x, y)
    }
}

extension WebVTTHeader.Look {
    /// A later rule of the same selector.
    mutating func add(_ other: Self) {
        color = other.color ?? color
        isBold = other.isBold ?? isBold
        isItalic = other.isItalic ?? isItalic
        isUnderlined = other.isUnderlined ?? isUnderlined
    }
}
