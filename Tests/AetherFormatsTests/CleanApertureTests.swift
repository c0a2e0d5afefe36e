import Testing

@testable import AetherFormats

@Suite struct CleanApertureTests {
    static func number(_ value: Int, _ length: Int = 4) -> [UInt8] {
        (0..<length).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    static func box(_ kind: String, _ body: [UInt8]) -> [UInt8] { number(body.count + 8) + Array(kind.utf8) + body }

    /// A file of one track of pictures, with what stands behind its entry's fields.
    static func file(_ width: Int, _ height: Int, _ boxes: [UInt8]) -> [UInt8] {
        let entry = [UInt8](repeating: 0, count: 24) + number(width, 2) + number(height, 2) + [UInt8](repeating: 0, count: 50)
        let description = box("stsd", number(0) + number(1) + box("avc1", entry + boxes))
        let table = box("stbl", description + box("stts", [UInt8](repeating: 7, count: 900)))
        let track = box("trak", box("tkhd", [1, 2, 3]) + box("mdia", box("hdlr", [9]) + box("minf", box("vmhd", []) + table)))
        return box("ftyp", Array("isom".utf8)) + box("mdat", [UInt8](repeating: 0x61, count: 5000))
            + box("moov", box("mvhd", []) + track + track)
    }

    static func clap(_ numbers: [Int]) -> [UInt8] { box("clap", numbers.flatMap { number($0) }) }

    private static func found(in file: [UInt8]) -> [CleanAperture] {
        var search = CleanApertureSearch()
        while let request = search.request {
            let start = min(Int(clamping: request.offset), file.count)
            search.take(Array(file[start..<min(file.count, start + request.count)]))
        }
        return search.apertures
    }

    @Test(arguments: [
        ([703, 1, 576, 1, 0, 1, 0, 1], [9, 0, 8, 0]), ([704, 1, 576, 1, 0, 1, 0, 1], [8, 0, 8, 0]),
        ([700, 1, 560, 1, -10, 1, 8, 1], [0, 16, 20, 0]), ([1408, 2, 1120, 2, 0, 1, 0, 1], [8, 8, 8, 8]),
        // All of it, more than there is, nothing, and behind the edge.
        ([720, 1, 576, 1, 0, 1, 0, 1], [0, 0, 0, 0]), ([721, 1, 576, 1, 0, 1, 0, 1], [0, 0, 0, 0]),
        ([0, 1, 576, 1, 0, 1, 0, 1], [0, 0, 0, 0]), ([704, 0, 576, 1, 0, 0, 0, 1], [0, 0, 0, 0]),
        ([704, 1, 576, 1, 99, 1, 0, 1], [0, 0, 0, 0]), ([0x7FFF_FFFF, 1, 0x7FFF_FFFF, 1, 0x7FFF_FFFF, 1, 1, 1], [0, 0, 0, 0]),
    ])
    func edgesAreThoseOfTheFile(_ clap: [Int], _ edges: [Int]) throws {
        let all = Self.found(in: Self.file(720, 576, Self.box("colr", [1, 2, 3]) + Self.clap(clap)))
        #expect(all.count == 2)
        let cut = try #require(all.first)
        #expect((cut.width, cut.height) == (720, 576))
        #expect([cut.left, cut.top, cut.right, cut.bottom] == edges)
    }

    @Test func withoutOneNothingIsCut() {
        #expect(Self.found(in: Self.file(64, 48, [])).allSatisfy { !$0.isCut && $0.width == 64 })
        #expect(Self.found(in: Self.file(64, 48, Self.box("clap", [1, 2, 3]))).allSatisfy { !$0.isCut })
    }

    @Test func whateverTheBytesItEnds() {
        let whole = Self.file(720, 576, Self.clap([704, 1, 576, 1, 0, 1, 0, 1]))
        var state: UInt64 = 5
        for round in 0..<3000 {
            var bytes = whole
            for _ in 0..<(round % 20) + 1 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 20)
            }
            if round % 3 == 0 { bytes = Array(bytes.prefix(Int(state >> 40) % bytes.count)) }
            _ = Self.found(in: bytes)
        }
        // A box of size 0 in a box, for ever.
        _ = Self.found(in: Self.box("moov", [UInt8](repeating: 0, count: 100)))
    }
}
