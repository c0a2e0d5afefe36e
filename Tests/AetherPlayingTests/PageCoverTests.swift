import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Testing

@testable import AetherEngine
@testable import AetherEngineTests

/// The cover of audio that carries none, from the server where its host knows one.
@Suite struct PageCoverTests {
    private func song() throws -> String {
        try Fixtures.clip(["-f", "lavfi", "-i", "sine=f=1000:r=44100:d=6"], ext: "flac")
    }

    private func cover() throws -> [UInt8] {
        try JPEGImage.bytes(RasterImage(width: 64, height: 64, pixels: Array(repeating: 0xFF00_00FF, count: 64 * 64)))
    }

    @Test func itIsFetchedShownAndTheSourcesFromThenOn() async throws {
        let bytes = try cover(), origin = try TestOrigin(["/c.jpg": .bytes(bytes)])
        let screening = try await Screening.of(try song()) { $0.supplement.cover = origin.address + "/c.jpg" }
        #expect(await screening.eventually { !$0.frames.isEmpty && $0.snapshot.metadata.artworkData != nil })
        #expect(screening.snapshot.metadata.artworkData == bytes)
        screening.engine.send(.redrawCover)
        #expect(await screening.eventually { $0.frames.count == 2 })
        #expect(Set(screening.frames.map(\.hash)).count == 1 && origin.requests.count == 1)
        await screening.engine.stop()
    }

    /// Neither a page in its place nor a server that never answers keeps a song from playing and from ending.
    @Test(arguments: [false, true]) func withoutItTheSongPlays(_ isSilent: Bool) async throws {
        let origin = try TestOrigin(["/page": .bytes(Array("<html>".utf8))]), silent = try SilentServer()
        let address = isSilent ? "http://127.0.0.1:\(silent.port)/c.jpg" : origin.address + "/page"
        let screening = try await Screening.of(try song()) { $0.supplement.cover = address }
        if isSilent { silent.awaitClient() }
        let start = MediaTime.seconds(0.2)
        #expect(await screening.eventually { $0.snapshot.position > start })
        #expect(screening.frames.isEmpty && screening.snapshot.metadata.artworkData == nil)
        await screening.engine.stop()
    }

    @Test func theSongsOwnCoverAsksNoServer() async throws {
        let origin = try TestOrigin(["/c.jpg": .bytes(try cover())])
        let path = try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "sine=f=1000:r=44100:d=6", "-f", "lavfi", "-i", "color=blue:s=50x50:r=1:d=1", "-map", "0",
                "-map", "1",
                "-c:v", "mjpeg", "-disposition:v:0", "attached_pic",
            ], ext: "flac")
        let screening = try await Screening.of(path) { $0.supplement.cover = origin.address + "/c.jpg" }
        #expect(await screening.eventually { !$0.frames.isEmpty })
        await screening.engine.stop()
        #expect(origin.requests.isEmpty)
    }
}
