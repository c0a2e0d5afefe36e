import Foundation

/// Encrypts fragments of MP4 by Common Encryption, for tests: the other direction of what plays, written on its own.
struct VideoCipher {
    enum Kind: String, CaseIterable { case cenc, cbcs }
    let kind: Kind
    var key: [UInt8]
    var id: [UInt8]
    let vector = (0..<16).map { UInt8($0 * 7 + 3) }
    /// Bytes at the start of each unit of video that are clear.
    var lead = 41

    private static func hex(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }
    /// As `--key` has it.
    var words: String { Self.hex(id) + ":" + Self.hex(key) }
    var keyName: String { Self.hex(id) }

    /// The body of `tenc` and `seig` for this cipher.
    private func words(isVideo: Bool) -> [UInt8] {
        let pattern: UInt8 = kind == .cbcs && isVideo ? 0x19 : 0
        return [0, pattern, 1, kind == .cenc ? 8 : 0] + id + (kind == .cbcs ? [16] + vector : [])
    }

    /// An init section.
    func head(_ bytes: [UInt8]) -> [UInt8] {
        let boxes = MP4Box.list(bytes)
        for track in boxes.flatMap({ $0.all("trak") }) {
            guard let table = track.all("stsd").first, let entry = table.children.first else { continue }
            let isVideo = entry.kind == "avc1"
            let info = MP4Box("sinf")
            let scheme = MP4Box("schi", children: [MP4Box("tenc", [kind == .cbcs ? 1 : 0, 0, 0, 0] + words(isVideo: isVideo))])
            info.children = [
                MP4Box("frma", Array(entry.kind.utf8)), MP4Box("schm", [0, 0, 0, 0] + Array(kind.rawValue.utf8) + [0, 1, 0, 0]),
                scheme,
            ]
            entry.payload += info.bytes
            entry.kind = isVideo ? "encv" : "enca"
        }
        return boxes.flatMap(\.bytes)
    }

    /// A segment. `group`: another key, said by a group of samples.
    func segment(_ bytes: [UInt8], isVideo: Bool, group: VideoCipher? = nil) -> [UInt8] {
        let boxes = MP4Box.list(bytes)
        var result: [UInt8] = []
        var sizes: [Int] = []
        for box in boxes {
            if box.kind == "moof" { sizes = prepare(box, isVideo: isVideo, group: group, data: boxes) }
            if box.kind == "mdat" {
                var place = 0
                let cipher = group ?? self
                for (number, size) in sizes.enumerated() {
                    let sample = Array(box.payload[place..<(place + size)])
                    box.payload.replaceSubrange(place..<(place + size), with: cipher.encrypted(sample, number, isVideo: isVideo))
                    place += size
                }
            }
            result += box.bytes
        }
        return result
    }

    /// Adds what a fragment says of its samples, and returns their sizes. They lie one behind the other in the next `mdat`.
    private func prepare(_ fragment: MP4Box, isVideo: Bool, group: VideoCipher?, data boxes: [MP4Box]) -> [Int] {
        let former = fragment.bytes.count
        guard let track = fragment.all("traf").first, let run = track.all("trun").first, let head = track.all("tfhd").first,
            let mdat = boxes.first(where: { $0.kind == "mdat" })
        else { return [] }
        let sizes = run.sampleSizes(head)
        var words: [UInt8] = [], lengths: [UInt8] = [], place = 0
        for (number, size) in sizes.enumerated() {
            let sample = Array(mdat.payload[place..<(place + size)])
            place += size
            let start = words.count
            if kind == .cenc { words += counter(number).prefix(8) }
            if isVideo {
                let parts = parts(sample)
                words +=
                    MP4Box.number(parts.count, 2) + parts.flatMap { MP4Box.number($0.clear, 2) + MP4Box.number($0.encrypted, 4) }
            }
            lengths.append(UInt8(words.count - start))
        }
        if let group {
            let entry = group.words(isVideo: isVideo)
            track.children += [
                MP4Box("sgpd", [1, 0, 0, 0] + Array("seig".utf8) + MP4Box.number(entry.count, 4) + MP4Box.number(1, 4) + entry),
                MP4Box(
                    "sbgp",
                    [0, 0, 0, 0] + Array("seig".utf8) + MP4Box.number(1, 4) + MP4Box.number(sizes.count, 4) + [0, 1, 0, 1]),
            ]
        }
        let hasWords = !words.isEmpty
        if hasWords {
            track.children += [
                MP4Box("saiz", [0, 0, 0, 0, 0] + MP4Box.number(lengths.count, 4) + lengths),
                MP4Box("saio", [0, 0, 0, 0] + MP4Box.number(1, 4) + MP4Box.number(0, 4)),
                MP4Box("senc", [0, 0, 0, isVideo ? 2 : 0] + MP4Box.number(sizes.count, 4) + words),
            ]
        }
        let all = fragment.bytes
        run.addToOffset(all.count - former)
        if hasWords, let aux = track.all("saio").first, let found = fragment.bytes.firstRange(of: Array("senc".utf8)) {
            aux.payload.replaceSubrange(8..<12, with: MP4Box.number(found.lowerBound + 12, 4))
        }
        return sizes
    }

