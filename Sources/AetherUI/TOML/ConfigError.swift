import AetherCore

/// An error in a settings file, and its place.
public struct ConfigError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file as it was named.
    public let file: String
    /// The line, from 1; nil where the whole file is meant.
    public let line: Int?
    /// The key, for example "profile.anime.volume"; nil where none is meant.
    public let key: String?
    /// The fault, and the remedy.
    public let reason: String

    init(file: String, line: Int? = nil, key: String? = nil, reason: String) {
        self.file = DisplayText.singleLine(file)
        self.line = line
        self.key = key.map { DisplayText.singleLine($0, limit: 100) }
        self.reason = DisplayText.singleLine(reason)
    }

    /// One line: "config.toml:12: volume: …".
    public var description: String {
        let place = line.map { ":\($0)" } ?? ""
        let subject = key.map { " \($0):" } ?? ""
        return "\(file)\(place):\(subject) \(reason)"
    }

    /// "; did you mean …?" where one of the words is near, else "".
    static func suggestion(for word: String, among words: [String]) -> String {
        let word = word.lowercased()
        guard word.utf8.count <= 60 else { return "" }
        // Of two that are as near, the one that begins alike: "qit" is "quit" rather than "fit".
        let nearest = words.map { ($0, distance(word, $0.lowercased()), $0.lowercased().first == word.first ? 0 : 1) }
            .min { ($0.1, $0.2, $0.0) < ($1.1, $1.2, $1.0) }
        guard let nearest, nearest.1 <= max(1, min(3, word.count / 3)) else { return "" }
        return translated("; did you mean \"\(nearest.0)\"?")
    }

    /// The number of letters that must be put in, taken out, replaced or swapped with their neighbour (optimal string alignment).
    static func distance(_ a: String, _ b: String) -> Int {
        let a = Array(a), b = Array(b)
        var before: [Int] = [], last = Array(0...b.count)
        for i in 0..<a.count {
            var row = [i + 1]
            for j in 0..<b.count {
                var best = min(row[j] + 1, last[j + 1] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, before[j - 1] + 1) }
                row.append(best)
            }
            (before, last) = (last, row)
        }
        return last[b.count]
    }
}
