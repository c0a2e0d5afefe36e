/// A shell's pattern: `*` is any text, `?` one character, all else is itself, without regard to case. Pure; takes time by the product of
/// both lengths at most.
struct FileGlob: Sendable, Equatable {
    private let pattern: [Character]

    init(_ pattern: String) { self.pattern = Array(pattern.lowercased()) }

    func matches(_ text: String) -> Bool {
        let text = Array(text.lowercased())
        var place = 0, at = 0
        // The place of the last star, and the end of what it has swallowed.
        var star: Int?, swallowed = 0
        while at < text.count {
            if place < pattern.count, pattern[place] == "*" {
                star = place
                swallowed = at
                place += 1
            } else if place < pattern.count, pattern[place] == "?" || pattern[place] == text[at] {
                place += 1
                at += 1
            } else if let last = star {
                place = last + 1
                swallowed += 1
                at = swallowed
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == "*" }
    }
}
