import AetherCore
import AetherSources
import Testing

@testable import AetherMedia

/// Which sources go into a box.
@Suite struct BoxAdmissionTests {
    private final class Box: MediaBox {
        let isStrict: Bool, works: Bool, cpuSeconds = 0.0

        init(isStrict: Bool = false, works: Bool = true) { (self.isStrict, self.works) = (isStrict, works) }

        func isSound() -> Bool { works }
        func endSpares() {}

        private var refusal: MediaError { MediaError(.unsupported, "open") }

        func openSource(
            _ bytes: BoxedBytes, name: String, options: OpenOptions
        ) throws(MediaError) -> any BoxedDemuxing { throw refusal }

        func openVideo(
            _ parameters: CodecParameters, threadCount: Int, effort: DecodeEffort
        ) throws(MediaError) -> any BoxedDecoding { throw refusal }

        func openAudio(_ parameters: CodecParameters) throws(MediaError) -> any BoxedDecoding { throw refusal }
    }

    private static func file(_ name: String, _ text: String) -> MediaInput {
        .reader(MemoryReader(Array(text.utf8)), name: name)
    }

    @Test func sourcesOfOurReadersAreHeld() {
        for (name, text) in [
            ("a.mkv", "…"), ("a.idx", "RIFF of another kind"), ("a.idx", ""), ("a.mkv", "# VobSub index file, v7"),
        ] {
            #expect(BoxAdmission.holds(Self.file(name, text), OpenOptions(), Box()), "\(name)")
        }
    }

    /// libavformat opens the file with the images by itself.
    @Test func anIndexOfImagesIsNot() throws {
        let input = Self.file("FILM.IDX", "# VobSub index file, v7\n")
        #expect(!BoxAdmission.holds(input, OpenOptions(), Box()))
        guard case .reader(let reader, _) = input else { return }
        #expect(try reader.bytes(limit: 3) == Array("# V".utf8))
    }

    @Test func othersAreRefusedByAStrictBoxAlone() {
        var keyed = OpenOptions()
        keyed.frameKey = FrameKey(key: [UInt8](repeating: 1, count: 16), vector: [UInt8](repeating: 2, count: 16))
        #expect(!BoxAdmission.holds(.url("udp://127.0.0.1:9"), OpenOptions(), Box()))
        #expect(!BoxAdmission.holds(Self.file("a.ts", "…"), keyed, Box()))
        #expect(!BoxAdmission.holds(Self.file("a.ts", "…"), OpenOptions(), Box(works: false)))
        #expect(BoxAdmission.holds(.url("udp://127.0.0.1:9"), OpenOptions(), Box(isStrict: true)))
    }
}
