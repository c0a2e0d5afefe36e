import AetherTestSupport
import CFFmpeg
import Foundation
import Testing

@testable import AetherMedia

/// Containers that are known by their first bytes, beside libavformat's own guess.
struct ContainerSignatureTests {
    @Test(
        arguments: [
            ("....ftypisom", "mov"), ("....ftypjp2 ", nil), ("....ftypjxl ", nil), ("....ftyp", nil),
            ("....moov....", nil), ("RIFF....WAVE", nil), ("", nil),
        ] as [(String, String?)])
    func namesWhatIsBeyondDoubt(_ text: String, _ name: String?) {
        #expect(ContainerSignature.demuxer(of: Array(text.utf8)) == name)
    }

    @Test func matroskaIsKnownByTheHeadOfItsHeader() {
        let head: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3]
        #expect(ContainerSignature.demuxer(of: head + [UInt8](repeating: 0, count: 8)) == "matroska")
        #expect(ContainerSignature.demuxer(of: head + [UInt8](repeating: 0, count: 7)) == nil)
    }

    /// libavformat's guess at the same bytes, which are as many as it looks at for these.
    private func guess(at bytes: [UInt8]) -> String? {
        var bytes = bytes + [UInt8](repeating: 0, count: Int(AVPROBE_PADDING_SIZE))
        let count = bytes.count - Int(AVPROBE_PADDING_SIZE)
        return bytes.withUnsafeMutableBufferPointer { buffer in
            var data = AVProbeData(filename: nil, buf: buffer.baseAddress, buf_size: Int32(count), mime_type: nil)
            return av_probe_input_format(&data, 1).map { String(cString: $0.pointee.name) }
        }
    }

    @Test(.enabled(if: Fixtures.shared != nil, "no shared corpus (AETHER_SHARED or ../shared)"))
    func agreesWithLibavformat() throws {
        let corpus = try #require(Fixtures.shared).appending(path: "corpus")
        let files = try #require(FileManager.default.enumerator(at: corpus, includingPropertiesForKeys: nil))
        var named = 0
        for case let file as URL in files where !file.hasDirectoryPath {
            let bytes = Array(try Data(contentsOf: file, options: .mappedIfSafe).prefix(1 << 16))
            guard let demuxer = ContainerSignature.demuxer(of: bytes) else { continue }
            let names = try #require(guess(at: bytes), "\(file.path)").split(separator: ",")
            #expect(names.contains { $0 == demuxer }, "\(file.path): \(names)")
            named += 1
        }
        #expect(named > 20)
    }
}
