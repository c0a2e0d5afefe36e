public import AetherCore

/// The text of a WebVTT cue: bold, italics, underlines, classes of colours, the rules of a file's style sheet for them, and all characters
/// by name or number. Rubies, names of voices and times within are left out. W3C WebVTT, "cue text".
public enum WebVTTText {
    private struct Element {
        let name: Substring
        let look: SubtitleTextRun
    }
    /// Tags in tags: more are not looked at.
    private static let depthLimit = 32
    /// Longest tag or name of a voice.
    private static let tagLimit = 1024

    /// The text with its looks; nil for nothing. Linear in the length.
    public static func body(_ text: String, header: WebVTTHeader = WebVTTHeader()) -> SubtitleCue.Body? {
        var lines = StyledLines(), stack: [Element] = []
        let base = changed(SubtitleTextRun(""), by: header.looks[""])
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            let look = stack.last?.look ?? base
            switch scalar {
            case "<":
                guard let end = rest.prefix(tagLimit).firstIndex(of: ">") else {
                    // A tag that is not closed runs to the end of the text, as browsers have it; a sign for "less" does not.
                    guard rest.first.map({ $0 == " " || $0.properties.numericType != nil }) ?? false else { return lines.body }
                    lines.append("<", look)
                    continue
                }
                let tag = Substring(rest[..<end])
                rest = rest[rest.index(after: end)...]
                take(tag, &stack, base, header)
            case "&":
                if let sign = CharacterReference.read(rest) {
                    if !isRuby(stack) { lines.append(sign.scalar, look) }
                    rest = rest.dropFirst(sign.length)
                } else if !isRuby(stack) {
                    lines.append("&", look)
                }
            default: if !isRuby(stack) { lines.append(scalar, look) }
            }
        }
        return lines.body
    }

    private static func isRuby(_ stack: [Element]) -> Bool { stack.last?.name == "rt" }

    private static func take(_ tag: Substring, _ stack: inout [Element], _ base: SubtitleTextRun, _ header: WebVTTHeader) {
        if tag.hasPrefix("/") {
            let name = tag.dropFirst().prefix { !$0.isWhitespace }
            // The end of a ruby ends its annotation, too.
            if let index = stack.lastIndex(where: { $0.name == name }) { stack.removeSubrange(index...) }
            return
        }
        // Times within.
        guard let first = tag.first, !first.isNumber, stack.count < depthLimit else { return }
        let parts = tag.prefix { !$0.isWhitespace }.split(separator: ".", omittingEmptySubsequences: false)
        guard let name = parts.first else { return }
        var look = stack.last?.look ?? base
        switch name {
        case "b": look = changed(look, by: WebVTTHeader.Look(isBold: true))
        case "i": look = changed(look, by: WebVTTHeader.Look(isItalic: true))
        case "u": look = changed(look, by: WebVTTHeader.Look(isUnderlined: true))
        default: break
        }
        look = changed(look, by: header.looks[String(name)])
        for word in parts.dropFirst().prefix(16) {
            look = changed(look, by: colors[word].map { WebVTTHeader.Look(color: $0) })
            look = changed(look, by: header.looks["." + String(word)])
        }
        stack.append(Element(name: name, look: look))
    }

    private static func changed(_ look: SubtitleTextRun, by rule: WebVTTHeader.Look?) -> SubtitleTextRun {
        guard let rule else { return look }
        return SubtitleTextRun(
            "", color: rule.color ?? look.color, isBold: rule.isBold ?? look.isBold, isItalic: rule.isItalic ?? look.isItalic,
            isUnderlined: rule.isUnderlined ?? look.isUnderlined)
    }

    /// The classes that mean a colour without a style sheet; white is every text's.
    private static let colors: [Substring: SubtitleColor] = [
        "lime": SubtitleColor(r: 0, g: 255, b: 0), "cyan": SubtitleColor(r: 0, g: 255, b: 255),
        "red": SubtitleColor(r: 255, g: 0, b: 0), "yellow": SubtitleColor(r: 255, g: 255, b: 0),
        "magenta": SubtitleColor(r: 255, g: 0, b: 255), "blue": SubtitleColor(r: 0, g: 0, b: 255),
        "black": SubtitleColor(r: 0, g: 0, b: 0), "white": SubtitleColor(r: 255, g: 255, b: 255),
    ]
}
