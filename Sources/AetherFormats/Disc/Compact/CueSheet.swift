import AetherCore

/// The sheet of a compact disc's image: its files, its tracks and where they begin. Lines that are not understood are left out; the number of
/// tracks, files and letters is bounded. Pure.
public struct CueSheet: Sendable, Equatable {
    /// A file that tracks lie in.
    public struct File: Sendable, Equatable {
        /// The ways in which a file holds tracks.
        public enum Kind: Sendable, Equatable {
            /// Sectors, and samples with the low byte first.
            case binary
            /// Sectors, and samples with the high byte first.
            case motorola
            /// Samples behind a header (RIFF).
            case wave
            /// Another format of audio, as the sheet names it.
            case other(String)
        }
        /// The name as the sheet has it: not safe to display, and perhaps a path of another system.
        public let name: String
        /// The way in which it holds tracks.
        public let kind: Kind

        /// A file.
        public init(name: String, kind: Kind) { (self.name, self.kind) = (name, kind) }
    }

    /// The disc's title and performer, safe to display; "" where the sheet has none.
    public private(set) var title = "", performer = ""
    /// The disc's number, 13 digits; "" where the sheet has none.
    public private(set) var catalog = ""
    /// The file with the disc's texts (CD-Text), as the sheet names it; "" where it names none.
    public private(set) var textFile = ""
    /// The files in the order of the sheet.
    public private(set) var files: [File] = []
    /// The tracks in the order of the sheet.
    public private(set) var tracks: [SheetTrack] = []
    /// The letters of a sheet that is no Unicode: names of files may be meant byte by byte. nil for Unicode.
    public private(set) var letters: ListLetters?

    /// Bytes that are looked at: 99 tracks with long texts are some ten thousand.
    public static let sizeLimit = 1 << 20
    /// A disc has at most 99 tracks.
    public static let trackLimit = 99
    /// The words that a sheet's lines begin with.
    private static let commands: Set<String> = [
        "REM", "FILE", "TRACK", "INDEX", "TITLE", "PERFORMER", "SONGWRITER", "CATALOG", "CDTEXTFILE", "ISRC", "FLAGS", "PREGAP",
        "POSTGAP",
    ]

    /// Reads a sheet; nil where there is no track in a file.
    public init?(_ bytes: [UInt8]) {
        let bytes = Array(bytes.prefix(Self.sizeLimit))
        let (text, letters) = PlaylistDocument.text(bytes)
        self.letters = letters
        for line in PlaylistDocument.lines(text) { read(PlaylistDocument.trimmed(line)) }
        // A track without a beginning is none.
        tracks.removeAll { $0.indices.isEmpty }
        if tracks.isEmpty { return nil }
    }

    /// The sheet of one image that holds all sectors of a disc; nil without tracks. The texts need not be safe.
    public init?(tracks: [SheetTrack], title: String, performer: String) {
        guard !tracks.isEmpty, tracks.count <= Self.trackLimit else { return nil }
        self.tracks = tracks
        files = [File(name: "disc", kind: .binary)]
        self.title = DisplayText.singleLine(title, limit: 200)
        self.performer = DisplayText.singleLine(performer, limit: 200)
    }

    /// Whether bytes begin as a sheet does: the first word that is not empty is one of its commands.
    public static func isSheet(_ head: [UInt8]) -> Bool {
        guard
            let line = PlaylistDocument.lines(PlaylistDocument.text(head).text).first(where: {
                !PlaylistDocument.trimmed($0).isEmpty
            })
        else { return false }
        let words = Self.words(PlaylistDocument.trimmed(line))
        return words.count > 1 && commands.contains(words[0].uppercased())
    }

    /// Whether a part of it lies in sectors: it is a disc's image and no list of audio files.
    public var isDisc: Bool { tracks.contains { files[$0.file].kind == .binary || files[$0.file].kind == .motorola } }

