/// Makes an AVI of MPEG-4 whose B-frames share chunks with the frames that they need, as DivX 5 wrote them; ffmpeg has no option for it.
enum PackedFrames {
    private static let vop: [UInt8] = [0, 0, 1, 0xB6]
    /// The name by which decoders know such streams, as user data.
    private static let mark: [UInt8] = [0, 0, 1, 0xB2] + Array("DivX503b1393p".utf8)

    private static func place(of code: [UInt8], in chunk: [UInt8]) -> Int? {
        chunk.indices.first { chunk[$0...].starts(with: code) }
    }

    private static func isBidirectional(_ chunk: [UInt8]) -> Bool {
        place(of: vop, in: chunk).map { chunk[$0 + 4] >> 6 == 2 } ?? false
    }

    /// Chunks of one frame each, in the order of decoding, packed.
    static func packed(_ chunks: [[UInt8]]) -> [[UInt8]] {
        var result: [[UInt8]] = []
        for (index, chunk) in chunks.enumerated() {
            var chunk = chunk
            if index == 0, let place = place(of: vop, in: chunk) { chunk.insert(contentsOf: mark, at: place) }
            if isBidirectional(chunk) {
                result[result.count - 1] += chunk
                // A frame that is not coded: seven bytes, which nobody reads.
                result.append(vop + [0x50, 0x00, 0x7F])
            } else {
                result.append(chunk)
            }
        }
        return result
    }

    /// An AVI of these chunks, with its index.
    static func avi(_ chunks: [[UInt8]], width: Int, height: Int, rate: Int) -> [UInt8] {
        let size = chunks.map(\.count).max() ?? 0
        let main = words([1_000_000 / rate, size * rate, 0, 0x10, chunks.count, 0, 1, size, width, height, 0, 0, 0, 0])
        let stream =
            Array("vidsFMP4".utf8) + words([0, 0, 0, 1, rate, 0, chunks.count, size, -1, 0, 0]) + words([width | height << 16])
        let format = words([40, width, height, 1 | 24 << 16]) + Array("FMP4".utf8) + words([width * height * 3, 0, 0, 0, 0])
        let head = list("hdrl", chunk("avih", main) + list("strl", chunk("strh", stream) + chunk("strf", format)))
        var movie: [UInt8] = [], index: [UInt8] = []
        for (number, data) in chunks.enumerated() {
            index += Array("00dc".utf8) + words([number == 0 ? 0x10 : 0, movie.count + 4, data.count])
            movie += chunk("00dc", data)
        }
        let content = Array("AVI ".utf8) + head + list("movi", movie) + chunk("idx1", index)
        return chunk("RIFF", content)
    }

    private static func words(_ values: [Int]) -> [UInt8] {
        values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        Array(name.utf8) + words([data.count]) + data + (data.count % 2 == 1 ? [0] : [])
    }

    private static func list(_ name: String, _ data: [UInt8]) -> [UInt8] { chunk("LIST", Array(name.utf8) + data) }
}
