/// The styles that a TTML document defines, by their names. A style may name others, also later ones. Bounded: 1024 styles, 16 names each,
/// 8 levels.
struct TTMLStyleSheet {
    private struct Definition {
        let own: TTMLStyle
        let names: [Substring]
    }

    private static let limit = 1024, nameLimit = 16, depthLimit = 8
    private var definitions: [String: Definition] = [:]
    /// Styles that were looked up; emptied by every new definition.
    private var resolved: [String: TTMLStyle] = [:]

    /// Adds a style; the first of a name stays.
    mutating func define(_ id: String, _ own: TTMLStyle, naming names: String?) {
        guard definitions.count < Self.limit, definitions[id] == nil else { return }
        definitions[id] = Definition(own: own, names: Self.split(names))
        resolved = [:]
    }

    /// The style of a list of names, the last over the others.
    mutating func style(naming names: String?) -> TTMLStyle {
        guard names != nil else { return TTMLStyle() }
        return style(Self.split(names), depth: 0)
    }

    private mutating func style(_ names: [Substring], depth: Int) -> TTMLStyle {
        var result = TTMLStyle()
        for name in names {
            let id = String(name)
            if let known = resolved[id] {
                result = known.over(result)
            } else if let definition = definitions[id], depth < Self.depthLimit {
                // A style that leads back to itself adds nothing.
                resolved[id] = TTMLStyle()
                let style = definition.own.over(style(definition.names, depth: depth + 1))
                resolved[id] = style
                result = style.over(result)
            }
        }
        return result
    }

    private static func split(_ names: String?) -> [Substring] {
        Array((names ?? "").split(whereSeparator: \.isWhitespace).prefix(nameLimit))
    }
}