    private mutating func read(_ line: String) {
        let words = Self.words(line)
        guard words.count >= 2 else { return }
        let last = tracks.indices.last
        switch words[0].uppercased() {
        case "FILE": readFile(line, words)
        case "TRACK": readTrack(words)
        case "INDEX": readIndex(words)
        case "PREGAP": if let last, let length = Self.frames(words[1]) { tracks[last].pregap = length }
        case "POSTGAP": if let last, let length = Self.frames(words[1]) { tracks[last].postgap = length }
        case "TITLE": name(words[1], \.title, \.title)
        case "PERFORMER": name(words[1], \.performer, \.performer)
        case "ISRC": if let last { tracks[last].isrc = Self.code(words[1]) }
        case "CATALOG": catalog = Self.code(words[1])
        case "CDTEXTFILE": if words[1].utf8.count <= PlaylistDocument.locationLimit { textFile = words[1] }
        default: break
        }
    }

    /// Takes the disc's own texts where the sheet has none.
    public mutating func fill(_ text: DiscText) {
        if title.isEmpty { title = text.titles[0] ?? "" }
        if performer.isEmpty { performer = text.performers[0] ?? "" }
        for index in tracks.indices {
            if tracks[index].title.isEmpty { tracks[index].title = text.titles[tracks[index].number] ?? "" }
            if tracks[index].performer.isEmpty { tracks[index].performer = text.performers[tracks[index].number] ?? "" }
        }
    }

    private mutating func name(
        _ text: String, _ own: WritableKeyPath<CueSheet, String>, _ track: WritableKeyPath<SheetTrack, String>
    ) {
        let text = DisplayText.singleLine(text, limit: 200)
        if let last = tracks.indices.last { tracks[last][keyPath: track] = text } else { self[keyPath: own] = text }
    }

    private mutating func readFile(_ line: String, _ words: [String]) {
        guard files.count < Self.trackLimit else { return }
        let (name, kind) = PlaylistDocument.nameAndKind(line, words)
        guard !name.isEmpty, name.utf8.count <= PlaylistDocument.locationLimit,
            !name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
        else { return }
        files.append(File(name: name, kind: Self.kind(kind.uppercased())))
    }

    private static func kind(_ word: String) -> File.Kind {
        switch word {
        case "BINARY": .binary
        case "MOTOROLA": .motorola
        case "WAVE": .wave
        default: .other(DisplayText.singleLine(word, limit: 20))
        }
    }

    private mutating func readTrack(_ words: [String]) {
        guard !files.isEmpty, tracks.count < Self.trackLimit, let number = Int(words[1]), 1...99 ~= number else { return }
        let mode = words.count > 2 ? words[2].uppercased() : "AUDIO"
        tracks.append(SheetTrack(number: number, layout: SectorLayout(mode: mode), file: files.count - 1))
    }

    /// A track whose pause lies at the end of the file before it begins in the file of its index 01.
    private mutating func readIndex(_ words: [String]) {
        guard let last = tracks.indices.last, words.count >= 3, let number = Int(words[1]), 0...99 ~= number,
            let frame = Self.frames(words[2])
        else { return }
        if tracks[last].file != files.count - 1 {
            guard tracks[last].start == nil else { return }
            tracks[last].move(toFile: files.count - 1)
        }
        tracks[last].put(number, at: frame)
    }

    /// Minutes, seconds and frames of 1/75 s, as a number of frames; nil for anything else.
    static func frames(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ 1...4 ~= $0.utf8.count && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }),
            let minutes = Int(parts[0]), let seconds = Int(parts[1]), let frames = Int(parts[2]), seconds < 60, frames < 75
        else { return nil }
        return (minutes * 60 + seconds) * 75 + frames
    }

    private static func code(_ text: String) -> String {
        String(
            text.unicodeScalars.filter { $0.isASCII && ($0.properties.isAlphabetic || 0x30...0x39 ~= $0.value) }.prefix(13).map(
                Character.init))
    }

    /// Words between spaces; those in quotes are one. At most eight of them.
    private static func words(_ line: String) -> [String] {
        var words: [String] = [], rest = line[...]
        func isSpace(_ character: Character) -> Bool { character == " " || character == "\t" }
        while words.count < 8 {
            rest = rest.drop(while: isSpace)
            guard let first = rest.first else { break }
            if first == "\"" {
                let body = rest.dropFirst(), end = body.firstIndex(of: "\"") ?? body.endIndex
                words.append(String(body[..<end]))
                rest = end < body.endIndex ? body[body.index(after: end)...] : ""
            } else {
                let end = rest.firstIndex(where: isSpace) ?? rest.endIndex
                words.append(String(rest[..<end]))
                rest = rest[end...]
            }
        }
        return words
    }
}
