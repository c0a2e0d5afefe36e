public import AetherCore

/// The text of a subtitle of the Universal Subtitle Format, as Matroska's S_TEXT/USF has it in each block: XML of `text` elements with bold,
/// italics, underlines, fonts' colours and line breaks. Images and shapes are left out. Bounded by `StyledLines` and `XMLScanner`.
public enum USFText {
    /// Tags in tags: more are not looked at.
    private static let depthLimit = 32
    private static let hidden: Set<String> = ["image", "shape", "comment", "metadata", "style", "effect"]

    /// The text and its place; nil for nothing. A text without any tag is read as it is.
    public static func read(_ block: [UInt8]) -> (body: SubtitleCue.Body, placement: SubtitleTextPlacement?)? {
        var lines = StyledLines(), stack: [SubtitleTextRun] = [], placement: SubtitleTextPlacement?
        var scanner = XMLScanner(block), overflow = 0, leftOut = 0, count = 0
        while let token = scanner.next(), !lines.isFull {
            let look = stack.last ?? SubtitleTextRun("")
            switch token {
            case .start(let name, let attributes, let isEmpty):
                if name == "br" { lines.append("\n", look) }
                // Each text stands below the one before it.
                if name == "text" {
                    if count > 0 { lines.append("\n", look) }
                    count += 1
                    placement = placement ?? self.placement(attributes["alignment"])
                }
                if isEmpty { continue }
                if leftOut > 0 || hidden.contains(name) {
                    leftOut += 1
                } else if stack.count < depthLimit {
                    stack.append(changed(look, name, attributes))
                } else {
                    overflow += 1
                }
            case .end:
                if leftOut > 0 { leftOut -= 1 } else if overflow > 0 { overflow -= 1 } else { _ = stack.popLast() }
            case .text(let text):
                guard leftOut == 0 else { continue }
                // Line breaks of XML are white space.
                for scalar in text.unicodeScalars { lines.append(scalar == "\n" || scalar == "\r" ? " " : scalar, look) }
            }
        }
        return lines.body.map { ($0, placement) }
    }

    private static func changed(_ look: SubtitleTextRun, _ name: String, _ attributes: [String: String]) -> SubtitleTextRun {
        // "#AARRGGBB" has its opacity in front.
        let color = attributes["color"].map { $0.utf8.count == 9 && $0.hasPrefix("#") ? "#" + $0.suffix(6) : $0 }
        return SubtitleTextRun(
            "", color: color.map { TTMLStyle.color($0) } ?? look.color, isBold: name == "b" || look.isBold,
            isItalic: name == "i" || look.isItalic, isUnderlined: name == "u" || look.isUnderlined,
            isStruckThrough: name == "s" || look.isStruckThrough)
    }

    /// "BottomCenter", "MiddleLeft", "TopRight" …; nil for the usual one.
    private static func placement(_ alignment: String?) -> SubtitleTextPlacement? {
        guard let words = alignment?.lowercased() else { return nil }
        let row = words.hasPrefix("top") ? 2 : words.hasPrefix("middle") || words.hasPrefix("center") ? 1 : 0
        let column = words.hasSuffix("left") ? 1 : words.hasSuffix("right") ? 3 : 2
        return row * 3 + column == 2 ? nil : SubtitleTextPlacement(alignment: row * 3 + column)
    }
}
