import AetherCore
import Testing

@testable import AetherMedia

/// Whether a source that has come to an end was to be longer.
@Suite struct DeclaredExtentTests {
    private static func head(_ size: UInt32, kind: String = "WAVE", tag: String = "RIFF") -> [UInt8] {
        Array(tag.utf8) + (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * UInt32($0))) } + Array(kind.utf8)
    }

    @Test(
        arguments: [
            (head(1000), 1008), (head(1000, kind: "AVI "), 1008), (head(0x7000_0000), 0x7000_0008),
            // Values of a writer that does not know the length.
            (head(0), nil), (head(0xFFFF_FFFF), nil), (head(0x7FFF_FFFF), nil), (head(0x7FFF_F024), nil),
            (head(0xFFFF_FFFF - 36), nil),
            // Others, and too few.
            (head(1000, kind: "WEBP"), nil), (head(1000, tag: "RF64"), nil), (Array(head(1000).prefix(11)), nil), ([], nil),
        ] as [([UInt8], Int64?)])
    func aHeaderCountsOrDoesNot(_ head: [UInt8], _ size: Int64?) { #expect(DeclaredExtent.size(riff: head) == size) }

    /// A header of EBML of three bytes, then what is behind it.
    private static func matroska(_ rest: UInt8...) -> [UInt8] { [0x1A, 0x45, 0xDF, 0xA3, 0x83, 1, 2, 3] + rest }

    @Test(
        arguments: [
            (matroska(0x18, 0x53, 0x80, 0x67, 0x44, 0x00), 14 + 0x400),
            (matroska(0xEC, 0x82, 0, 0, 0x18, 0x53, 0x80, 0x67, 0x90), 17 + 0x10),
            // A length that the writer did not know; other elements, and too few bytes.
            (matroska(0x18, 0x53, 0x80, 0x67, 0xFF), nil), (matroska(0xBF, 0x84, 1, 2, 3, 4), nil), (matroska(), nil),
            (matroska(0x18, 0x53, 0x80), nil), ([0x18, 0x53, 0x80, 0x67, 0x90], 0x15), ([], nil),
        ] as [([UInt8], Int64?)])
    func aSegmentCountsOrDoesNot(_ head: [UInt8], _ size: Int64?) { #expect(DeclaredExtent.size(matroska: head) == size) }

    @Test(
        arguments: [
            (DeclaredExtent(), 10, 10, false), (DeclaredExtent(size: 10_000), 10_000, nil, false),
            (DeclaredExtent(size: 10_000), 9_000, nil, false), (DeclaredExtent(size: 10_000), 8_900, nil, true),
            (DeclaredExtent(size: 10_000), 20_000, nil, false), (DeclaredExtent(size: 10_000), nil, nil, false),
            (DeclaredExtent(size: 10_000), 0, nil, false), (DeclaredExtent(duration: .seconds(60)), nil, 59.5, false),
            (DeclaredExtent(duration: .seconds(60)), nil, 58, true), (DeclaredExtent(duration: .seconds(60)), nil, 70, false),
            (DeclaredExtent(duration: .seconds(60)), nil, nil, false),
        ] as [(DeclaredExtent, Int64?, Double?, Bool)])
    func whatIsNotKnownSpeaksAgainstNobody(_ extent: DeclaredExtent, _ size: Int64?, _ reached: Double?, _ isCut: Bool) {
        #expect(extent.isCut(size: size, reached: reached.map { .seconds($0) }) == isCut)
    }
}
