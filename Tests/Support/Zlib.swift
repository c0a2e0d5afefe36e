import CZlib

/// zlib for tests: the other direction than the program's.
public enum Zlib {
    /// Decompresses bytes; nil when they are damaged or not complete.
    public static func inflate(_ bytes: [UInt8]) -> [UInt8]? {
        // zlib remembers where its stream lies, so it must not move.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        guard aether_inflate_init(stream) == Z_OK else { return nil }
        defer { inflateEnd(stream) }
        var input = bytes, result: [UInt8] = [], room = [UInt8](repeating: 0, count: 1 << 16)
        return input.withUnsafeMutableBufferPointer { input -> [UInt8]? in
            stream.pointee.next_in = input.baseAddress
            stream.pointee.avail_in = UInt32(input.count)
            while true {
                let (status, count) = room.withUnsafeMutableBufferPointer { room -> (Int32, Int) in
                    stream.pointee.next_out = room.baseAddress
                    stream.pointee.avail_out = UInt32(room.count)
                    let status = CZlib.inflate(stream, Z_NO_FLUSH)
                    return (status, room.count - Int(stream.pointee.avail_out))
                }
                result += room[..<count]
                if status == Z_STREAM_END { return stream.pointee.avail_in == 0 ? result : nil }
                if status != Z_OK { return nil }
            }
        }
    }

    /// The checksum of PNG's chunks.
    public static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        UInt32(truncatingIfNeeded: bytes.withUnsafeBufferPointer { crc32(0, $0.baseAddress, UInt32($0.count)) })
    }
}
