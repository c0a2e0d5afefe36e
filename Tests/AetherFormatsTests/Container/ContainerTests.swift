import AetherFormats
import Testing

@Suite struct ContainerTests {
    @Test(
        arguments: [
            ([0, 0, 0, 8] + Array("styp".utf8), Container.isoBMFF),
            ([0, 0, 0, 8] + Array("moof".utf8), .isoBMFF),
            ([0, 0, 0, 8] + Array("page".utf8), nil),
            ([0x47] + [UInt8](repeating: 0, count: 187) + [0x47], .mpegTS),
            ([0x47] + [UInt8](repeating: 0, count: 200), nil),
            ([0x47], nil),
            ([], nil),
            (Array("ID3\u{4}\0\0\0\0".utf8), .audioFrames),
            ([0xFF, 0xF1, 0x50, 0x80, 0, 0, 0, 0], .audioFrames),
            ([0xFF, 0xFB, 0x50, 0x80, 0, 0, 0, 0], nil),
            ([0x0B, 0x77, 0, 0, 0, 0, 0, 0], .audioFrames),
            (Array("WEBVTT\n\n".utf8), nil),
            (Array("<?xml version".utf8), nil),
            (Array("RIFF\0\0\0\0WAVE".utf8), .riff),
            (Array("OggS".utf8), .ogg),
            (Array("fLaC".utf8), .flac),
            ([0x1A, 0x45, 0xDF, 0xA3], .matroska),
        ] as [([UInt8], Container?)])
    func containers(_ head: [UInt8], _ expected: Container?) { #expect(Container(head: head) == expected) }

    @Test(arguments: [
        ("mov,mp4,m4a,3gp,3g2,mj2", Container.isoBMFF), ("matroska,webm", .matroska), ("mpegts", .mpegTS), ("wav", .riff),
        ("mp3", .audioFrames), ("flv", .other),
    ])
    func namesOfFFmpeg(_ name: String, _ expected: Container) { #expect(Container(formatName: name) == expected) }

    /// Packets of discs and with checksums, whole or cut; a sync byte that is missing once ends it.
    @Test(arguments: [188, 192, 204], [0, 4])
    func transportPackets(_ size: Int, _ start: Int) {
        var bytes = [UInt8](repeating: 0, count: 1024)
        for place in stride(from: start, to: bytes.count, by: size) { bytes[place] = 0x47 }
        let found = TransportPackets(bytes)
        #expect(found?.size == size && found?.start == start)
        bytes[start + 2 * size] = 0
        #expect(TransportPackets(bytes) == nil)
        #expect(TransportPackets(Array(bytes.prefix(start + size + 1))) == nil || (size == 188 && start == 0))
    }
}
