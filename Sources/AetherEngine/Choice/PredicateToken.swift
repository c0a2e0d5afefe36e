import AetherCore

/// A part of an expression over variants.
struct PredicateToken: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        /// Letters and what belongs to names: `videoAttributes.videoRange`, `hvc1`, `ac-3`.
        case word(String)
        /// Between quotation marks.
        case quoted(String)
        /// `5M`: the number, and the unit behind it as it is written.
        case number(Double, unit: String)
        case comparison(Comparison)
        case and, or, not, isIn, contains
        case open, close, listOpen, listClose, comma
        case end
    }
    enum Comparison: Sendable, Equatable {
        case equal, unequal, less, lessOrEqual, greater, greaterOrEqual

        /// With its sides changed over.
        var flipped: Comparison {
            switch self {
            case .equal, .unequal: self
            case .less: .greater
            case .lessOrEqual: .greaterOrEqual
            case .greater: .less
            case .greaterOrEqual: .lessOrEqual
            }
        }

        func holds(_ left: Double, _ right: Double) -> Bool {
            switch self {
            case .equal: left == right
            case .unequal: left != right
            case .less: left < right
            case .lessOrEqual: left <= right
            case .greater: left > right
            case .greaterOrEqual: left >= right
            }
        }
    }

    let kind: Kind
    /// Its first character in the expression, from 0.
    let place: Int
}

/// Takes an expression apart.
struct PredicateTokens {
    /// Bytes of an expression at most: a person's longest has some hundred.
    static let lengthLimit = 4096

    let text: [Character]
    private var position = 0

    init(_ text: String) throws(PredicateFault) {
        let isTooLong = text.utf8.count > Self.lengthLimit
        self.text = Array(isTooLong ? String(text.prefix(Self.lengthLimit)) : text)
        if isTooLong { throw fault(phrase("an expression has \(Self.lengthLimit) bytes at most"), at: 0) }
    }

    func fault(_ reason: Phrase, at place: Int) -> PredicateFault { PredicateFault(translated(reason), in: text, at: place) }

    /// The tokens to the end, and the end.
    mutating func all() throws(PredicateFault) -> [PredicateToken] {
        var tokens: [PredicateToken] = []
        while true {
            while position < text.count, text[position].isWhitespace { position += 1 }
            let place = position
            guard place < text.count else {
                tokens.append(PredicateToken(kind: .end, place: place))
                return tokens
            }
            tokens.append(PredicateToken(kind: try next(), place: place))
        }
    }

    private mutating func next() throws(PredicateFault) -> PredicateToken.Kind {
        let first = text[position]
        if let sign = sign() { return sign }
        if first == "\"" || first == "'" { return try quoted(first) }
        if Self.isDigit(first) { return try number() }
        if Self.isLetter(first) { return Self.keyword(take(while: Self.isOfName)) }
        if first == "%" {
            throw fault(phrase("‘%’ has no value here: write it in its place"), at: position)
        }
        throw fault(phrase("‘\(first)’ is not understood"), at: position)
    }

    private mutating func sign() -> PredicateToken.Kind? {
        let second = position + 1 < text.count ? text[position + 1] : " "
        let (kind, length): (PredicateToken.Kind, Int)
        switch (text[position], second) {
        case ("&", "&"): (kind, length) = (.and, 2)
        case ("|", "|"): (kind, length) = (.or, 2)
        case ("=", "="): (kind, length) = (.comparison(.equal), 2)
        case ("=", "<"), ("<", "="): (kind, length) = (.comparison(.lessOrEqual), 2)
        case ("=", ">"), (">", "="): (kind, length) = (.comparison(.greaterOrEqual), 2)
        case ("!", "="), ("<", ">"): (kind, length) = (.comparison(.unequal), 2)
        case ("=", _): (kind, length) = (.comparison(.equal), 1)
        case ("<", _): (kind, length) = (.comparison(.less), 1)
        case (">", _): (kind, length) = (.comparison(.greater), 1)
        case ("!", _): (kind, length) = (.not, 1)
        case ("(", _): (kind, length) = (.open, 1)
        case (")", _): (kind, length) = (.close, 1)
        case ("{", _): (kind, length) = (.listOpen, 1)
        case ("}", _): (kind, length) = (.listClose, 1)
        case (",", _): (kind, length) = (.comma, 1)
        default: return nil
        }
        position += length
        return kind
    }

    /// A backslash takes what follows as it is.
    private mutating func quoted(_ mark: Character) throws(PredicateFault) -> PredicateToken.Kind {
        let start = position
        var value = ""
        position += 1
        while position < text.count {
            let character = text[position]
            position += 1
            if character == mark { return .quoted(value) }
            if character == "\\", position < text.count {
                value.append(text[position])
                position += 1
            } else {
                value.append(character)
            }
        }
        throw fault(phrase("this quotation has no end"), at: start)
    }

    private mutating func number() throws(PredicateFault) -> PredicateToken.Kind {
        let start = position
        var digits = take(while: Self.isDigit)
        if position + 1 < text.count, text[position] == ".", Self.isDigit(text[position + 1]) {
            position += 1
            digits += "." + take(while: Self.isDigit)
        }
        guard let value = Double(digits), value < 1e18 else { throw fault(phrase("this number is too large"), at: start) }
        return .number(value, unit: take { Self.isLetter($0) || Self.isDigit($0) })
    }

    private mutating func take(while fits: (Character) -> Bool) -> String {
        let start = position
        while position < text.count, fits(text[position]) { position += 1 }
        return String(text[start..<position])
    }

    private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }
    private static func isLetter(_ character: Character) -> Bool { character.isASCII && (character.isLetter || character == "_") }
    private static func isOfName(_ character: Character) -> Bool {
        isLetter(character) || isDigit(character) || character == "." || character == "-"
    }

    private static func keyword(_ word: String) -> PredicateToken.Kind {
        switch word.uppercased() {
        case "AND": .and
        case "OR": .or
        case "NOT": .not
        case "IN": .isIn
        case "CONTAINS": .contains
        default: .word(word)
        }
    }
}

extension PredicateToken {
    /// `nil` or `NULL`.
    var isNull: Bool {
        if case .word(let word) = kind { ["nil", "null"].contains(word.lowercased()) } else { false }
    }

    var flag: Bool? {
        switch kind {
        case .word(let word): ["yes": true, "true": true, "no": false, "false": false][word.lowercased()]
        case .number(1, ""): true
        case .number(0, ""): false
        default: nil
        }
    }

    /// A comparison that begins with this key path.
    var example: String {
        guard case .word(let word) = kind, let path = VariantKeyPath(name: word) else { return "peakBitRate < 5M" }
        return switch path.kind {
        case .rate: "\(word) < 5M"
        case .pixels: "\(word) <= 1280"
        case .lines: "\(word) <= 720p"
        case .frames: "\(word) <= 30"
        case .count, .score: "\(word) >= 2"
        case .range: "\(word) == PQ"
        case .codecs: "\(word) == hvc1"
        case .languages: "\(word) == en"
        case .text: "\(word) == \"name\""
        case .flag: "\(word) == YES"
        }
    }
}
