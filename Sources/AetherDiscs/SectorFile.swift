import AetherCore
import AetherFormats
import Glibc

/// The bytes of a file of a sheet in which tracks lie.
struct SectorFile: Sendable {
    let reader: any IOReader
    /// Where the first sector begins, and the bytes from there on.
    let offset, byteCount: Int64
    /// Samples have their high byte first.
    let isSwapped: Bool

    init(_ reader: any IOReader, isSwapped: Bool) {
        (self.reader, offset, byteCount, self.isSwapped) = (reader, 0, reader.size ?? 0, isSwapped)
    }

    private init(_ reader: any IOReader, offset: Int64, byteCount: Int64, isSwapped: Bool) {
        (self.reader, self.offset, self.byteCount, self.isSwapped) = (reader, offset, byteCount, isSwapped)
    }

    /// Headers of RIFF that are looked at before the samples: a cover may lie among them.
    private static let chunkLimit = 64

    /// The samples of a WAVE file as a disc has them; nil where they are others. Blocks.
    init?(wave reader: any IOReader) throws(IOReaderError) {
        func bytes(_ place: Int64, _ count: Int) throws(IOReaderError) -> [UInt8] {
            try reader.seek(to: place)
            return try reader.bytes(limit: count)
        }
        func number(_ bytes: ArraySlice<UInt8>) -> Int64 { bytes.reversed().reduce(0) { $0 << 8 | Int64($1) } }
        let size = reader.size ?? 0, head = try bytes(0, 12)
        guard head.count == 12, head.starts(with: "RIFF".utf8), head[8...].elementsEqual("WAVE".utf8) else { return nil }
        var place: Int64 = 12, isFitting = false
        for _ in 0..<Self.chunkLimit {
            let chunk = try bytes(place, 8 + 16)
            guard chunk.count >= 8 else { return nil }
            let count = number(chunk[4..<8])
            if chunk.starts(with: "fmt ".utf8), chunk.count == 24 {
                // Plain samples, two channels, 44 100 a second, 16 bits.
                let extensible = 0xFFFE
                isFitting =
                    [1, Int64(extensible)].contains(number(chunk[8..<10])) && number(chunk[10..<12]) == 2
                    && number(chunk[12..<16]) == 44_100 && number(chunk[22..<24]) == 16
            } else if chunk.starts(with: "data".utf8) {
                guard isFitting else { return nil }
                self.init(reader, offset: place + 8, byteCount: min(count, max(0, size - place - 8)), isSwapped: false)
                return
            }
            place += 8 + count + count & 1
        }
        return nil
    }

    /// Reads bytes from a place on, 0 at the end. Blocks.
    func read(at place: Int64, _ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        let room = Int(clamping: byteCount - place)
        guard place >= 0, room > 0, !buffer.isEmpty else { return 0 }
        try reader.seek(to: offset + place)
        return try reader.read(UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(room)))
    }

    /// Fills a buffer as far as the file goes. Returns the bytes. Blocks.
    func fill(at place: Int64, _ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = try read(at: place + Int64(filled), rest)
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// The same file over a reader of its own; nil where there can be none.
    func independent() -> SectorFile? {
        reader.makeIndependentReader().map { SectorFile($0, offset: offset, byteCount: byteCount, isSwapped: isSwapped) }
    }
}
