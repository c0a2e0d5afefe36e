/// A path to an element or an attribute: `/MPD/Period[@id='1']/AdaptationSet[2]/@lang`. Prefixes are cut off.
struct XMLSelector: Equatable {
    struct Step: Equatable {
        var name: String
        /// From 1; nil: the first one.
        var position: Int?
        var attributes: [Condition] = []
    }

    struct Condition: Equatable {
        let name, value: String
    }

    private(set) var steps: [Step] = []
    /// nil: the element itself is meant.
    private(set) var attribute: String?

    init?(_ text: String) {
        guard text.utf8.count <= 4096, text.hasPrefix("/") else { return nil }
        var rest = text.dropFirst()
        while !rest.isEmpty {
            if rest.hasPrefix("@") {
                let name = Self.local(rest.dropFirst())
                guard !name.isEmpty, !name.contains("/"), !name.contains("["), !steps.isEmpty else { return nil }
                attribute = name
                return
            }
            let name = rest.prefix { $0 != "/" && $0 != "[" }
            guard !name.isEmpty, !name.contains("("), name != "*", steps.count < XMLTree.depthLimit else { return nil }
            var step = Step(name: Self.local(name))
            rest = rest.dropFirst(name.count)
            while rest.first == "[" {
                guard Self.bracket(&rest, &step) else { return nil }
            }
            steps.append(step)
            if rest.isEmpty { break }
            guard rest.first == "/" else { return nil }
            rest = rest.dropFirst()
            guard !rest.isEmpty else { return nil }
        }
        guard !steps.isEmpty else { return nil }
    }

    private static func local(_ name: Substring) -> String {
        String(name.lastIndex(of: ":").map { name[name.index(after: $0)...] } ?? name)
    }

    /// "[3]" or "[@id='x']"; false for others.
    private static func bracket(_ rest: inout Substring, _ step: inout Step) -> Bool {
        let inside = rest.dropFirst()
        guard inside.first == "@" else {
            guard let end = inside.firstIndex(of: "]"), let position = Int(inside[..<end]), position > 0 else { return false }
            step.position = position
            rest = inside[inside.index(after: end)...]
            return true
        }
        guard let equals = inside.firstIndex(of: "=") else { return false }
        let behind = inside[inside.index(after: equals)...]
        guard let quote = behind.first, quote == "'" || quote == "\"", let end = behind.dropFirst().firstIndex(of: quote) else {
            return false
        }
        step.attributes.append(
            Condition(name: local(inside[..<equals].dropFirst()), value: String(behind.dropFirst()[..<end])))
        rest = behind[behind.index(after: end)...]
        guard rest.first == "]" else { return false }
        rest = rest.dropFirst()
        return true
    }
}
