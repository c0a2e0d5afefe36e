/// Keeps what an event asks for within what can be drawn in time. Scripts that people made are not changed by it.
enum ASSLimits {
    /// By tag: the largest number that it may have. Blur's cost grows with its square; letters of 2000 lines fill the largest canvas.
    private static let largest: [(tag: String, value: Double)] = [
        ("fscx", 5000), ("fscy", 5000), ("fsp", 2000), ("fs", 2000), ("xbord", 200), ("ybord", 200), ("bord", 200),
        ("xshad", 500),
        ("yshad", 500), ("shad", 500), ("blur", 40), ("be", 40), ("p", 16),
    ]
    /// Override tags in one event: karaoke by letter has some hundreds.
    private static let tagLimit = 1500

    /// The event with its numbers bounded; text behind too many tags is cut.
    static func bounded(_ markup: String) -> String {
        guard markup.contains("\\") else { return markup }
        var result = "", count = 0
        for (index, part) in markup.split(separator: "\\", omittingEmptySubsequences: false).enumerated() {
            if index == 0 {
                result += part
                continue
            }
            count += 1
            if count > tagLimit { break }
            result += "\\" + tag(part)
        }
        return result
    }

    private static func tag(_ part: Substring) -> Substring {
        for (tag, value) in largest where part.hasPrefix(tag) {
            let rest = part.dropFirst(tag.count)
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-" || $0 == "+") }
            guard !digits.isEmpty else { continue }
            guard let number = Double(digits), abs(number) > value else { return part }
            return "\(tag)\(Int(number < 0 ? -value : value))\(rest.dropFirst(digits.count))"
        }
        return part
    }
}
