import AetherCore

/// The styling attributes of TTML that a terminal or a renderer of text can follow: those of an element, or what they come to.
struct TTMLStyle: Sendable, Equatable {
    var attributes: [String: String] = [:]

    private static let known: Set<String> = [
        "color", "fontWeight", "fontStyle", "textDecoration", "textAlign", "displayAlign", "display", "visibility", "origin",
        "extent", "position", "opacity", "fontFamily", "ruby", "forcedDisplay",
    ]
    /// The attributes of a box alone.
    static let boxed = ["origin", "extent", "position", "displayAlign"]

    init() {}

    /// The attributes among an element's that style.
    init(_ all: [String: String]) { attributes = all.filter { Self.known.contains($0.key) } }

    /// These attributes over others.
    func over(_ other: TTMLStyle) -> TTMLStyle {
        if attributes.isEmpty { return other }
        var result = other
        for (name, value) in attributes { result.attributes[name] = value }
        return result
    }

    /// The style as a child inherits it: without the attributes of a box alone.
    var inherited: TTMLStyle {
        var result = self
        for name in Self.boxed + ["display", "opacity"] where result.attributes[name] != nil { result.attributes[name] = nil }
        return result
    }

    /// Whether nothing of the element is seen, whatever its children say: not shown at all, without opacity, or beside its base (rubies).
    var isRemoved: Bool {
        attributes["display"] == "none" || attributes["ruby"] == "text" || attributes["ruby"] == "delimiter"
            || attributes["ruby"] == "textContainer" || attributes["opacity"].flatMap { Double($0) } == 0
    }

    /// Whether its own text is not seen.
    var isHidden: Bool {
        attributes["visibility"] == "hidden" || attributes["color"].map { Self.isTransparent($0) } ?? false
    }

    /// The look of its text.
    var look: SubtitleTextRun {
        let decoration = attributes["textDecoration"]?.split(separator: " ") ?? []
        return SubtitleTextRun(
            "", color: attributes["color"].flatMap { Self.color($0) }, isBold: attributes["fontWeight"] == "bold",
            isItalic: attributes["fontStyle"] == "italic" || attributes["fontStyle"] == "oblique",
            isUnderlined: decoration.contains("underline"), isStruckThrough: decoration.contains("lineThrough"))
    }

    /// The place of a region's text; nil where nothing states it.
    func placement(cells: (columns: Double, rows: Double), pixels: (width: Double, height: Double)?) -> SubtitleTextPlacement? {
        let column: Int
        switch attributes["textAlign"] {
        case "center": column = 2
        case "right", "end": column = 3
        default: column = 1
        }
        let row = attributes["displayAlign"] == "after" ? 0 : attributes["displayAlign"] == "center" ? 1 : 2
        let (corner, size) = box(cells: cells, pixels: pixels)
        guard let origin = corner else { return nil }
        let extent = size ?? (1 - origin.0, 1 - origin.1)
        return SubtitleTextPlacement(
            alignment: column + 3 * row,
            position: SubtitlePoint(
                x: origin.0 + extent.0 * Double(column - 1) / 2, y: origin.1 + extent.1 * Double(2 - row) / 2))
    }

    /// The upper left corner and the size of a region in shares of the frame, as far as it states them.
    func box(
        cells: (columns: Double, rows: Double), pixels: (width: Double, height: Double)?
    ) -> (origin: (Double, Double)?, extent: (Double, Double)?) {
        func lengths(_ name: String) -> (Double, Double)? {
            guard let parts = attributes[name]?.split(separator: " "), parts.count == 2,
                let x = Self.share(parts[0], of: cells.columns, pixels?.width),
                let y = Self.share(parts[1], of: cells.rows, pixels?.height)
            else { return nil }
            return (x, y)
        }
        let extent = lengths("extent")
        return (lengths("origin") ?? extent.flatMap { offset(beside: $0) }, extent)
    }

    /// `position` as IMSC 1.1 has it: the same share of the frame and of the box lie on each other. Two words; nil for others.
    private func offset(beside extent: (Double, Double)) -> (Double, Double)? {
        func share(_ word: Substring) -> Double? {
            switch word {
            case "left", "top": 0
            case "center": 0.5
            case "right", "bottom": 1
            default: word.hasSuffix("%") ? Double(word.dropLast()).flatMap { $0.isFinite ? $0 / 100 : nil } : nil
            }
        }
        guard let words = attributes["position"]?.split(separator: " "), words.count == 2, let x = share(words[0]),
            let y = share(words[1])
        else { return nil }
        return (x * (1 - extent.0), y * (1 - extent.1))
    }

    /// A length as a share of the frame: `%`, `c` (cells) or `px`.
    private static func share(_ text: Substring, of cells: Double, _ pixels: Double?) -> Double? {
        let unit = text.drop { $0.isNumber || $0 == "." || $0 == "-" || $0 == "+" }
        guard let value = Double(text.dropLast(unit.count)), value.isFinite else { return nil }
        switch unit {
        case "%", "vw", "vh", "rw", "rh": return value / 100
        case "c": return value / cells
        case "px": return pixels.map { value / $0 }
        default: return nil
        }
    }

    /// `#rrggbb`, `#rrggbbaa`, `#rgb`, `rgb(r,g,b)` or a name; nil for white, which is the player's own, and for what is none.
    static func color(_ text: String) -> SubtitleColor? {
        let text = text.lowercased()
        var parts: [Int] = []
        if text.hasPrefix("#"), text.utf8.count == 7 || text.utf8.count == 9,
            let value = Int(text.dropFirst().prefix(6), radix: 16)
        {
            parts = [value >> 16, value >> 8 & 255, value & 255]
        } else if text.hasPrefix("#"), text.utf8.count == 4, let value = Int(text.dropFirst(), radix: 16) {
            parts = [value >> 8, value >> 4 & 15, value & 15].map { $0 * 17 }
        } else if text.hasPrefix("rgb"), let open = text.firstIndex(of: "(") {
            parts = text[text.index(after: open)...].prefix { $0 != ")" }.split(separator: ",").prefix(3).compactMap {
                Int($0.filter { !$0.isWhitespace })
            }
        } else if let value = names[text] {
            parts = [value >> 16, value >> 8 & 255, value & 255]
        }
        guard parts.count == 3, parts.allSatisfy({ (0...255).contains($0) }), parts != [255, 255, 255] else { return nil }
        return SubtitleColor(r: UInt8(parts[0]), g: UInt8(parts[1]), b: UInt8(parts[2]))
    }

    /// `transparent`, or a colour with an alpha of zero.
    private static func isTransparent(_ text: String) -> Bool {
        text == "transparent" || text.hasPrefix("#") && text.utf8.count == 9 && text.hasSuffix("00")
            || text.hasPrefix("rgba(") && text.dropLast().split(separator: ",").last?.filter { !$0.isWhitespace } == "0"
    }

    private static let names: [String: Int] = [
        "black": 0, "silver": 0xC0C0C0, "gray": 0x808080, "white": 0xFFFFFF, "maroon": 0x800000, "red": 0xFF0000,
        "purple": 0x800080, "fuchsia": 0xFF00FF, "magenta": 0xFF00FF, "green": 0x008000, "lime": 0x00FF00, "olive": 0x808000,
        "yellow": 0xFFFF00, "navy": 0x000080, "blue": 0x0000FF, "teal": 0x008080, "aqua": 0x00FFFF, "cyan": 0x00FFFF,
    ]
}
