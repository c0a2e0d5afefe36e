import AetherCore
import AetherTestSupport
import Testing

@Suite struct BytePatternTests {
    /// All places at which a pattern lies, looked at one by one.
    private static func places(_ wanted: [UInt8], in bytes: [UInt8]) -> [Int] {
        guard bytes.count >= wanted.count else { return [] }
        return (0...bytes.count - wanted.count).filter { Array(bytes[$0..<$0 + wanted.count]) == wanted }
    }

    @Test func firstAndLastAreWhereALookAtEachPlaceFindsThem() {
        var random = SeededRandom(seed: 11)
        for round in 0..<2_000 {
            // Of few values, so that there is much to find.
            let bytes = (0..<random.below(40)).map { _ in UInt8(random.below(2)) }
            let wanted = (0..<1 + random.below(4)).map { _ in UInt8(random.below(2)) }
            let start = random.below(12), end = random.below(50)
            let pattern = BytePattern(wanted), all = Self.places(wanted, in: bytes)
            bytes.withUnsafeBytes { raw in
                #expect(pattern.first(in: raw) == all.first, "\(round)")
                #expect(pattern.first(in: raw, from: start, before: end) == all.first { $0 >= start && $0 + wanted.count <= end })
                #expect(pattern.last(in: raw, from: start, before: end) == all.last { $0 >= start && $0 + wanted.count <= end })
            }
            #expect(pattern.first(in: bytes) == all.first)
            #expect(pattern.first(in: bytes.dropFirst(start)) == all.first { $0 >= start }.map { $0 - start })
            #expect(pattern.first(in: bytes.lazy.map { $0 }, from: start) == all.first { $0 >= start })
        }
    }

    @Test func nothingIsFoundInNothing() {
        #expect(BytePattern.startCode.first(in: []) == nil)
        #expect(BytePattern.startCode.first(in: [0, 0]) == nil)
        #expect(BytePattern.startCode.first(in: UnsafeRawBufferPointer(start: nil, count: 0)) == nil)
        #expect(BytePattern.startCode.last(in: UnsafeRawBufferPointer(start: nil, count: 0), before: 9) == nil)
        #expect(BytePattern("-->").first(in: Array("a -->".utf8)) == 2)
        #expect(BytePattern("-->").first(in: Array("a -->".utf8), from: 99) == nil)
    }
}
