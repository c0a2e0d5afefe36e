/// A sentence of the sources that has a place in the catalogues.
public struct SourceSentence: Sendable, Hashable {
    /// The English sentence, with %1, %2 … for its values.
    public var key: String
    /// The sentence for other counts than one; nil for those without a count.
    public var plural: String?
    /// The word that tells it from others that are the same in English; "" for most.
    public var context = ""

    /// The sentence as catalogues name it.
    public var name: String { context.isEmpty ? key : context + "\u{4}" + key }

    /// The sentences of a source file, in order: the literals in `translated(…)` and `phrase(…)`, of each `.translated(…, value: …)` (the help of an
    /// option) both, and of each `MediaError` its operation and what is a whole reason.
    public static func all(in source: String) -> [SourceSentence] {
        var scan = SourceScan(Array(source.utf8))
        return scan.sentences()
    }
}

/// A walk through the bytes of a source file.
private struct SourceScan {
    private let bytes: [UInt8]
    private var found: [SourceSentence] = []

    init(_ bytes: [UInt8]) { self.bytes = bytes + Array(repeating: 0, count: 16) }

    mutating func sentences() -> [SourceSentence] {
        var place = 0
        while place < bytes.count - 16 {
            switch bytes[place] {
            case UInt8(ascii: "/") where bytes[place + 1] == UInt8(ascii: "/"):
                while place < bytes.count - 16, bytes[place] != UInt8(ascii: "\n") { place += 1 }
            case UInt8(ascii: "t") where isCall("translated(", at: place): sentence(at: place + 11)
            case UInt8(ascii: ".") where has(".translated(", at: place): help(at: place + 12)
            case UInt8(ascii: "p") where isCall("phrase(", at: place): sentence(at: place + 7)
            case UInt8(ascii: "M") where isCall("MediaError(", at: place): failure(at: place + 11)
            case UInt8(ascii: "T") where isCall("TerminalError(", at: place): failure(at: place + 14)
            default: break
            }
            place += 1
        }
        return found
    }

    private func has(_ word: String, at place: Int) -> Bool {
        place + word.utf8.count <= bytes.count && bytes[place..<place + word.utf8.count].elementsEqual(word.utf8)
    }

    private func isCall(_ word: String, at place: Int) -> Bool {
        guard has(word, at: place) else { return false }
        guard place > 0 else { return true }
        let before = bytes[place - 1]
        let isName =
            before == UInt8(ascii: "_") || before == UInt8(ascii: ".")
            || (before | 0x20) >= UInt8(ascii: "a") && (before | 0x20) <= UInt8(ascii: "z")
        return !isName && !(place >= 5 && has("func ", at: place - 5))
    }

    private func past(_ characters: String, at place: Int) -> Int {
        var place = place
        while characters.utf8.contains(bytes[place]) { place += 1 }
        return place
    }

    private mutating func sentence(at start: Int) {
        var place = past(" \n", at: start)
        if has("one:", at: place) {
            guard let one = literal(at: past(" \n", at: place + 4)) else { return }
            place = past(" \n,", at: one.end)
            guard has("other:", at: place), let other = literal(at: past(" \n", at: place + 6)) else { return }
            found.append(SourceSentence(key: one.key, plural: other.key))
            return
        }
        guard let text = literal(at: place), !text.key.isEmpty else { return }
        place = past(" \n,", at: text.end)
        let context = has("context:", at: place) ? literal(at: past(" \n", at: place + 8))?.key : nil
        found.append(SourceSentence(key: text.key, context: context ?? ""))
    }

    /// The help of an option, and the word for its value.
    private mutating func help(at start: Int) {
        guard let text = literal(at: past(" \n", at: start)), !text.key.isEmpty else { return }
        found.append(SourceSentence(key: text.key))
        let place = past(" \n,", at: text.end)
        guard has("value:", at: place), let word = literal(at: past(" \n", at: place + 6)) else { return }
        found.append(SourceSentence(key: word.key, context: "value"))
    }

    /// The operation is the second argument.
    private mutating func failure(at start: Int) {
        var place = start, depth = 0, argument = 0, isReason = false
        while depth >= 0, place < bytes.count - 16 {
            switch bytes[place] {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: ",") where depth == 0:
                argument += 1
                isReason = has("reason:", at: past(" \n", at: place + 1))
            case UInt8(ascii: "\""):
                guard let text = literal(at: place) else { return }
                if depth == 0, !text.key.isEmpty, !text.hasValues, isReason || argument == 1 {
                    found.append(SourceSentence(key: text.key, context: argument == 1 ? "operation" : ""))
                }
                place = text.end - 1
            default: break
            }
            place += 1
        }
    }

    /// A string literal as a key, of one line or of several; nil where none begins. `end`: behind its quotes.
    private func literal(at start: Int) -> (key: String, end: Int, hasValues: Bool)? {
        guard bytes[start] == UInt8(ascii: "\"") else { return nil }
        let quotes = has("\"\"\"\n", at: start) ? "\"\"\"" : "\"", margin = quotes == "\"" ? 0 : margin(at: start)
        var key: [UInt8] = [], values = 0
        var place = quotes == "\"" ? start + 1 : line(at: start + 4, margin)
        while place < bytes.count - 16, !has(quotes, at: place) {
            guard bytes[place] == UInt8(ascii: "\\") else {
                key.append(bytes[place])
                place = bytes[place] == UInt8(ascii: "\n") ? line(at: place + 1, margin) : place + 1
                continue
            }
            place += 1
            switch bytes[place] {
            case UInt8(ascii: "("):
                values += 1
                key += Array("%\(values)".utf8)
                place = behindInterpolation(at: place + 1)
                continue
            case UInt8(ascii: "\n"):
                place = line(at: place + 1, margin)
                continue
            case UInt8(ascii: "n"): key.append(UInt8(ascii: "\n"))
            case UInt8(ascii: "t"): key.append(UInt8(ascii: "\t"))
            case UInt8(ascii: "u"):
                let end = bytes[place...].firstIndex(of: UInt8(ascii: "}")) ?? place
                let digits = String(decoding: bytes[min(place + 2, end)..<end], as: UTF8.self)
                key += Array(String(UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init).map(Character.init) ?? " ").utf8)
                place = end
            default: key.append(bytes[place])
            }
            place += 1
        }
        // The line feed before the last quotes is not of the text.
        if quotes != "\"", key.last == UInt8(ascii: "\n") { key.removeLast() }
        return (String(decoding: key, as: UTF8.self), place + quotes.utf8.count, values > 0)
    }

    /// The spaces before the last quotes of a literal of several lines: all its lines have them.
    private func margin(at start: Int) -> Int {
        var place = start + 3
        while place < bytes.count - 16, !has("\"\"\"", at: place) { place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1 }
        return bytes[..<place].reversed().prefix { $0 == UInt8(ascii: " ") }.count
    }

    /// The first byte of a line behind its margin.
    private func line(at start: Int, _ margin: Int) -> Int {
        bytes[start...].prefix(margin).allSatisfy { $0 == UInt8(ascii: " ") } ? min(start + margin, bytes.count - 16) : start
    }

    private func behindInterpolation(at start: Int) -> Int {
        var place = start, depth = 1
        while depth > 0, place < bytes.count - 16 {
            switch bytes[place] {
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth -= 1
            case UInt8(ascii: "\""):
                if let inner = literal(at: place) {
                    place = inner.end
                    continue
                }
            default: break
            }
            place += 1
        }
        return place
    }
}
