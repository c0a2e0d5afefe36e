import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Testing

@testable import AetherEngine
@testable import AetherEngineTests

@Suite struct AudioAloneTests {
    /// A song of a red cover, 100 × 100, with tags and words. The cover's source has one frame: `-frames:v 1` makes ffmpeg 7.1 end the
    /// song with it, after 0.94 of 6 s.
    private static func song(_ ext: String) throws -> String {
        try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "sine=f=1000:r=44100:d=6", "-f", "lavfi", "-i", "color=red:s=100x100:r=1:d=1", "-map", "0",
                "-map", "1",
                "-c:v", "mjpeg", "-pix_fmt", "yuvj444p", "-disposition:v:0", "attached_pic", "-metadata",
                "title=Song", "-metadata",
                "artist=Singer", "-metadata", "album=Album", "-metadata", "date=1998", "-metadata", "track=3", "-metadata",
                "lyrics=[00:01.00]One\n[00:02.00]Two",
            ], ext: ext)
    }

    @Test(arguments: ["flac", "mp3"]) func theCoverIsShownAndTheTagsAreRead(_ ext: String) async throws {
        let screening = try await Screening.of(try Self.song(ext))
        #expect(await screening.eventually { !$0.frames.isEmpty })
        let snapshot = screening.snapshot
        #expect(snapshot.activeVideoTrack == nil && snapshot.videoTracks.isEmpty)
        #expect(snapshot.metadata.title == "Song" && snapshot.metadata.artist == "Singer" && snapshot.metadata.album == "Album")
        #expect(snapshot.metadata.year == "1998" && snapshot.metadata.track == "3")
        #expect(snapshot.metadata.lyrics?.contains("[00:02.00]Two") == true)
        screening.engine.send(.redrawCover)
        #expect(await screening.eventually { $0.frames.count == 2 })
        #expect(Set(screening.frames.map(\.hash)).count == 1)
        await screening.engine.stop()
    }

    @Test func theTapGivesWhatIsPlayedInItsPlace() async throws {
        let screening = Screening()
        let stream = screening.engine.installAudioTap()
        try await screening.engine.load(.location(.file(try Self.song("flac"))), options: Screening.options())
        var samples: [Float] = []
        var expected: Double?
        for await buffer in stream {
            if let expected, !buffer.discontinuity { #expect(abs(buffer.sourceTime - expected) < 0.002) }
            expected = buffer.sourceTime + Double(buffer.samples.count) / 48_000
            samples += buffer.samples
            if samples.count >= 48_000 { break }
        }
        // 1 kHz, whatever the rate of the file: 2000 changes of sign a second; lavfi's sine has an amplitude of 1/8.
        let second = samples.prefix(48_000)
        let changes = zip(second, second.dropFirst()).count { ($0 < 0) != ($1 < 0) }
        #expect(abs(changes - 2000) <= 4, "\(changes)")
        #expect(abs((second.max() ?? 0) - 0.125) < 0.01)
        await screening.engine.stop()
    }

    @Test func aCoverThatIsNoFrameIsDoneWithout() throws {
        let reader = try MediaLocation.file(try Self.song("flac")).openReader()
        let demuxer = try Demuxer(.reader(try #require(reader), name: "song"), interrupt: Interrupt())
        let stream = try #require(demuxer.info.streams.first { $0.kind == .attachedPicture })
        let artwork = try #require(demuxer.info.metadata.artworkData)
        let image = try StillImage.raster(
            artwork, stream.parameters, fitting: PixelSize(width: 40, height: 20), rasterAspect: 0.5)
        #expect(image.size == PixelSize(width: 40, height: 20))
        for broken in [[], [0xFF], Array(artwork.prefix(artwork.count / 3)), [UInt8](repeating: 0, count: 5000)] {
            do throws(MediaError) {
                let image = try StillImage.raster(
                    broken, stream.parameters, fitting: PixelSize(width: 40, height: 20), rasterAspect: 0.5)
                #expect(image.size == PixelSize(width: 40, height: 20))
            } catch {
                #expect([.decodeFailed, .endOfMedia, .unsupported].contains(error.code))
            }
        }
    }
}
