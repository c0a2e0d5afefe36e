import AetherCore
import AetherSources
import AetherTestSupport
import Testing

@testable import AetherEngine
@testable import AetherMedia

/// A source whose streams change their format.
@Suite struct SourceDescriptionTests {
    private func info(_ size: String) throws -> SourceInfo {
        let path = try Fixtures.clip(
            ["-f", "lavfi", "-i", "testsrc2=s=\(size):r=25:d=1", "-c:v", "libx264", "-preset", "ultrafast"], ext: "mkv")
        return try Demuxer(MediaInput(.location(.file(path)), interrupt: Interrupt()), interrupt: Interrupt()).info
    }

    /// A quality that comes back is the one that is read, although another was met later for the first time.
    @Test func theNewestFormatIsTheOneThatIsRead() throws {
        let small = try info("96x64"), large = try info("192x128")
        var description = SourceDescription(small, traits: .file)
        var sizes = [description.newest.streams.first?.size], revisions = [description.revision]
        for (info, format) in [(large, 1), (small, 0), (small, 0), (large, 1)] {
            _ = description.adopt(info, of: 0, format: format)
            sizes.append(description.newest.streams.first?.size)
            revisions.append(description.revision)
        }
        #expect(sizes.map { $0?.width } == [96, 192, 96, 96, 192])
        #expect(zip(revisions, revisions.dropFirst()).map { $0 < $1 } == [true, true, false, true])
    }
}
