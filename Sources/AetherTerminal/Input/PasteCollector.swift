/// Collects a bracketed paste up to its end marker.
struct PasteCollector: Sendable {
    private static let end: [UInt8] = [0x1B, 0x5B, 0x32, 0x30, 0x31, 0x7E]  // CSI 201 ~
    /// 1 MB: longer than any path list; what is beyond is dropped, not typed.
    static let limit = 1 << 20

    private var text: [UInt8] = []
    private var matched = 0

    /// Takes a byte of the paste; true when it was the last of the end marker.
    mutating func take(_ byte: UInt8) -> Bool {
        if byte == Self.end[matched] {
            matched += 1
            return matched == Self.end.count
        }
        // The marker has one ESC, its first byte: a failed match can only start anew at this byte.
        for index in 0..<matched { append(Self.end[index]) }
        matched = 0
        if byte == Self.end[0] { matched = 1 } else { append(byte) }
        return false
    }

    /// The text; invalid UTF-8 is replaced. The collector is empty afterwards.
    mutating func finish() -> String {
        defer { self = PasteCollector() }
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func append(_ byte: UInt8) {
        if text.count < Self.limit { text.append(byte) }
    }
}
