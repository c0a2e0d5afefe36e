import Foundation

/// Which folders of a target name types of one another, read from the sources: those that do cannot be understood one after the other.
/// Members behind a point, comments and the words of strings are no names; code inside of a string is.
struct FolderCircles {
    /// Pairs of folders that name one another, with an example for both ways.
    let pairs: [String]
    /// Folders from which a way of names leads back to themselves, or that lie on a way between such.
    let tangled: [String]

    /// Reads all Swift files of a target, one folder deep; the files of no folder are one, too. Blocks on the file system.
    init(of target: URL) throws {
        var sources: [(folder: String, code: String)] = []
        let names = FileManager.default.enumerator(atPath: target.path)?.compactMap { $0 as? String } ?? []
        for name in names.sorted() where name.hasSuffix(".swift") {
            let text = try String(contentsOf: target.appending(path: name), encoding: .utf8)
            let folder = name.contains("/") ? String(name.prefix { $0 != "/" }) : "the root"
            sources.append((folder, Self.code(of: text)))
        }
        self.init(sources: sources)
    }

    /// The same for code without comments and strings.
    init(sources: [(folder: String, code: String)]) {
        let declaration =
            #/(?m)^(?:@\w+ )?(?:public |package |final |indirect )*(?:struct|class|enum|protocol|actor|typealias) (?<name>\w+)/#
        var homes: [String: Set<String>] = [:]
        for source in sources {
            for found in source.code.matches(of: declaration) {
                homes[String(found.output.name), default: []].insert(source.folder)
            }
        }
        var examples: [String: [String: String]] = [:]
        for source in sources {
            for name in Self.names(in: source.code) {
                guard let home = homes[name], home.count == 1, let other = home.first, other != source.folder else { continue }
                examples[source.folder, default: [:]][other] = name
            }
        }
        tangled = Self.tangled(examples.mapValues { Set($0.keys) })
        pairs = examples.keys.sorted().flatMap { first in
            (examples[first] ?? [:]).sorted { $0.key < $1.key }.compactMap { second, name in
                guard first < second, let back = examples[second]?[first] else { return nil }
                return "\(first) names \(second)'s \(name), \(second) names \(first)'s \(back)"
            }
        }
    }

    /// The folders that are left when those that name no other, and those that no other names, are taken away again and again.
    private static func tangled(_ names: [String: Set<String>]) -> [String] {
        var left = names
        while true {
            let named = left.values.reduce(into: Set<String>()) { $0.formUnion($1) }
            let kept = left.filter { named.contains($0.key) }.mapValues { $0.filter { left[$0] != nil } }.filter {
                !$0.value.isEmpty
            }
            if kept == left { return left.keys.sorted() }
            left = kept
        }
    }

    /// Words that begin with a capital and are no member of something.
    private static func names(in code: String) -> Set<String> {
        var names: Set<String> = [], word: [UInt8] = [], before: UInt8 = 0, last: UInt8 = 0
        for byte in Array(code.utf8) + [0x0A] {
            let isLetter = (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            if isLetter || byte == 0x5F || (0x30...0x39).contains(byte) {
                if word.isEmpty { before = last }
                word.append(byte)
            } else if let first = word.first {
                if (0x41...0x5A).contains(first), before != 0x2E { names.insert(String(decoding: word, as: UTF8.self)) }
                word = []
            }
            last = byte
        }
        return names
    }

    /// A file without its comments and the words of its strings.
    static func code(of text: String) -> String {
        var code = "", isLongText = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.contains("\"\"\"") {
                isLongText.toggle()
            } else if !isLongText {
                code += Self.code(ofLine: Array(line.utf8)) + "\n"
            }
        }
        return code
    }

    private static func code(ofLine line: [UInt8]) -> String {
        var code: [UInt8] = [], place = 0
        // How many brackets are open in each of the strings whose code is being read; nil on top: its words are.
        var open: [Int?] = []
        while place < line.count {
            let byte = line[place], next = place + 1 < line.count ? line[place + 1] : 0
            if case .some(nil) = open.last {
                if byte == 0x5C, next == 0x28 {
                    open[open.count - 1] = 0
                    code.append(0x20)
                } else if byte == 0x22 {
                    open.removeLast()
                }
                place += byte == 0x5C ? 2 : 1
                continue
            }
            if byte == 0x2F, next == 0x2F { break }
            if byte == 0x22 {
                open.append(nil)
            } else if let depth = open.last ?? nil {
                if byte == 0x29, depth == 0 { open[open.count - 1] = nil } else { code.append(byte) }
                if byte == 0x28 { open[open.count - 1] = depth + 1 }
                if byte == 0x29, depth > 0 { open[open.count - 1] = depth - 1 }
            } else {
                code.append(byte)
            }
            place += 1
        }
        return String(decoding: code, as: UTF8.self)
    }
}
