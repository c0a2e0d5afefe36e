import AetherCore

/// Makes a tree of an expression: or, and, not, comparisons, in the order in which they bind.
struct PredicateParsing {
    /// Parentheses and negations one in the other at most.
    static let depthLimit = 64

    /// A side of a comparison before it is known what it is compared with.
    private enum Side {
        case term(PredicateTree.Term)
        /// A property that is no number.
        case path(VariantKeyPath)
        /// A value, or a list of them.
        case values([PredicateToken])
    }

    private let tokens: [PredicateToken]
    private let source: PredicateTokens
    private var position = 0
    private var depth = 0

    init(_ text: String) throws(PredicateFault) {
        var source = try PredicateTokens(text)
        tokens = try source.all()
        self.source = source
    }

    private var token: PredicateToken { tokens[position] }

    private func fault(_ reason: Phrase, at token: PredicateToken) -> PredicateFault {
        source.fault(reason, at: token.place)
    }

    private mutating func take(_ kind: PredicateToken.Kind) -> Bool {
        guard token.kind == kind, kind != .end else { return false }
        position += 1
        return true
    }

    mutating func run() throws(PredicateFault) -> PredicateTree {
        if token.kind == .end { throw fault(phrase("an expression is missing, for example height <= 720p"), at: token) }
        let tree = try disjunction()
        switch token.kind {
        case .end: return tree
        case .close: throw fault(phrase("unmatched )"), at: token)
        default: throw fault(phrase("&& or || is missing here"), at: token)
        }
    }

    private mutating func disjunction() throws(PredicateFault) -> PredicateTree {
        var trees = [try conjunction()]
        while take(.or) { trees.append(try conjunction()) }
        return trees.count == 1 ? trees[0] : .any(trees)
    }

    private mutating func conjunction() throws(PredicateFault) -> PredicateTree {
        var trees = [try negation()]
        while take(.and) { trees.append(try negation()) }
        return trees.count == 1 ? trees[0] : .all(trees)
    }

    private mutating func negation() throws(PredicateFault) -> PredicateTree {
        let first = token
        guard take(.not) || take(.open) else { return try comparison() }
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthLimit else {
            throw fault(phrase("more than \(Self.depthLimit) parentheses lie in one another"), at: first)
        }
        guard first.kind == .open else { return .not(try negation()) }
        let tree = try disjunction()
        guard take(.close) else { throw fault(phrase("a closing parenthesis is missing"), at: token) }
        return tree
    }

    // MARK: - Comparisons

    private mutating func comparison() throws(PredicateFault) -> PredicateTree {
        let first = token, left = try side(), sign = token
        switch sign.kind {
        case .comparison(let comparison):
            position += 1
            let second = token
            return try compared(left, first, comparison, try side(), second, sign)
        case .isIn, .contains:
            position += 1
            let second = token
            return try contained(left, first, try side(), second, isContains: sign.kind == .contains)
        default: return try alone(left, first)
        }
    }

    private mutating func side() throws(PredicateFault) -> Side {
        let first = token
        switch first.kind {
        case .word(let word):
            position += 1
            if token.kind == .open, ["max", "min"].contains(word.lowercased()) {
                return .term(.extreme(try argument(), isMaximum: word.lowercased() == "max"))
            }
            guard let path = VariantKeyPath(name: word) else { return .values([first]) }
            return path.kind.isNumber ? .term(.path(path)) : .path(path)
        case .quoted, .number:
            position += 1
            return .values([first])
        case .listOpen: return .values(try list())
        case .end: throw fault(phrase("a value or a key path is missing at the end"), at: first)
        default: throw fault(phrase("a value or a key path is missing here"), at: first)
        }
    }

    /// The key path between the parentheses of max() and min().
    private mutating func argument() throws(PredicateFault) -> VariantKeyPath {
        position += 1
        let name = token
        guard case .word(let word) = name.kind else { throw fault(phrase("max() and min() take a key path"), at: name) }
        guard let path = VariantKeyPath(name: word) else { throw unknown(word, at: name) }
        guard path.kind.isNumber else { throw fault(phrase("max() and min() take a key path of numbers"), at: name) }
        position += 1
        guard take(.close) else { throw fault(phrase("a closing parenthesis is missing"), at: token) }
        return path
    }

    private mutating func list() throws(PredicateFault) -> [PredicateToken] {
        position += 1
        var values: [PredicateToken] = []
        while true {
            switch token.kind {
            case .word, .quoted, .number: values.append(token)
            default: throw fault(phrase("a value is missing here"), at: token)
            }
            position += 1
            if take(.listClose) { return values }
            guard take(.comma) else { throw fault(phrase("a comma or } is missing here"), at: token) }
        }
    }

    private func unknown(_ word: String, at token: PredicateToken) -> PredicateFault {
        if let near = VariantKeyPath.name(near: word) {
            return fault(phrase("unknown key path ‘\(word)’: is it \(near)?"), at: token)
        }
        return fault(
            "unknown key path ‘\(word)’, but peakBitRate, videoRange, height, frameRate, codec, formatIDs, channels …",
            at: token)
    }

    /// A comparison of two values is a mistyped key path.
    private func noPath(_ token: PredicateToken) -> PredicateFault {
        if case .word(let word) = token.kind { return unknown(word, at: token) }
        return fault(phrase("a value is compared with a value: one side takes a key path"), at: token)
    }

