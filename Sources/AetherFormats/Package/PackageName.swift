/// The names of files in a package. All are made here, of counters and a few endings, and never of a manifest's texts.
public enum PackageName {
    /// The list of variants, the description and the journal.
    public static let master = "master.m3u8", index = "index.json", journal = "journal.log"
    /// The files that a run writes before the description: all that lies in a folder where it was killed right then.
    public static let first: Set = [journal, journal + ".new", index + ".new"]
    /// The list of segments in a rendition's folder.
    public static let list = "media.m3u8"
    /// The ending of a file that is being written.
    public static let draft = ".part"

    /// The folder of a rendition.
    public static func folder(_ number: Int) -> String { "r\(number)" }

    /// The file of a key.
    public static func key(_ number: Int) -> String { "key\(number).bin" }

    /// The file of a segment or an init section.
    public static func file(_ kind: PackageEntry.Kind, _ number: Int64, ending: String) -> String {
        (kind == .map ? "i" : "s") + "\(number).\(ending)"
    }

    /// Whether a word may be the name of a file in a package: letters, digits and dots, with a letter or digit first, 80 at most.
    public static func isFile(_ name: String) -> Bool {
        guard (1...80).contains(name.utf8.count), let first = name.utf8.first, isWord(first) else { return false }
        return name.utf8.allSatisfy { isWord($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
    }

    /// Whether a name is that of a rendition's folder.
    public static func isFolder(_ name: String) -> Bool { name.first == "r" && isNumber(name.dropFirst()) }

    /// Whether a name is that of a key's file.
    public static func isKey(_ name: String) -> Bool {
        name.hasPrefix("key") && name.hasSuffix(".bin") && isNumber(name.dropFirst(3).dropLast(4))
    }

    /// Whether a file of a rendition's folder may be of the package: a list, a segment, an init section, or a draft.
    public static func isInFolder(_ name: String) -> Bool {
        guard isFile(name) else { return false }
        if name == list || name == list + ".new" || name.hasSuffix(draft) { return true }
        return (name.first == "s" || name.first == "i") && isNumber(name.dropFirst().prefix { $0 != "." })
    }

    private static func isNumber(_ text: Substring) -> Bool {
        (1...19).contains(text.utf8.count) && text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }

    /// The ending for a file by its first bytes; players know media by them, and refuse others.
    public static func ending(_ head: some Collection<UInt8>, kind: Group.Kind, written: Substring) -> String {
        let bytes = Array(head.prefix(64))
        switch Container(head: head) {
        case .isoBMFF?: return kind == .audio ? "m4a" : "m4s"
        case .mpegTS?: return "ts"
        case .matroska?: return "webm"
        default: break
        }
        let text = String(decoding: bytes.drop { [0xEF, 0xBB, 0xBF].contains($0) || $0 <= 0x20 }, as: UTF8.self)
        if text.hasPrefix("WEBVTT") { return "vtt" }
        if text.hasPrefix("<") { return "ttml" }
        if bytes.starts(with: [0xFF, 0xD8]) { return "jpg" }
        if bytes.starts(with: [0x89, 0x50]) { return "png" }
        let said = written.drop { $0 != "." }.lowercased()
        for ending in ["aac", "ac3", "ec3", "eac3", "mp3", "vtt", "ts"] where said.hasSuffix(".\(ending)") {
            return ending == "eac3" ? "ec3" : ending
        }
        return switch kind {
        case .audio: "aac"
        case .text: "vtt"
        default: "ts"
        }
    }

    /// The name of a package for a title that strangers have made up: without slashes, control characters, and dots or dashes in front; 100
    /// bytes at most.
    public static func package(title: String) -> String {
        var name = ""
        for character in title {
            let isBad = character.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F || $0 == "/" || $0 == "\\" }
            if isBad || character == ":" {
                if name.last != " " { name.append(" ") }
            } else if character != " " || name.last != " " {
                guard name.utf8.count + character.utf8.count <= 100 else { break }
                name.append(character)
            }
        }
        let rest = name.drop { $0 == "." || $0 == "-" || $0 == " " }
        let clean = String(rest.reversed().drop { $0 == " " || $0 == "." }.reversed())
        return (clean.isEmpty ? "download" : clean) + ".aepkg"
    }
}
