/// The resource that one of our addresses names. Pure: no path of the file system is ever made from an address.
enum ServedRoute: Equatable {
    case page, script, master, chapters
    /// Tracks of another quality are counted from its hundred on.
    case playlist(track: Int)
    case header(track: Int, version: Int)
    case segment(track: Int, number: Int)

    /// `token`: the first part of every address, where there is one.
    init?(_ path: String, token: String? = nil) {
        guard path.utf8.count <= 256, path.hasPrefix("/") else { return nil }
        var parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        if let token {
            guard let first = parts.first, Self.isSame(first, token) else { return nil }
            parts.removeFirst()
        }
        switch parts.count {
        // "/token" alone would make relative addresses lead beside it.
        case 1 where parts[0].isEmpty: self = .page
        case 1 where parts[0] == "player.js": self = .script
        case 1 where parts[0] == "master.m3u8": self = .master
        case 1 where parts[0] == "chapters.json": self = .chapters
        case 2:
            guard let track = Self.number(parts[0]), track < 100 * (Companion.limit + 1) else { return nil }
            let file = parts[1]
            if file == "index.m3u8" {
                self = .playlist(track: track)
            } else if file.hasPrefix("init"), file.hasSuffix(".mp4"), let version = Self.number(file.dropFirst(4).dropLast(4)) {
                self = .header(track: track, version: version)
            } else if file.hasSuffix(".m4s") || file.hasSuffix(".vtt"), let number = Self.number(file.dropLast(4)) {
                self = .segment(track: track, number: number)
            } else {
                return nil
            }
        default: return nil
        }
    }

    /// Digits alone, and no name twice: 007 is not 7.
    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.count <= 9, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            text == "0" || text.first != "0"
        else { return nil }
        return Int(text)
    }

    /// In a time that does not tell how many letters are right.
    private static func isSame(_ text: Substring, _ token: String) -> Bool {
        let (a, b) = (Array(text.utf8), Array(token.utf8))
        return a.count == b.count && zip(a, b).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
