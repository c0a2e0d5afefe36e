import AetherFormats

/// Changes in an init section that libavformat does not make. Pure; what it does not find it leaves alone.
enum SegmentHeader {
    private struct Place {
        /// Of the box itself, and of its contents.
        let start, body, end: Int
    }

    /// Tells in `dec3` that E-AC-3 carries Dolby Atmos (ETSI TS 103 420, 8.3): a flag and the number of objects.
    static func addAtmos(to bytes: inout [UInt8], complexity: Int) {
        // Behind the fields of an audio sample entry, 28 bytes, come its boxes.
        let path: [(name: String, skip: Int)] = [
            ("moov", 0), ("trak", 0), ("mdia", 0), ("minf", 0), ("stbl", 0), ("stsd", 8), ("ec-3", 28), ("dec3", 0),
        ]
        var places: [Place] = []
        var range = (0, bytes.count)
        for step in path {
            guard let place = find(step.name, in: bytes, range) else { return }
            places.append(place)
            range = (place.body + step.skip, place.end)
        }
        guard let last = places.last, last.end <= bytes.count else { return }
        bytes.insert(contentsOf: [1, UInt8(clamping: complexity)], at: last.end)
        for place in places { grow(&bytes, at: place.start, by: 2) }
    }

    /// Names the sample entry of HEVC as that of Dolby Vision which nobody else plays (profile 5): FFmpeg 5.1 does not write that name.
    static func nameDolbyVision(in bytes: inout [UInt8]) {
        var range = (0, bytes.count)
        for (name, skip) in [("moov", 0), ("trak", 0), ("mdia", 0), ("minf", 0), ("stbl", 0), ("stsd", 8)] {
            guard let place = find(name, in: bytes, range) else { return }
            range = (place.body + skip, place.end)
        }
        guard let entry = find("hvc1", in: bytes, range) else { return }
        bytes.replaceSubrange(entry.start + 4..<entry.start + 8, with: "dvh1".utf8)
    }

    private static func find(_ name: String, in bytes: [UInt8], _ range: (Int, Int)) -> Place? {
        guard range.0 <= range.1 else { return nil }
        var rest = bytes[range.0..<range.1]
        // A box with a long size is none of libavformat's init sections, and `grow` could not grow it.
        while let head = BoxHead(rest), head.size <= rest.count, head.length == 8 {
            let start = rest.startIndex
            if head.kind == name { return Place(start: start, body: start + head.length, end: start + head.size) }
            rest = rest.dropFirst(head.size)
        }
        return nil
    }

    private static func grow(_ bytes: inout [UInt8], at place: Int, by count: Int) {
        let size = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } + count
        for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: size >> (8 * (3 - index))) }
    }
}
