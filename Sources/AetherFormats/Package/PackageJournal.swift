import AetherCore

/// The contents of a package by its journal: a line for each finished file, written once the file is on disk. A value.
public struct PackageJournal: Sendable, Equatable {
    /// The most renditions and keys of a package, and the most bytes of a journal: 2^18 segments of four renditions are 200 MB.
    public static let renditionLimit = 1000, keyLimit = 10_000, sizeLimit = 256 << 20

    /// The finished files of each rendition: segments and gaps by their numbers, init sections by theirs.
    public private(set) var segments: [Int: [Int64: PackageEntry]] = [:]
    /// Init sections.
    public private(set) var maps: [Int: [Int64: PackageEntry]] = [:]
    /// Files that are fetched piece by piece, by rendition: the number of bytes on disk, and the server's tag of the file.
    public private(set) var pieces: [Int: PackageEntry] = [:]
    /// Bytes at its end that are no whole line: it was being written when the power failed.
    public private(set) var isTorn = false

    /// Nothing.
    public init() {}

    /// Reads a journal. Lines that are no entry are left out; of several lines for one file the last one counts.
    public init(_ bytes: [UInt8]) {
        for line in bytes.split(separator: 0x0A) {
            // A line that cannot be read is that of a file that is not finished.
            guard line.endIndex < bytes.endIndex, let json = try? JSON(line) else {
                isTorn = true
                continue
            }
            if let number = json["forget"]?.integer { forget(number) } else if let entry = PackageEntry(json) { take(entry) }
        }
    }

    /// A line that takes back all of a rendition.
    public static func forgetting(_ rendition: Int) -> String {
        JSON.object(["forget": JSON(rendition)]).line + "\n"
    }

    /// Takes in a finished file.
    public mutating func take(_ entry: PackageEntry) {
        switch entry.kind {
        case .segment, .gap: segments[entry.rendition, default: [:]][entry.number] = entry
        case .map: maps[entry.rendition, default: [:]][entry.number] = entry
        case .piece: pieces[entry.rendition] = entry
        }
    }

    /// Nothing of a rendition is there any more.
    public mutating func forget(_ rendition: Int) {
        (segments[rendition], maps[rendition], pieces[rendition]) = (nil, nil, nil)
    }

    /// A finished file is not there.
    public mutating func drop(_ entry: PackageEntry) {
        switch entry.kind {
        case .segment, .gap: segments[entry.rendition]?[entry.number] = nil
        case .map: maps[entry.rendition]?[entry.number] = nil
        case .piece: pieces[entry.rendition] = nil
        }
    }

    /// The segments of a rendition in their order, with those that no server has.
    public func list(_ rendition: Int) -> [PackageEntry] {
        (segments[rendition] ?? [:]).values.sorted { ($0.start, $0.number) < ($1.start, $1.number) }
    }

    /// Bytes that are there.
    public func bytes(_ rendition: Int) -> Int64 {
        let all = [segments[rendition], maps[rendition]].compactMap { $0?.values }.joined()
        return all.reduce(pieces[rendition]?.size ?? 0) { $0.saturatingAdd($1.size) }
    }

    /// All entries as text, in a new journal.
    public var text: String {
        var lines: [String] = []
        for number in Set(segments.keys).union(maps.keys).union(pieces.keys).sorted() {
            lines += (maps[number] ?? [:]).values.sorted { $0.number < $1.number }.map(\.line)
            lines += list(number).map(\.line)
            if let piece = pieces[number] { lines.append(piece.line) }
        }
        return lines.joined()
    }
}
