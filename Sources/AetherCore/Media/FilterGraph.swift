/// A graph of libavfilter's filters as a person writes it (`--vf`, `--af`), taken apart: `hflip,eq=contrast=1.2`, or with named joints
/// `split[a][b];[b]vflip[c];[a][c]hstack`. The library never sees the text: it is asked for each filter by a name that stands in
/// `FilterNames`, so that none reads or writes files, opens connections, loads programs, or changes how long the media is.
public struct FilterGraph: Sendable, Equatable, CustomStringConvertible {
    /// The samples that a graph is for.
    public enum Medium: String, Sendable { case video, audio }

    /// One filter of a graph.
    public struct Filter: Sendable, Equatable {
        /// The library's name.
        public let name: String
        /// Its options as the library takes them, without the quotes of the graph; "" for none.
        public let options: String
        /// The joints that lead into it and out of it.
        public let inputs, outputs: [String]
        /// No comma leads from another filter here.
        public let beginsChain: Bool
        /// Where its name stands in the text, from 1.
        public let column: Int
    }

    /// The text as it was given.
    public let text: String
    /// The medium that it filters.
    public let medium: Medium
    /// The filters in the order of the text; at least one.
    public let filters: [Filter]

    /// Bytes of a text at most.
    public static let longestText = 2048
    /// Filters of a graph at most.
    public static let mostFilters = 32

    /// Takes a text apart. Throws the first fault.
    public init(_ text: String, _ medium: Medium) throws(FilterFault) {
        guard text.utf8.count <= Self.longestText else { throw FilterFault(1, "more than \(Self.longestText) bytes") }
        var reader = FilterReader(text)
        filters = try reader.filters(medium)
        self.text = text
        self.medium = medium
    }

    /// The filters that can be used, in alphabetical order.
    public static func names(_ medium: Medium) -> [String] {
        (medium == .video ? FilterNames.video : FilterNames.audio).sorted()
    }

    /// The text.
    public var description: String { text }
}

/// Reads the text of a graph from left to right, by libavfilter's rules of quoting: a backslash takes the next character as it is, and so
/// do single quotes all that is between them.
private struct FilterReader {
    private let characters: [Character]
    private var place = 0

    init(_ text: String) { characters = Array(text) }

    private var next: Character? { place < characters.count ? characters[place] : nil }

    mutating func filters(_ medium: FilterGraph.Medium) throws(FilterFault) -> [FilterGraph.Filter] {
        if let bad = characters.firstIndex(where: { $0.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } }) {
            throw FilterFault(bad + 1, "a control character")
        }
        var filters: [FilterGraph.Filter] = [], beginsChain = true
        while true {
            filters.append(try filter(medium, beginsChain: beginsChain))
            guard filters.count <= FilterGraph.mostFilters else {
                throw FilterFault(place, "more than \(FilterGraph.mostFilters) filters")
            }
            skipSpace()
            guard let separator = next else { return filters }
            guard separator == "," || separator == ";" else { throw FilterFault(place + 1, "a comma or semicolon is missing") }
            place += 1
            beginsChain = separator == ";"
        }
    }

    private mutating func filter(_ medium: FilterGraph.Medium, beginsChain: Bool) throws(FilterFault) -> FilterGraph.Filter {
        let inputs = try labels()
        skipSpace()
        let column = place + 1
        let name = word()
        if next == "@" {
            place += 1
            _ = word()
        }
        guard !name.isEmpty else { throw FilterFault(column, "the name of a filter is missing") }
        if let reason = FilterNames.refusal(of: name, medium) {
            throw FilterFault(column, reason, unknownName: FilterNames.isKnown(name) ? nil : name)
        }
        var options = ""
        skipSpace()
        if next == "=" {
            place += 1
            options = try quoted(until: "[,;")
            if let reason = FilterNames.refusal(of: options, for: name) { throw FilterFault(column, reason) }
        }
        let outputs = try labels()
        return FilterGraph.Filter(
            name: name, options: options, inputs: inputs, outputs: outputs, beginsChain: beginsChain, column: column)
    }

    /// "[a][b]".
    private mutating func labels() throws(FilterFault) -> [String] {
        var labels: [String] = []
        skipSpace()
        while next == "[" {
            let column = place + 1
            place += 1
            let label = word()
            guard !label.isEmpty, next == "]" else { throw FilterFault(column, "a joint is a name in brackets, such as [a]") }
            place += 1
            labels.append(label)
            skipSpace()
        }
        return labels
    }

    private mutating func word() -> String {
        var word = ""
        while let character = next, character.isASCII, character.isLetter || character.isNumber || character == "_" {
            word.append(character)
            place += 1
        }
        return word
    }

    private mutating func quoted(until ends: String) throws(FilterFault) -> String {
        var text = "", bare = 0
        skipSpace()
        while let character = next, !ends.contains(character) {
            place += 1
            switch character {
            case "\\":
                guard let taken = next else { throw FilterFault(place, "nothing follows the backslash") }
                place += 1
                text.append(taken)
                bare = text.count
            case "'":
                let column = place
                while let inner = next, inner != "'" {
                    text.append(inner)
                    place += 1
                }
                guard next == "'" else { throw FilterFault(column, "the quote has no end") }
                place += 1
                bare = text.count
            default: text.append(character)
            }
        }
        // Spaces at the end are none of the value's, unless they were quoted.
        while text.count > bare, text.last == " " { text.removeLast() }
        return text
    }

    private mutating func skipSpace() { while next == " " { place += 1 } }
}
