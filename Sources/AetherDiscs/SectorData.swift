import AetherCore
import AetherFormats
import Glibc

/// The user data of runs behind one another. It has no position.
struct SectorData: Sendable {
    let runs: [SectorRun]
    /// Those of the sheet.
    let files: [SectorFile]
    /// Where each run begins, and behind the last the end.
    private let starts: [Int64]
    /// Sectors of one look at the image.
    private static let readLimit = 32

    init(_ runs: [SectorRun], files: [SectorFile]) {
        (self.runs, self.files) = (runs, files)
        starts = runs.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
    }

    /// Bytes of user data.
    var count: Int64 { starts[starts.count - 1] }

    /// Reads user data from a place on; 0 at the end. Blocks. Moves no position.
    func read(at place: Int64, _ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        guard place >= 0, place < count else { return 0 }
        // The first that begins behind the place, found by halves: a disc has two hundred.
        var (low, high) = (0, starts.count - 1)
        while low + 1 < high {
            let middle = (low + high) / 2
            if starts[middle] <= place { low = middle } else { high = middle }
        }
        let run = runs[low], within = place - starts[low]
        let wanted = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(Int(clamping: run.count - within)))
        guard let number = run.file, files.indices.contains(number) else {
            wanted.initializeMemory(as: UInt8.self, repeating: 0)
            return wanted.count
        }
        let file = files[number]
        if run.layout.isPlain {
            return file.isSwapped && run.layout.content == .audio
                ? try Self.swapped(file, run.offset, within, wanted) : try file.read(at: run.offset + within, wanted)
        }
        return try Self.sectors(file, run, within, wanted)
    }

    /// Samples with their bytes exchanged: whole ones, or half of one.
    private static func swapped(
        _ file: SectorFile, _ offset: Int64, _ within: Int64, _ buffer: UnsafeMutableRawBufferPointer
    ) throws(IOReaderError) -> Int {
        guard within & 1 == 0, buffer.count > 1 else {
            var pair: (UInt8, UInt8) = (0, 0)
            let count = try withTyped(&pair) { pair throws(IOReaderError) in try file.fill(at: offset + within & ~1, pair) }
            guard count == 2 else { return 0 }
            buffer[0] = within & 1 == 0 ? pair.1 : pair.0
            return 1
        }
        let count =
            try file.fill(
                at: offset + within, UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(min(buffer.count, 64 << 10) & ~1)))
            & ~1
        for place in stride(from: 0, to: count, by: 2) { buffer.swapAt(place, place + 1) }
        return count
    }

    private static func withTyped<Value, Result>(
        _ value: inout Value, _ body: (UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Result
    ) throws(IOReaderError) -> Result {
        var failure: IOReaderError?
        let result = withUnsafeMutableBytes(of: &value) { buffer -> Result? in
            do throws(IOReaderError) {
                return try body(buffer)
            } catch {
                failure = error
                return nil
            }
        }
        guard let result else { throw failure ?? .closed }
        return result
    }

    /// The user data of sectors. In place of what a sector of form 1 has less there are zeros, which every demuxer passes over: so the place of a
    /// byte needs no look at the sectors before it.
    private static func sectors(
        _ file: SectorFile, _ run: SectorRun, _ within: Int64, _ buffer: UnsafeMutableRawBufferPointer
    ) throws(IOReaderError) -> Int {
        let layout = run.layout, payload = layout.payload
        let first = within / Int64(payload), skipped = Int(within % Int64(payload))
        let wanted = min(readLimit, (skipped + buffer.count + payload - 1) / payload)
        let raw = UnsafeMutableRawBufferPointer.allocate(byteCount: wanted * layout.size, alignment: 16)
        defer { raw.deallocate() }
        let filled = try file.fill(at: run.offset + first * Int64(layout.size), raw)
        var count = 0
        for sector in 0..<(filled / layout.size) where count < buffer.count {
            let bytes = UnsafeRawBufferPointer(rebasing: raw[(sector * layout.size)..<((sector + 1) * layout.size)])
            let begin = sector == 0 ? skipped : 0, room = min(payload - begin, buffer.count - count)
            let there = max(0, min(room, layout.count(bytes) - begin))
            let target = UnsafeMutableRawBufferPointer(rebasing: buffer[count..<(count + room)])
            target.initializeMemory(as: UInt8.self, repeating: 0)
            target.copyBytes(from: bytes[(layout.header + begin)..<(layout.header + begin + there)])
            count += room
        }
        return count
    }

    /// User data from a place on, at most `limit` bytes. Blocks.
    func bytes(at place: Int64, limit: Int) throws(IOReaderError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(clamping: min(Int64(limit), max(0, count - place)))), filled = 0
        while filled < bytes.count {
            var failure: IOReaderError?
            let count = bytes.withUnsafeMutableBytes { buffer -> Int in
                do throws(IOReaderError) {
                    return try read(at: place + Int64(filled), UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
                } catch {
                    failure = error
                    return 0
                }
            }
            if let failure { throw failure }
            if count == 0 { break }
            filled += count
        }
        return Array(bytes[..<filled])
    }

    /// The same data over readers of its own; nil where there can be none.
    func independent() -> SectorData? {
        let own = files.compactMap { $0.independent() }
        return own.count == files.count ? SectorData(runs, files: own) : nil
    }
}
