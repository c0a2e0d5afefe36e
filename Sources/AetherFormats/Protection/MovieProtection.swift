import AetherCore

/// The encryption that the head of a file (`moov`) states, track by track.
///
/// `bytes` are the head as a demuxer is to see it: the tracks whose keys are there look clear. Nothing changes its size, so that all offsets
/// stay right.
public struct MovieProtection: Sendable {
    struct Track: Sendable {
        /// Of each sample entry; nil for a clear one.
        var entries: [SampleScheme?] = []
        /// The groups `seig` of the whole track.
        var groups: [SampleScheme] = []
        var defaultSize = 0, defaultEntry = 1
        /// For entries without one.
        var kind = SampleScheme.Kind.cenc
    }

    /// The box, with its head.
    public private(set) var bytes: [UInt8]
    /// The encrypted samples of a file without fragments, by their offsets in it.
    public private(set) var samples: SampleTable
    /// Keys that tracks need and that were not given: those tracks stay as they are.
    public private(set) var missing: Set<KeyID> = []
    private(set) var tracks: [Int: Track] = [:]
    let vector: [UInt8]?

    /// Whether any track is to be decrypted.
    public var isNeeded: Bool { !tracks.isEmpty }

    /// Reads a whole box `moov`.
    public init(_ bytes: [UInt8], keys: ContentKeys) {
        (self.bytes, vector) = (bytes, keys.commonVector)
        samples = SampleTable(bytes, vector: vector)
        guard let movie = BoxPlace.list(bytes[...]).first, movie.kind == "moov" else { return }
        var changes: [(place: Int, kind: [UInt8])] = []
        for box in movie.children where box.kind == "trak" {
            guard let id = Self.number(of: box), tracks.count < 512, let table = box.descendant("mdia", "minf", "stbl"),
                let description = table.child("stsd"), var (track, words) = Self.track(description)
            else { continue }
            for group in table.children where group.kind == "sgpd" { track.groups += Self.groups(group.body, track.kind) }
            let names = Set(track.entries.compactMap { $0 }.filter { $0.isProtected && !$0.key.isZero }.map(\.key))
            guard names.allSatisfy({ keys.key($0) != nil }), !keys.isEmpty else {
                missing.formUnion(names.filter { keys.key($0) == nil })
                continue
            }
            words += table.children.filter { Self.isAuxiliary($0) }.map { ($0.start + 4, Array("free".utf8)) }
            tracks[id] = track
            changes += words
            ProgressiveSamples(table, track, in: bytes)?.add(to: &samples)
        }
        for box in movie.child("mvex")?.children ?? [] where box.kind == "trex" {
            guard let id = box.body.dropFirst(4).bigEndian(4) else { continue }
            tracks[id]?.defaultEntry = box.body.dropFirst(8).bigEndian(4) ?? 1
            tracks[id]?.defaultSize = box.body.dropFirst(16).bigEndian(4) ?? 0
        }
        samples.sort()
        for change in changes { self.bytes.replaceSubrange(change.place..<(change.place + 4), with: change.kind) }
    }

    /// The number of a track (`trak`); nil where nothing says it.
    static func number(of track: BoxPlace) -> Int? {
        guard let head = track.child("tkhd")?.body, let version = head.first else { return nil }
        return head.dropFirst(version == 0 ? 12 : 20).bigEndian(4)
    }

    /// The schemes of the sample entries, and the words that make them look clear; nil where none is encrypted.
    private static func track(_ description: BoxPlace) -> (Track, [(place: Int, kind: [UInt8])])? {
        var track = Track(), changes: [(place: Int, kind: [UInt8])] = []
        for entry in BoxPlace.list(description.body.dropFirst(8)).prefix(64) {
            guard ["encv", "enca", "enct", "encs", "encm"].contains(entry.kind), let info = schemeInfo(entry.body),
                let format = info.child("frma")?.body, format.count == 4,
                let name = info.child("schm")?.body.dropFirst(4).prefix(4),
                let kind = SampleScheme.Kind(rawValue: String(decoding: name, as: UTF8.self)),
                let box = info.descendant("schi", "tenc"), let scheme = SampleScheme(kind, box.body.dropFirst(4))
            else {
                track.entries.append(nil)
                continue
            }
            track.entries.append(scheme)
            track.kind = kind
            changes += [(entry.start + 4, Array(format)), (info.start + 4, Array("free".utf8))]
        }
        return changes.isEmpty ? nil : (track, changes)
    }

