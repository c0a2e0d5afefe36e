/// A fragment (`moof`) with encrypted samples, as a demuxer is to see it and as it is to be decrypted.
public struct FragmentProtection: Sendable {
    /// The box, with its head; its size stays the same.
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

    private mutating func take(_ boxes: [BoxPlace], isFirst: Bool) {
        guard let box = boxes.first(where: { $0.kind == "tfhd" }),
            var header = TrackFragmentHeader(box.body, origin: origin, before: isFirst ? 0 : end)
        else { return }
        let track = movie.tracks[header.track]
        header.complete(entry: track?.defaultEntry ?? 1, size: track?.defaultSize ?? 0)
        let scheme = track.flatMap { $0.entries.indices.contains(header.entry - 1) ? $0.entries[header.entry - 1] : nil }
        let own =
            track.map { track in boxes.flatMap { $0.kind == "sgpd" ? MovieProtection.groups($0.body, track.kind) : [] } } ?? []
        var groups = SampleGroups(boxes), auxiliary = MovieProtection.auxiliary(boxes, in: bytes)
        let hasParts = auxiliary?.hasParts ?? false
        var place = header.base
        for run in boxes where run.kind == "trun" {
            guard var reading = TrackRun(run.body, defaultSize: header.size) else { return }
            if let offset = reading.offset { place = header.base.saturatingAdd(offset) }
            while let size = reading.next(), budget > 0 {
                budget -= 1
                defer { place = place.saturatingAdd(Int64(size)) }
                guard let track, let scheme else { continue }
                let group = groups.next()
                let local = own.indices.contains(group - 0x10001) ? own[group - 0x10001] : nil
                let present = local ?? (track.groups.indices.contains(group - 1) ? track.groups[group - 1] : scheme)
                let words = auxiliary?.next(vectorSize: present.vectorSize)
                // A sample without a vector is clear, as at the beginning of some videos.
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
