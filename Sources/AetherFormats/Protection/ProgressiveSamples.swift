/// The samples of a track whose table (`stbl`) lists them: of a file without fragments.
struct ProgressiveSamples {
    private let sizes: ArraySlice<UInt8>
    private let commonSize, count: Int
    private let chunks: ArraySlice<UInt8>
    private let chunkWidth: Int
    private let runs: ArraySlice<UInt8>
    private let track: MovieProtection.Track
    private let boxes: [BoxPlace]
    private let bytes: [UInt8]

    /// nil where there is none.
    init?(_ table: BoxPlace, _ track: MovieProtection.Track, in bytes: [UInt8]) {
        boxes = table.children
        (self.track, self.bytes) = (track, bytes)
        guard let sizes = table.child("stsz")?.body, let commonSize = sizes.dropFirst(4).bigEndian(4),
            let count = sizes.dropFirst(8).bigEndian(4), count > 0, let runs = table.child("stsc")?.body.dropFirst(8),
            let chunks = table.child("stco") ?? table.child("co64")
        else { return nil }
        (self.commonSize, self.sizes, self.runs) = (commonSize, sizes.dropFirst(12), runs)
        self.count = min(count, commonSize > 0 ? SampleTable.limit : self.sizes.count / 4)
        chunkWidth = chunks.kind == "stco" ? 4 : 8
        self.chunks = chunks.body.dropFirst(8)
    }

    func add(to samples: inout SampleTable) {
        var auxiliary = MovieProtection.auxiliary(boxes, in: bytes), groups = SampleGroups(boxes)
        let hasParts = auxiliary?.hasParts ?? false
        var sample = 0, run = 0
        for chunk in 0..<(chunks.count / chunkWidth) where sample < count {
            // The next run begins with its first chunk, from 1.
            while let next = field(run + 1, 0), next <= chunk + 1 { run += 1 }
            guard let length = field(run, 1), let entry = field(run, 2),
                var place = chunks.dropFirst(chunk * chunkWidth).bigEndian(chunkWidth).map({ Int64($0) })
            else { return }
            let scheme = track.entries.indices.contains(entry - 1) ? track.entries[entry - 1] : nil
            for _ in 0..<min(length, count - sample) {
                let size = commonSize > 0 ? commonSize : sizes.dropFirst(sample * 4).bigEndian(4) ?? 0
                sample += 1
                defer { place = place.saturatingAdd(Int64(size)) }
                let group = groups.next()
                guard let scheme else { continue }
                let present = track.groups.indices.contains(group - 1) ? track.groups[group - 1] : scheme
                let words = auxiliary?.next(vectorSize: present.vectorSize)
                guard present.isProtected, words != nil || present.vectorSize == 0, size > 0,
                    let number = samples.number(of: present, hasParts: hasParts)
                else { continue }
                let written = SampleTable.Entry(
                    offset: place, size: Int32(clamping: size), scheme: number, auxiliary: Int32(clamping: words ?? -1))
                guard samples.append(written) else { return }
            }
        }
    }

    /// A number of an entry of `stsc`.
    private func field(_ entry: Int, _ number: Int) -> Int? { runs.dropFirst(entry * 12 + number * 4).prefix(4).bigEndian(4) }
}
