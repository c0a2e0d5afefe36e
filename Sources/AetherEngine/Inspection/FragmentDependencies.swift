import AetherCore
public import AetherFormats

extension SampleList {
    /// Takes in what fragments of ISO base media say of their samples, by the places that these have in the file: a demuxer does not pass it on.
    /// Heads and movie fragments are read; nothing changes for other files. Blocks as the bytes do.
    public mutating func readDependencies(of source: InspectedBytes) {
        var fragments = FragmentDependencies()
        fragments.read(source)
        guard !fragments.found.isEmpty else { return }
        for place in rows.indices {
            guard let position = rows[place].position, let flags = fragments.found[position] else { continue }
            rows[place].dependency = SampleDependency(byte: UInt8(truncatingIfNeeded: flags >> 20)).or(rows[place].dependency)
        }
    }
}

/// The `sample_flags` of fragments that say what depends on what, by the first byte of the sample in the file. Bounded by the bytes that are there.
struct FragmentDependencies {
    private(set) var found: [Int64: UInt32] = [:]
    /// Flags and size that samples of a track have where nothing else is said.
    private var defaults: [UInt32: (size: UInt32, flags: UInt32)] = [:]
    private static let fragmentLimit = 100_000, bytesLimit = 16 << 20
    /// `sample_depends_on` and `sample_is_depended_on`.
    private static let mask: UInt32 = 0x03C0_0000

    mutating func read(_ source: InspectedBytes) {
        var offset: Int64 = 0
        for _ in 0..<Self.fragmentLimit where found.count < SampleList.limit {
            guard let head = BoxHead(source.bytes(at: offset, count: BoxHead.room)) else { return }
            if head.kind == "moov" || head.kind == "moof", head.size <= Self.bytesLimit {
                let body = source.bytes(at: offset, count: head.size).dropFirst(head.length)
                if head.kind == "moov" { readMovie(body) } else { readFragment(body, at: offset) }
            }
            let (next, overflows) = offset.addingReportingOverflow(Int64(head.size))
            guard !overflows else { return }
            offset = next
        }
    }

    private mutating func readMovie(_ body: ArraySlice<UInt8>) {
        for extends in BoxReader(body) where extends.kind == "mvex" {
            for track in BoxReader(extends.body) where track.kind == "trex" && defaults.count < 1000 {
                var words = Words(track.body.dropFirst(4))
                guard let id = words.next() else { continue }
                words.skip(2)
                if let size = words.next(), let flags = words.next() { defaults[id] = (size, flags) }
            }
        }
    }

    private mutating func readFragment(_ body: ArraySlice<UInt8>, at offset: Int64) {
        // Without a base of its own a track begins where the one before has ended.
        var end = offset
        for track in BoxReader(body) where track.kind == "traf" {
            var known: (size: UInt32, flags: UInt32) = (0, 0), base = end
            for box in BoxReader(track.body) {
                var words = Words(box.body)
                guard let head = words.next() else { continue }
                if box.kind == "tfhd" {
                    guard let id = words.next() else { continue }
                    known = defaults[id] ?? known
                    if head & 0x2_0000 != 0 { base = offset }
                    if head & 1 != 0, let high = words.next(), let low = words.next() {
                        base = Int64(high & 0x7FFF_FFFF) << 32 | Int64(low)
                    }
                    words.skip(head & 2 != 0 ? 1 : 0)
                    words.skip(head & 8 != 0 ? 1 : 0)
                    if head & 0x10 != 0, let size = words.next() { known.size = size }
                    if head & 0x20 != 0, let flags = words.next() { known.flags = flags }
                    end = base
                } else if box.kind == "trun" {
                    readRun(&words, head, known, base, &end)
                }
            }
        }
    }

    /// A run of samples, from `end` on or from an offset of its own behind `base`.
    private mutating func readRun(
        _ words: inout Words, _ head: UInt32, _ known: (size: UInt32, flags: UInt32), _ base: Int64, _ end: inout Int64
    ) {
        guard let count = words.next() else { return }
        if head & 1 != 0, let shift = words.next() { end = base &+ Int64(Int32(bitPattern: shift)) }
        let first = head & 4 != 0 ? words.next() : nil
        for number in 0..<min(Int(count), SampleList.limit) where found.count < SampleList.limit {
            words.skip(head & 0x100 != 0 ? 1 : 0)
            let size = head & 0x200 != 0 ? words.next() : known.size
            let own = head & 0x400 != 0 ? words.next() : known.flags
            words.skip(head & 0x800 != 0 ? 1 : 0)
            guard let size, let own else { return }
            let flags = number == 0 ? first ?? own : own
            if flags & Self.mask != 0 { found[end] = flags }
            end = end &+ Int64(size)
        }
    }

    /// Numbers of four bytes, one after the other.
    private struct Words {
        private var rest: ArraySlice<UInt8>

        init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

        mutating func next() -> UInt32? {
            guard rest.count >= 4 else { return nil }
            defer { rest = rest.dropFirst(4) }
            return rest.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
        }

        mutating func skip(_ count: Int) { rest = rest.dropFirst(4 * count) }
    }
}