    private func alone(_ side: Side, _ first: PredicateToken) throws(PredicateFault) -> PredicateTree {
        switch side {
        case .term(.extreme(let path, let isMaximum)): return .extreme(path, isMaximum: isMaximum)
        case .path(let path) where path.kind == .flag: return .flag(path)
        case .values:
            if case .number = first.kind { throw fault(phrase("a number alone is a place in the list, from 1"), at: first) }
            throw noPath(first)
        case .term, .path: throw fault(phrase("a comparison is missing here, for example \(first.example)"), at: token)
        }
    }

    private func compared(
        _ left: Side, _ first: PredicateToken, _ comparison: PredicateToken.Comparison, _ right: Side, _ second: PredicateToken,
        _ sign: PredicateToken
    ) throws(PredicateFault) -> PredicateTree {
        switch (left, right) {
        case (.values(let values), .term), (.values(let values), .path):
            guard values.count == 1 else { throw fault(phrase("a list is compared by IN alone"), at: first) }
            return try compared(right, second, comparison.flipped, left, first, sign)
        case (.values, .values): throw noPath(first)
        case (.term(let a), .term(let b)):
            guard a.kind == b.kind else { throw fault(phrase("this is another kind of number than the left side"), at: second) }
            return Self.tree(a, comparison, b)
        case (.term(let term), .values(let values)):
            guard values.count == 1, second.kind != .listOpen else {
                throw fault(phrase("a list is compared by IN alone"), at: second)
            }
            if case .path(let path) = term, values[0].isNull { return try absent(path, comparison, sign) }
            return Self.tree(term, comparison, .constant(try number(values[0], for: term)))
        case (.path(let path), .values(let values)):
            guard values.count == 1, second.kind != .listOpen else {
                throw fault(phrase("a list is compared by IN alone"), at: second)
            }
            guard comparison == .equal || comparison == .unequal else {
                throw fault(phrase("this has no order: compare it by == or !="), at: sign)
            }
            if values[0].isNull, path.kind != .flag { return try absent(path, comparison, sign) }
            let tree = try equal(path, values)
            return comparison == .equal ? tree : .not(tree)
        case (.path, .path), (.path, .term), (.term, .path):
            throw fault(phrase("a value is missing here: both sides are key paths"), at: second)
        }
    }

    /// A value that a variant does not state is unequal to everything.
    private static func tree(
        _ a: PredicateTree.Term, _ comparison: PredicateToken.Comparison, _ b: PredicateTree.Term
    ) -> PredicateTree {
        comparison == .unequal ? .not(.numbers(a, .equal, b)) : .numbers(a, comparison, b)
    }

    private func absent(
        _ path: VariantKeyPath, _ comparison: PredicateToken.Comparison, _ sign: PredicateToken
    ) throws(PredicateFault) -> PredicateTree {
        switch comparison {
        case .equal: return .absent(path)
        case .unequal: return .not(.absent(path))
        default: throw fault(phrase("nil has no order: compare it by == or !="), at: sign)
        }
    }

    /// `value IN path`, `path IN {value, value}`, and `path CONTAINS value`.
    private func contained(
        _ left: Side, _ first: PredicateToken, _ right: Side, _ second: PredicateToken, isContains: Bool
    ) throws(PredicateFault) -> PredicateTree {
        switch (left, right) {
        case (.path(let path), .values(let values)), (.values(let values), .path(let path)):
            return try equal(path, values)
        case (.term(let term), .values(let values)), (.values(let values), .term(let term)):
            var trees: [PredicateTree] = []
            for value in values { trees.append(.numbers(term, .equal, .constant(try number(value, for: term)))) }
            return trees.count == 1 ? trees[0] : .any(trees)
        case (.values, .values): throw noPath(isContains || second.kind == .listOpen ? first : second)
        default: throw fault(phrase("a value is missing here: both sides are key paths"), at: second)
        }
    }

    // MARK: - Values

    private func number(_ token: PredicateToken, for term: PredicateTree.Term) throws(PredicateFault) -> Double {
        guard case .number(let value, let unit) = token.kind else { throw fault(phrase("a number is missing here"), at: token) }
        guard let kind = term.kind, let factor = kind.factor(of: unit.lowercased()) else {
            throw fault(phrase("‘\(unit)’ is not a unit of this: \(term.kind?.units ?? "")"), at: token)
        }
        return value * factor
    }

    /// One of the values.
    private func equal(_ path: VariantKeyPath, _ values: [PredicateToken]) throws(PredicateFault) -> PredicateTree {
        if path.kind == .flag {
            guard values.count == 1, let flag = values[0].flag else {
                throw fault(phrase("YES or NO is missing here"), at: values[0])
            }
            return flag ? .flag(path) : .not(.flag(path))
        }
        var words: [String] = []
        for value in values { words += try self.words(value, of: path) }
        return .words(path, words)
    }

    private func words(_ token: PredicateToken, of path: VariantKeyPath) throws(PredicateFault) -> [String] {
        let text: String
        switch token.kind {
        case .word(let word), .quoted(let word): text = word
        case .number(let value, "") where path.kind == .codecs:
            guard let code = FourCharacterCode(value) else {
                throw fault(phrase("this number is not a four-letter code"), at: token)
            }
            text = code.text
        default: throw fault(phrase("a name is missing here"), at: token)
        }
        guard path.kind == .range else { return [text] }
        let ranges: [String: [MediaVariant.VideoRange]] = [
            "sdr": [.sdr], "pq": [.pq], "hlg": [.hlg], "hdr": [.pq, .hlg], "hdr10": [.pq],
        ]
        guard let found = ranges[text.lowercased()] else {
            throw fault(phrase("‘\(text)’ is not a video range: SDR, PQ, HLG, or HDR for both of these"), at: token)
        }
        return found.map(\.rawValue)
    }
}
