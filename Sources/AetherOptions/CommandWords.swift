/// The words of a command line before they are parsed.
public enum CommandWords {
    /// Words in which `--name=` is `--name` and an empty word. The parser takes the word behind it for the value, which is a file where a script has
    /// written `--log=$LOG film.mkv` and the variable is not set. Pure.
    public static func withEmptyValues(_ words: [String]) -> [String] {
        let end = words.firstIndex(of: "--") ?? words.endIndex
        return words[..<end].flatMap { word in
            let isEmpty = word.utf8.count > 3 && word.hasPrefix("--") && word.firstIndex(of: "=") == word.indices.last
            return isEmpty ? [String(word.dropLast()), ""] : [word]
        } + words[end...]
    }
}
