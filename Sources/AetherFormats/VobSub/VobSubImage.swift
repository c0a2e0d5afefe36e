import AetherCore

/// A subtitle in the file of images of a VobSub: in packets of private stream 1 of an MPEG program stream (ISO/IEC 13818-1, 2.5), the first byte
/// of whose payload is 0x20 and the number of the stream.
public enum VobSubImage {
    /// The most bytes from the beginning of one to its end: it says its length in 16 bits, in packs of 2048 bytes with 2 KB of them for heads.
    public static let reach = 80 << 10

    /// The unit of a stream that begins with these bytes; nil where none does, or its end is missing.
    public static func unit(in bytes: ArraySlice<UInt8>, stream: Int) -> [UInt8]? {
        var unit: [UInt8] = [], rest = bytes
        while let packet = next(&rest) {
            guard packet.kind == 0xBD, let payload = payload(packet.body, stream: stream) else { continue }
            unit += payload
            guard unit.count >= 2 else { continue }
            let length = Int(unit[0]) << 8 | Int(unit[1])
            if length < 4 { return nil }
            if unit.count >= length { return Array(unit.prefix(length)) }
        }
        return nil
    }

    /// The next packet, without its length; nil at the end, and at what is none.
    private static func next(_ rest: inout ArraySlice<UInt8>) -> (kind: UInt8, body: ArraySlice<UInt8>)? {
        guard rest.count >= 6, rest.starts(with: [0, 0, 1]) else { return nil }
        let start = rest.startIndex, kind = rest[start + 3]
        if kind == 0xBA {
            // MPEG-2's pack ends with stuffing, MPEG-1's has 12 bytes.
            let isSecond = rest[start + 4] >> 6 == 1
            guard rest.count >= 14 else { return nil }
            let length = isSecond ? 14 + Int(rest[start + 13] & 7) : 12
            let body = rest.prefix(length)
            rest = rest.dropFirst(length)
            return (kind, body)
        }
        guard kind >= 0xBB else { return nil }
        let length = Int(rest[start + 4]) << 8 | Int(rest[start + 5])
        let body = rest.dropFirst(6).prefix(length)
        rest = rest.dropFirst(6 + length)
        return (kind, body)
    }

    /// The bytes of a stream in a packet of MPEG-2; nil where it is of another one.
    private static func payload(_ body: ArraySlice<UInt8>, stream: Int) -> ArraySlice<UInt8>? {
        let start = body.startIndex
        guard body.count >= 4, body[start] >> 6 == 2 else { return nil }
        let payload = body.dropFirst(3 + Int(body[start + 2]))
        guard let number = payload.first, Int(number) == 0x20 + stream else { return nil }
        return payload.dropFirst()
    }
}
