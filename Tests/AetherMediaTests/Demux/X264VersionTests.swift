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
}
