import AetherFormats
import Testing

@Suite struct SegmentContainerTests {
    @Test(
        arguments: [
            ([0, 0, 0, 8] + Array("styp".utf8), SegmentContainer.boxes),
            ([0, 0, 0, 8] + Array("moof".utf8), .boxes),
            ([0, 0, 0, 8] + Array("page".utf8), nil),
            ([0x47] + [UInt8](repeating: 0, count: 187) + [0x47], .transportStream),
            ([0x47] + [UInt8](repeating: 0, count: 200), nil),
            ([0x47], nil),
            ([], nil),
            (Array("ID3\u{4}\0\0\0\0".utf8), .audio),
            ([0xFF, 0xF1, 0x50, 0x80, 0, 0, 0, 0], .audio),
            ([0xFF, 0xFB, 0x50, 0x80, 0, 0, 0, 0], nil),
            ([0x0B, 0x77, 0, 0, 0, 0, 0, 0], .audio),
            (Array("WEBVTT\n\n".utf8), nil),
        ] as [([UInt8], SegmentContainer?)])
    func containers(_ head: [UInt8], _ expected: SegmentContainer?) { #expect(SegmentContainer(head) == expected) }
}
