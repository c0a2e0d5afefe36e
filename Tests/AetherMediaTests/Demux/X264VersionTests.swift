import AetherCore
import AetherTestSupport
import Foundation
import Testing

@testable import AetherMedia

@Suite struct X264VersionTests {
    @Test func isReadFromTheMessage() {
        func version(_ text: String) -> Int? { X264Version.version(in: Array(text.utf8)) }
        #expect(version("....x264 - core 142 r50 dd79a61 - H.264/MPEG-4 AVC codec") == 142)
        #expect(version("xx264 -x264 - core 67svn") == 67)
        #expect(version("x264 - core ") == nil)
        #expect(version("x264 - core r50") == nil)
        #expect(version("x264 - core 99999999999999999999") == 99999)
        #expect(version("xxxx") == nil && version("") == nil)
    }

    /// Whether the header says enough to play or all is analysed, which FFmpeg 7.1 makes of MP3 in MP4.
    @Test(
        .enabled(if: Shared.path("corpus/imageio") != nil, "\(Shared.missing)"),
        arguments: [OpenOptions.Analysis.playback, .full])
    func aFilmTellsIt(_ analysis: OpenOptions.Analysis) throws {
        let path = try #require(Shared.path("corpus/imageio/cockatoo.mp4")).path
        let demuxer = try Demuxer(try reading(path), options: OpenOptions(analysis: analysis), interrupt: Interrupt())
        let versions = demuxer.info.streams.filter { $0.kind == .video }.map(\.parameters.x264Version)
        #expect(versions == [142])
    }
}
