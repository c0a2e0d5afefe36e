/// The tables of a track (`stbl`), unrolled to samples.
struct TrackSamples {
    private let bytes: [UInt8]
    private let times, offsets, chunks, sizes, places, keys, dependencies: ArraySlice<UInt8>?
    private let isLong: Bool, hasKeys: Bool, isEncrypted: Bool
    private let fixedSize: Int, count: Int

    /// Samples are shown in another order than decoded, perhaps.
    var hasOffsets: Bool { offsets != nil }
    /// All samples last equally long.
    var isEven: Bool { times.flatMap { $0.dropFirst(4).bigEndian(4) } == 1 }

    /// nil where a table is missing, or no file of that size can hold the samples.
    init?(_ table: BoxPlace, in bytes: [UInt8], fileSize: Int64?) {
        var boxes: [String: ArraySlice<UInt8>] = [:]
        for box in table.children { boxes[box.kind] = box.body }
        guard let size = boxes["stsz"], let fixed = size.dropFirst(4).bigEndian(4), let count = size.dropFirst(8).bigEndian(4),
            let places = boxes["stco"] ?? boxes["co64"], let times = boxes["stts"], let chunks = boxes["stsc"],
            boxes["stps"] == nil, fixed == 0 || count <= Int(clamping: fileSize ?? 1 << 40) / fixed
        else { return nil }
        self.bytes = bytes
        (self.times, offsets, self.chunks, self.places) = (times, boxes["ctts"], chunks, places)
        (sizes, keys, dependencies) = (fixed == 0 ? size.dropFirst(12) : nil, boxes["stss"], boxes["sdtp"]?.dropFirst(4))
        (isLong, hasKeys, fixedSize) = (boxes["stco"] == nil, boxes["stss"] != nil, fixed)
        // A table of one size may count anything; the sizes of others are there, four bytes each.
        self.count = fixed == 0 ? min(count, (size.count - 12) / 4) : count
        let entry = boxes["stsd"]?.dropFirst(12).prefix(4)
        isEncrypted = entry.map { $0.starts(with: "enc".utf8) } ?? false
    }

    /// The samples, at most `limit`; nil where tables contradict one another.
    func rows(stream: Int, limit: Int) -> [SampleRow]? {
        // Whole samples of one size in PCM are read in pieces: how a demuxer cuts them is its own affair.
        guard fixedSize == 0 || fixedSize > 64, let chunks, let places, let times else { return nil }
        var rows: [SampleRow] = []
        rows.reserveCapacity(min(count, limit))
        return bytes.withUnsafeBufferPointer { all -> [SampleRow]? in
            func word(_ slice: ArraySlice<UInt8>, _ place: Int) -> Int? {
                let at = slice.startIndex + place
                guard place >= 0, at + 4 <= slice.endIndex else { return nil }
                return Int(all[at]) << 24 | Int(all[at + 1]) << 16 | Int(all[at + 2]) << 8 | Int(all[at + 3])
            }
            var time = Runs(times, entry: 8), offset = offsets.map { Runs($0, entry: 8) }
            let chunkCount = word(places, 4) ?? 0, runCount = word(chunks, 4) ?? 0
            var run = 0, clock: Int64 = 0, key = 0, nextKey = keys.flatMap { word($0, 8) } ?? 0
            var number = 0
            for chunk in 1...max(1, min(chunkCount, 1 << 24)) where chunkCount > 0 {
                while run + 1 < runCount, let first = word(chunks, 8 + (run + 1) * 12), first <= chunk { run += 1 }
                let high = isLong ? word(places, 8 + (chunk - 1) * 8) : 0
                guard let samples = word(chunks, 8 + run * 12 + 4), let high,
                    let low = word(places, isLong ? 12 + (chunk - 1) * 8 : 8 + (chunk - 1) * 4)
                else { break }
                var position = Int64(high) << 32 | Int64(low)
                for _ in 0..<samples {
                    guard number < count, rows.count < limit else { return rows }
                    let size = fixedSize > 0 ? fixedSize : sizes.flatMap { word($0, number * 4) } ?? 0
                    number += 1
                    let delta = Int64(time.next(word) ?? 0)
                    let shift = Int64(Int32(truncatingIfNeeded: offset?.next(word) ?? 0))
                    let isKey = !hasKeys || number == nextKey
                    if isKey, hasKeys {
                        key += 1
                        nextKey = keys.flatMap { word($0, 8 + key * 4) } ?? 0
                    }
                    var row = SampleRow(
                        stream: stream, number: number, pts: clock &+ shift, dts: clock, duration: delta, position: position,
                        size: size,
                        isKey: isKey)
                    (row.part, row.isEncrypted) = (chunk, isEncrypted)
                    if let dependencies, number <= dependencies.count {
                        row.dependency = SampleDependency(byte: all[dependencies.startIndex + number - 1]).or(row.dependency)
                    }
                    rows.append(row)
                    clock &+= delta
                    position &+= Int64(size)
                }
            }
            return rows
        }
    }

    /// A table of runs: so many times that value.
    private struct Runs {
        private let table: ArraySlice<UInt8>
        private let entry: Int
        private var place = 0, left = 0, value = 0

        init(_ table: ArraySlice<UInt8>, entry: Int) { (self.table, self.entry) = (table, entry) }

        mutating func next(_ word: (ArraySlice<UInt8>, Int) -> Int?) -> Int? {
            while left == 0 {
                guard let count = word(table, 8 + place * entry), let value = word(table, 12 + place * entry) else { return nil }
                (left, self.value, place) = (count, value, place + 1)
            }
            left -= 1
            return value
        }
    }
}
