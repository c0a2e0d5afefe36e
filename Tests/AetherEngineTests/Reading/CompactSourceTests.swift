import AetherCore
import AetherDiscs
import AetherFormats
import AetherMedia
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine

/// Compact discs as the engine opens them.
@Suite struct CompactSourceTests {
    private func opened(_ path: String, _ choice: DiscChoice = DiscChoice()) throws -> MediaInput {
        try MediaInput(.location(.file(path)), disc: choice, interrupt: Interrupt())
    }

    /// Kind, time and size of each packet.
    private func packets(_ input: MediaInput, _ options: OpenOptions = OpenOptions()) throws -> [String] {
        var demuxer = try Demuxer(input, options: options, interrupt: Interrupt()), found: [String] = []
        do throws(MediaError) {
            while true {
                let packet = try demuxer.read(epoch: Epoch(1))
                found.append("\(packet.stream) \(packet.pts?.seconds ?? -1) \(packet.bytes(limit: .max).count)")
            }
        } catch {
            guard error.code == .endOfMedia else { throw error }
        }
        return found
    }

    @Test func aVideoCDPlaysAsItsStream() throws {
        let folder = try TemporaryFolder()
        let clip = try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "testsrc2=s=352x288:r=25:d=2", "-f", "lavfi", "-i", "sine=f=440:r=44100:d=2", "-target",
                "pal-vcd",
            ], ext: "mpg")
        let stream = [UInt8](try Data(contentsOf: URL(filePath: clip)))
        let (image, sheet) = DiscImage.videoCD([stream], entries: [[0, 0.5]], file: "film.bin")
        try Data(image).write(to: URL(filePath: folder.path("film.bin")))
        try Data(sheet.utf8).write(to: URL(filePath: folder.path("film.cue")))
        let input = try opened(folder.path("film.cue"))
        guard case .reader(let reader as CompactReader, _) = input else { throw MediaError(.internalFailure, "open") }
        let disc = CompactDescription(reader)
        let ours = try packets(input, disc.options(OpenOptions())), theirs = try packets(opened(clip))
        #expect(ours.count == theirs.count && ours == theirs, "\(ours.count) \(theirs.count)")
        let demuxer = try Demuxer(opened(folder.path("film.cue")), options: disc.options(OpenOptions()), interrupt: Interrupt())
        let info = disc.described(demuxer.info)
        #expect(
            info.titles.count == 1 && info.titles[0].kind == .disc && info.chapters.count == 2
                && info.metadata.title == "FIXTURE")
        #expect(throws: MediaError.self) { try opened(folder.path("film.cue"), DiscChoice(title: 3)) }
    }

    @Test func anAudioCDPlaysWithItsTracksAsChapters() async throws {
        let folder = try TemporaryFolder()
        let wave = try Fixtures.clip(["-f", "lavfi", "-i", "sine=f=440:r=44100:d=3", "-ac", "2", "-f", "s16le"], ext: "raw")
        try FileManager.default.copyItem(atPath: wave, toPath: folder.path("cd.bin"))
        let sheet = """
            TITLE "Songs"
            PERFORMER "Band"
            FILE "cd.bin" BINARY
              TRACK 01 AUDIO
                TITLE "First"
                INDEX 01 00:00:00
              TRACK 02 AUDIO
                TITLE "Second"
                INDEX 01 00:01:00
            """
        try Data(sheet.utf8).write(to: URL(filePath: folder.path("cd.cue")))
        let screening = try await Screening.of(folder.path("cd.cue"))
        let snapshot = screening.snapshot
        #expect(snapshot.chapters.map(\.name) == ["First", "Second"] && snapshot.metadata.title == "Songs")
        #expect(snapshot.metadata.artist == "Band" && abs((snapshot.duration?.seconds ?? 0) - 3) < 0.02)
    }
}
