import AetherFormats

/// The header of a WAVE file around a disc's samples, with the disc's title and performer.
enum WaveHeader {
    /// `count`: bytes of samples.
    static func bytes(title: String, performer: String, count: Int64) -> [UInt8] {
        func number(_ value: some BinaryInteger, _ size: Int) -> [UInt8] {
            (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
            Array(name.utf8) + number(body.count, 4) + body + [UInt8](repeating: 0, count: body.count & 1)
        }
        let rate = Int(CompactTitle.sampleRate), size = Int(CompactTitle.sampleSize)
        var body = Array("WAVE".utf8)
        body += chunk(
            "fmt ", number(1, 2) + number(2, 2) + number(rate, 4) + number(rate * size, 4) + number(size, 2) + number(16, 2))
        var words: [UInt8] = []
        for (name, text) in [("INAM", title), ("IPRD", title), ("IART", performer)] where !text.isEmpty {
            words += chunk(name, Array(text.utf8) + [0])
        }
        if !words.isEmpty { body += chunk("LIST", Array("INFO".utf8) + words) }
        body += Array("data".utf8) + number(count, 4)
        return Array("RIFF".utf8) + number(Int64(body.count) + count, 4) + body
    }
}
