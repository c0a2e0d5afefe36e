/// Where the tracks of a sheet lie in its files' bytes, and on the disc. Pure.
public struct TrackMap: Sendable, Equatable {
    /// A track.
    public struct Place: Sendable, Equatable {
        /// Its index among the sheet's tracks.
        public let track: Int
        /// Its sectors.
        public let layout: SectorLayout
        /// Its file among the sheet's.
        public let file: Int
        /// The bytes of its file at which its pause (index 00) begins, at which it begins itself (index 01), and at which it ends.
        public let pause, start, end: Int64
        /// The sector of the disc at which it begins, behind the two seconds before the first.
        public let sector: Int
    }
    /// The tracks in their order, without those that lie behind the ends of their files or whose mode is not known.
    public private(set) var places: [Place] = []

    /// `sizes`: the bytes of each of the sheet's files.
    public init(_ sheet: CueSheet, sizes: [Int64]) {
        var passed = 0
        for file in sheet.files.indices where file < sizes.count {
            let tracks = sheet.tracks.indices.filter { sheet.tracks[$0].file == file && sheet.tracks[$0].layout != nil }
            passed += append(sheet, tracks, size: max(0, sizes[file]), passed: passed)
        }
        places.sort { $0.track < $1.track }
    }

    /// Takes in the tracks of a file. Returns its sectors on the disc.
    private mutating func append(_ sheet: CueSheet, _ indices: [Int], size: Int64, passed: Int) -> Int {
        var beginnings: [(index: Int, layout: SectorLayout, pause: Int64, start: Int64, sector: Int)] = []
        var frame = 0, byte: Int64 = 0, added = 0, layout: SectorLayout?
        for index in indices {
            let track = sheet.tracks[index]
            guard let own = track.layout, let start = track.start else { continue }
            let first = track.pause ?? start
            // Two tracks at one place, or one before its predecessor: the sheet is wrong there.
            guard first >= frame, start >= first, beginnings.isEmpty || start > frame else { continue }
            let pause = byte + Int64(first - frame) * Int64((layout ?? own).size),
                begin = pause + Int64(start - first) * Int64(own.size)
            guard begin < size else { continue }
            // That of the first track is the two seconds from which the disc's sectors are counted.
            if passed > 0 || !beginnings.isEmpty { added += track.pregap }
            beginnings.append((index, own, pause, begin, passed + added + start))
            (frame, byte, layout) = (start, begin, own)
            added += track.postgap
        }
        for (order, place) in beginnings.enumerated() {
            let end = order + 1 < beginnings.count ? beginnings[order + 1].pause : size
            places.append(
                Place(
                    track: place.index, layout: place.layout, file: sheet.tracks[place.index].file, pause: place.pause,
                    start: place.start, end: max(place.start, end), sector: place.sector))
        }
        return frame + added + Int(clamping: (size - byte) / Int64((layout ?? .audio).size))
    }
}
