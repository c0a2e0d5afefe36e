import AetherCore
import AetherFormats

/// Finds where transport streams were glued together, in a source that goes anywhere at the cost of a system call: its duration and the
/// points behind a splice are known before it is played to there. Blocks on the source, whose position it moves.
///
/// The search looks at four places. A part that lies between two of them is found when it is played.
struct SpliceSearch {
    private let reader: any IOReader
    private let size: Int64
    private static let samples: Int64 = 4
    static let partLimit = 64
    /// Tables come ten times a second: within 500 kB at 40 Mbit/s.
    private static let reach: Int64 = 512 << 10
    private static let chunk = 64 << 10

    init(_ reader: any IOReader, size: Int64) { (self.reader, self.size) = (reader, size) }

    /// The offsets at which parts begin behind the first, in order.
    func places() throws(IOReaderError) -> [Int64] {
        var head = TransportSplice()
        try feed(&head, from: 0, upTo: 2048) { _ in false }
        guard head.isTransport else { return [] }
        var places: [Int64] = [], start: Int64 = 0, same: Int64 = 0
        var known = try codecs(at: 0)
        for number in 1...Self.samples {
            let place = size / Self.samples * number
            // Behind the last place there must be bytes to look at.
            let sample = number < Self.samples ? place : max(size / Self.samples * (number - 1), size - Self.reach)
            while sample > start, places.count + 1 < Self.partLimit {
                guard TransportSplice.differ(known, try codecs(at: sample)) else {
                    same = max(same, sample)
                    break
                }
                guard let place = try splice(from: max(same, start), to: sample, known), place > start else { return places }
                places.append(place)
                (start, same) = (place, place)
                known = try codecs(at: place)
            }
        }
        return places
    }

    /// The codecs by the first tables behind an offset.
    private func codecs(at offset: Int64) throws(IOReaderError) -> [Int: UInt8] {
        var watch = TransportSplice(at: offset)
        try feed(&watch, from: offset, upTo: offset + Self.reach) { !$0.codecs.isEmpty }
        return watch.codecs
    }

    /// The first splice between an offset at which the codecs are known and one behind which they are others.
    private func splice(from known: Int64, to other: Int64, _ codecs: [Int: UInt8]) throws(IOReaderError) -> Int64? {
        var (low, high) = (known, other)
        while high - low > Self.reach / 2 {
            let middle = low + (high - low) / 2
            if TransportSplice.differ(codecs, try self.codecs(at: middle)) { high = middle } else { low = middle }
        }
        var watch = TransportSplice(at: low, codecs: codecs)
        try feed(&watch, from: low, upTo: high + Self.reach) { $0.place != nil }
        return watch.place
    }

    /// Reads bytes into a watch until it has seen enough.
    private func feed(
        _ watch: inout TransportSplice, from start: Int64, upTo end: Int64, until isEnough: (TransportSplice) -> Bool
    ) throws(IOReaderError) {
        try reader.seek(to: start)
        var left = Int(clamping: min(end, size) - start)
        while left > 0, !isEnough(watch) {
            let bytes = try reader.bytes(limit: min(left, Self.chunk))
            if bytes.isEmpty { return }
            bytes.withUnsafeBytes { watch.take($0) }
            left -= bytes.count
        }
    }
}
