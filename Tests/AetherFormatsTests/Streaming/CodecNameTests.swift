import AetherFormats
import Testing

@Suite struct CodecNameTests {
    @Test(
        arguments: [
            ("avc1.640028", CodecName.Kind.video, "H.264"), ("hvc1.2.4.L153.B0", .video, "HEVC"),
            ("dvh1.05.06", .video, "Dolby Vision"),
            ("av01.0.08M.10", .video, "AV1"), ("mp4a.40.2", .audio, "AAC"), ("mp4a.40.34", .audio, "MP3"),
            ("ec-3", .audio, "Dolby Digital Plus"), ("wvtt", .text, "WebVTT"), ("stpp.ttml.im1t", .text, "TTML"),
            ("zzzz", nil, "zzzz"),
        ] as [(String, CodecName.Kind?, String)])
    func kindsAndNames(_ text: String, _ kind: CodecName.Kind?, _ name: String) {
        #expect(CodecName(text).kind == kind)
        #expect(CodecName(text).name == name)
    }

    @Test func aMisspellingIsPutRight() {
        #expect(CodecName("mp4a.40.02").text == "mp4a.40.2")
        #expect(CodecName.list("avc1.42e01e, mp4a.40.05,").map(\.text) == ["avc1.42e01e", "mp4a.40.5"])
    }
}
