import CZlib

/// zlib for tests: the other direction than the program's.
public enum Zlib {
    /// What compressed bytes stand for; nil when they are damaged or not complete.
    public static func inflate(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        guard aether_inflate_init(&stream) == Z_OK else { return nil }
        defer { inflateEnd(&stream) }
        var input = bytes, result: [UInt8] = [], room = [UInt8](repeating: 0, count: 1 << 16)
        return input.withUnsafeMutableBufferPointer { input -> [UInt8]? in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            while true {
                let (status, count) = room.withUnsafeMutableBufferPointer { room -> (Int32, Int) in
                    stream.next_out = room.baseAddress
                    stream.avail_out = UInt32(room.count)
                    let status = CZlib.inflate(&stream, Z_NO_FLUSH)
                    return (status, room.count - Int(stream.avail_out))
                }
                result += room[..<count]
                if status == Z_STREAM_END { return stream.avail_in == 0 ? result : nil }
                if status != Z_OK { return nil }
            }
        }
    }

    /// The checksum of PNG's chunks.
    public static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        UInt32(truncatingIfNeeded: bytes.withUnsafeBufferPointer { crc32(0, $0.baseAddress, UInt32($0.count)) })
    }
}