    /// The box `sinf` in a sample entry, whose own fields are of many kinds: found by its name.
    private static func schemeInfo(_ entry: ArraySlice<UInt8>) -> BoxPlace? {
        var distance = 4
        while let next = BytePattern("sinf").first(in: entry, from: distance) {
            let found = entry.startIndex + next
            if let head = BoxHead(entry[(found - 4)...]),
                head.size <= entry.endIndex - found + 4
            {
                let body = entry[(found - 4)..<(found - 4 + head.size)].dropFirst(head.length)
                let box = BoxPlace(kind: head.kind, start: found - 4, body: body)
                if box.child("frma") != nil { return box }
            }
            distance = next + 1
        }
        return nil
    }

    // MARK: - Groups

    /// The boxes that speak of encryption, which a demuxer must not see of clear samples.
    static func isAuxiliary(_ box: BoxPlace) -> Bool {
        switch box.kind {
        case "senc", "saiz", "saio": true
        case "sgpd", "sbgp": box.body.dropFirst(4).prefix(4).elementsEqual("seig".utf8)
        case "uuid": box.body.prefix(16).elementsEqual(piff)
        default: false
        }
    }

    /// `senc` before it was a standard.
    private static let piff: [UInt8] = [
        0xA2, 0x39, 0x4F, 0x52, 0x5A, 0x9B, 0x4F, 0x14, 0xA2, 0x44, 0x6C, 0x42, 0x7C, 0x64, 0x8D, 0xF4,
    ]

    /// The encryption data of each sample.
    static func auxiliary(_ boxes: [BoxPlace], in bytes: [UInt8]) -> AuxiliaryWalk? {
        for box in boxes {
            if box.kind == "senc" { return AuxiliaryWalk(box.body, in: bytes) }
            if box.kind == "uuid", isAuxiliary(box) { return AuxiliaryWalk(box.body.dropFirst(16), in: bytes) }
        }
        return nil
    }

    /// The entries of `sgpd` with the type `seig`; none of another.
    static func groups(_ body: ArraySlice<UInt8>, _ kind: SampleScheme.Kind) -> [SampleScheme] {
        guard let version = body.first, body.dropFirst(4).prefix(4).elementsEqual("seig".utf8) else { return [] }
        var rest = body.dropFirst(8), length = 20
        if version >= 1 {
            length = rest.bigEndian(4) ?? 0
            rest = rest.dropFirst(4)
        }
        if version >= 2 { rest = rest.dropFirst(4) }
        guard let count = rest.bigEndian(4) else { return [] }
        rest = rest.dropFirst(4)
        var found: [SampleScheme] = []
        for _ in 0..<min(count, 1000) {
            var size = length
            if version >= 1, length == 0 {
                size = rest.bigEndian(4) ?? 0
                rest = rest.dropFirst(4)
            }
            guard size >= 20, size <= rest.count, let scheme = SampleScheme(kind, rest.prefix(size)) else { return found }
            found.append(scheme)
            rest = rest.dropFirst(size)
        }
        return found
    }
}

/// The group of each sample, in order (`sbgp`): 0 for none.
struct SampleGroups {
    private var runs: [(count: Int, group: Int)] = []
    private var place = 0, used = 0

    /// Of the first box of the type `seig`.
    init(_ boxes: [BoxPlace]) {
        guard let body = boxes.first(where: { $0.kind == "sbgp" && MovieProtection.isAuxiliary($0) })?.body,
            let version = body.first
        else { return }
        var rest = body.dropFirst(version == 0 ? 8 : 12)
        let count = rest.bigEndian(4) ?? 0
        rest = rest.dropFirst(4)
        for _ in 0..<min(count, rest.count / 8) {
            guard let length = rest.bigEndian(4), let group = rest.dropFirst(4).bigEndian(4) else { return }
            runs.append((length, group))
            rest = rest.dropFirst(8)
        }
    }

    /// The group of the next sample.
    mutating func next() -> Int {
        while place < runs.count, used >= runs[place].count { (place, used) = (place + 1, 0) }
        guard place < runs.count else { return 0 }
        used += 1
        return runs[place].group
    }
}