    private func counter(_ number: Int) -> [UInt8] {
        [0xFF, 0xFF, 0xFF, 0xFF, 0xFF] + MP4Box.number(number + 1, 3) + [UInt8](repeating: 0, count: 8)
    }

    /// Units of four bytes of length.
    private func parts(_ sample: [UInt8]) -> [(clear: Int, encrypted: Int)] {
        var parts: [(clear: Int, encrypted: Int)] = [], place = 0
        while place + 4 <= sample.count {
            let size = 4 + sample[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }, clear = min(size, lead)
            parts.append((clear, size - clear))
            place += size
        }
        return parts
    }

    private func encrypted(_ sample: [UInt8], _ number: Int, isVideo: Bool) -> [UInt8] {
        let aes = TestAES(key), parts = isVideo ? parts(sample) : [(clear: 0, encrypted: sample.count)]
        var bytes = sample, place = 0, used = 0
        for part in parts {
            let range = (place + part.clear)..<(place + part.clear + part.encrypted)
            switch kind {
            case .cbcs: aes.chain(&bytes, range, vector: vector, stripe: isVideo ? (1, 9) : (1, 0))
            case .cenc:
                for index in range {
                    let stream = aes.block(counter(number).prefix(8) + MP4Box.number(used / 16, 8))
                    bytes[index] ^= stream[used % 16]
                    used += 1
                }
            }
            place = range.upperBound
        }
        return bytes
    }
}

/// A box of MP4 that can be changed.
final class MP4Box {
    var kind: String
    /// In front of the children.
    var payload: [UInt8]
    var children: [MP4Box]
    private static let containers = ["moov", "trak", "mdia", "minf", "stbl", "moof", "traf", "mvex"]

    init(_ kind: String, _ payload: [UInt8] = [], children: [MP4Box] = []) {
        (self.kind, self.payload, self.children) = (kind, payload, children)
    }

    static func number(_ value: Int, _ length: Int) -> [UInt8] {
        (0..<length).map { UInt8(truncatingIfNeeded: value >> (8 * (length - 1 - $0))) }
    }

    static func list(_ bytes: [UInt8]) -> [MP4Box] {
        var found: [MP4Box] = [], place = 0
        while place + 8 <= bytes.count {
            let size = bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
            let kind = String(decoding: bytes[(place + 4)..<(place + 8)], as: UTF8.self)
            let body = Array(bytes[(place + 8)..<(place + size)])
            if containers.contains(kind) {
                found.append(MP4Box(kind, children: list(body)))
            } else if kind == "stsd" {
                found.append(MP4Box(kind, Array(body.prefix(8)), children: list(Array(body.dropFirst(8)))))
            } else {
                found.append(MP4Box(kind, body))
            }
            place += size
        }
        return found
    }

    var bytes: [UInt8] {
        let body = payload + children.flatMap(\.bytes)
        return Self.number(body.count + 8, 4) + Array(kind.utf8) + body
    }

    /// It and all in it that have a kind.
    func all(_ kind: String) -> [MP4Box] { (self.kind == kind ? [self] : []) + children.flatMap { $0.all(kind) } }

    private var flags: Int { payload[1..<4].reduce(0) { $0 << 8 | Int($1) } }

    private func word(_ place: Int) -> Int { payload[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) } }

    /// Of `trun`, with the `tfhd` of its track.
    func sampleSizes(_ head: MP4Box) -> [Int] {
        var place = 8 + (flags & 1 != 0 ? 4 : 0) + (flags & 4 != 0 ? 4 : 0)
        let own = 8 + [0x1: 8, 0x2: 4, 0x8: 4].filter { head.flags & $0.key != 0 }.values.reduce(0, +)
        return (0..<word(4)).map { _ in
            if flags & 0x100 != 0 { place += 4 }
            defer { place += [0x200, 0x400, 0x800].filter { flags & $0 != 0 }.count * 4 }
            return flags & 0x200 != 0 ? word(place) : head.word(own)
        }
    }

    /// Of `trun`.
    func addToOffset(_ count: Int) { payload.replaceSubrange(8..<12, with: Self.number(word(8) + count, 4)) }
}
