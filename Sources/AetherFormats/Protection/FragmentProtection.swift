/// A fragment (`moof`) with encrypted samples, as a demuxer is to see it and as it is to be decrypted.
public struct FragmentProtection: Sendable {
    /// The box, with its head; of the same size as before.
    public private(set) var bytes: [UInt8]
    /// The encrypted samples; their offsets count from the first byte of the box.
    public private(set) var samples: SampleTable
    private let movie: MovieProtection
    /// The offset of the box in the file.
    private let origin: Int64
    /// Where the data of the tracks before ends.
    private var end: Int64 = 0
    /// Samples that are looked at, encrypted or not: sizes need not be written one by one.
    private var budget = 1 << 20

    /// Reads a whole box `moof` that lies at an offset of its file.
    public init(_ bytes: [UInt8], of movie: MovieProtection, at origin: Int64) {
        (self.bytes, self.movie, self.origin) = (bytes, movie, origin)
        samples = SampleTable(bytes, vector: movie.vector)
        guard let fragment = BoxPlace.list(bytes[...]).first, fragment.kind == "moof" else { return }
        for (number, box) in fragment.children.filter({ $0.kind == "traf" }).enumerated() {
            take(box.children, isFirst: number == 0)
        }
        samples.sort()
    }

    private struct Header {
        var track = 0, entry = 1, size = 0
        /// Where offsets of runs count from.
        var base: Int64 = 0
    }

    private func header(_ body: ArraySlice<UInt8>, isFirst: Bool) -> Header? {
        guard let flags = body.bigEndian(4), let id = body.dropFirst(4).bigEndian(4) else { return nil }
        var header = Header(), rest = body.dropFirst(8)
        header.track = id
        header.entry = movie.tracks[id]?.defaultEntry ?? 1
        header.size = movie.tracks[id]?.defaultSize ?? 0
        header.base = flags & 0x20000 != 0 || isFirst ? 0 : end
        if flags & 0x1 != 0 {
            guard let base = rest.bigEndian(8) else { return nil }
            header.base = Int64(base).subtractingReportingOverflow(origin).partialValue
            rest = rest.dropFirst(8)
        }
        if flags & 0x2 != 0 {
            header.entry = rest.bigEndian(4) ?? 1
            rest = rest.dropFirst(4)
        }
        if flags & 0x8 != 0 { rest = rest.dropFirst(4) }
        if flags & 0x10 != 0 { header.size = rest.bigEndian(4) ?? 0 }
        return header
    }

    private mutating func take(_ boxes: [BoxPlace], isFirst: Bool) {
        guard let box = boxes.first(where: { $0.kind == "tfhd" }), let header = header(box.body, isFirst: isFirst) else { return }
        let track = movie.tracks[header.track]
        let scheme = track.flatMap { $0.entries.indices.contains(header.entry - 1) ? $0.entries[header.entry - 1] : nil }
        let own =
            track.map { track in boxes.flatMap { $0.kind == "sgpd" ? MovieProtection.groups($0.body, track.kind) : [] } } ?? []
        var groups = SampleGroups(boxes), auxiliary = MovieProtection.auxiliary(boxes, in: bytes)
        let hasParts = auxiliary?.hasParts ?? false
        var place = header.base
        for run in boxes where run.kind == "trun" {
            guard var reading = RunReading(run.body, defaultSize: header.size) else { return }
            if let offset = reading.offset { place = header.base.saturatingAdd(offset) }
            while let size = reading.next(), budget > 0 {
                budget -= 1
                defer { place = place.saturatingAdd(Int64(size)) }
                guard let track, let scheme else { continue }
                let group = groups.next()
                let local = own.indices.contains(group - 0x10001) ? own[group - 0x10001] : nil
                let present = local ?? (track.groups.indices.contains(group - 1) ? track.groups[group - 1] : scheme)
                let words = auxiliary?.next(vectorSize: present.vectorSize)
                // Nobody says a vector: the sample is clear, as at the beginning of some films.
                guard present.isProtected, words != nil || present.vectorSize == 0, size > 0,
                    let number = samples.number(of: present, hasParts: hasParts)
                else { continue }
                let entry = SampleTable.Entry(
                    offset: place, size: Int32(clamping: size), scheme: number, auxiliary: Int32(clamping: words ?? -1))
                guard samples.append(entry) else { return }
            }
        }
        end = place
        guard track != nil else { return }
        for box in boxes where MovieProtection.isAuxiliary(box) {
            bytes.replaceSubrange((box.start + 4)..<(box.start + 8), with: Array("free".utf8))
        }
    }
}

/// The sizes of the samples of a run (`trun`).
private struct RunReading {
    /// Of the first sample; nil: behind the run before.
    private(set) var offset: Int64?
    private var rest: ArraySlice<UInt8>
    private var left: Int
    private let defaultSize: Int
    private let stride: Int
    /// Of the size in the words of a sample; nil where there is none.
    private let sizePlace: Int?

    init?(_ body: ArraySlice<UInt8>, defaultSize: Int) {
        guard let flags = body.bigEndian(4), let count = body.dropFirst(4).bigEndian(4) else { return nil }
        rest = body.dropFirst(8)
        self.defaultSize = defaultSize
        if flags & 0x1 != 0 {
            guard let written = rest.bigEndian(4) else { return nil }
            offset = Int64(Int32(truncatingIfNeeded: written))
            rest = rest.dropFirst(4)
        }
        if flags & 0x4 != 0 { rest = rest.dropFirst(4) }
        let fields = [0x100, 0x200, 0x400, 0x800].filter { flags & $0 != 0 }
        stride = fields.count * 4
        sizePlace = flags & 0x200 != 0 ? (flags & 0x100 != 0 ? 4 : 0) : nil
        left = min(count, stride > 0 ? rest.count / stride : 1 << 18)
    }

    mutating func next() -> Int? {
        guard left > 0 else { return nil }
        left -= 1
        defer { rest = rest.dropFirst(stride) }
        return sizePlace.flatMap { rest.dropFirst($0).bigEndian(4) } ?? defaultSize
    }
}
