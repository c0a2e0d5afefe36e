import AetherCore
import AetherTestSupport
import Foundation
import Testing

@testable import AetherMedia

/// Raw streams of HEVC have no container to say that their frames bring metadata: the first packet does.
@Suite struct DynamicMetadataTests {
    private static func stream() throws -> [UInt8] {
        let path = try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "testsrc2=s=128x64:r=24:d=0.5", "-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-preset",
                "ultrafast", "-x265-params",
                "aud=1:repeat-headers=1:log-level=0:keyint=6:bframes=0:pools=none:frame-threads=1:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc",
            ], ext: "hevc")
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// Country, provider, its code, application ST 2094-40, and something.
    private static let hdr10Plus: [UInt8] = [0xB5, 0, 0x3C, 0, 1, 4, 1, 0x40, 0, 0, 3, 0, 0, 0, 9]
    /// Another provider's message, such as captions are.
    private static let captions: [UInt8] = [0xB5, 0, 0x31, 0x47, 0x41, 0x39, 0x34, 3, 0xC0, 0xFF]

    private static func unit() -> [UInt8] {
        [0x7C, 0x01] + UnitWriter.nal(UnitWriter.payload(UnitWriter.profile5(curves: UnitWriter.bentCurves)))
    }

    private func formats(_ stream: [UInt8], ext: String) throws -> [VideoFormat] {
        let path: String
        if ext == "hevc" {
            path = FileManager.default.temporaryDirectory.appendingPathComponent("aether-raw-\(UUID().uuidString).hevc").path
            try Data(stream).write(to: URL(fileURLWithPath: path))
        } else {
            path = try StreamSplicer.file(stream, raw: "hevc", ext: ext)
        }
        defer { unlink(path) }
        return try [OpenOptions.Analysis.playback, .full].map {
            let demuxer = try Demuxer(try reading(path), options: OpenOptions(analysis: $0), interrupt: Interrupt())
            return try #require(demuxer.info.decodable(.video).first).videoFormat
        }
    }

    @Test(arguments: ["hevc", "mkv", "mp4", "ts"]) func theFirstPacketSaysWhatTheHeaderDoesNot(_ ext: String) throws {
        let stream = try Self.stream()
        let message = StreamSplicer.sei(Self.hdr10Plus)
        #expect(try formats(stream, ext: ext) == [.hdr10, .hdr10])
        #expect(
            try formats(StreamSplicer.hevc(stream, ahead: [StreamSplicer.sei(Self.captions)]), ext: ext) == [.hdr10, .hdr10])
        #expect(
            try formats(StreamSplicer.hevc(stream, ahead: [StreamSplicer.sei(Self.captions), message]), ext: ext)
                == [.hdr10Plus, .hdr10Plus])
        #expect(
            try formats(StreamSplicer.hevc(stream, ahead: [message], behind: [Self.unit()]), ext: ext)
                == [.dolbyVision, .dolbyVision])
    }

    @Test func damagedMessagesAreNone() {
        for size in 0..<40 {
            for head in [[UInt8](repeating: 0xFF, count: size), [4, 255] + [UInt8](repeating: 1, count: size)] {
                let packet: [UInt8] = [0, 0, 1, 0x4E, 1] + head
                let format = packet.withUnsafeBytes { DynamicMetadata.format(.hdr10, packet: $0, header: []) }
                #expect(format == .hdr10)
            }
        }
    }
}
