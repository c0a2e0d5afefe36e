import AetherCore
import AetherMedia
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine
@testable import AetherEngineTests

/// The memory that subtitles cost.
@Suite(.serialized) struct CueMemoryTests {
    /// The limit is one of real memory: short lines, of which each costs more than its letters, are counted with all that keeps them.
    @Test func shortLinesAreCountedWithWhatKeepsThem() async {
        await #expect(processExitsWith: .success) {
            let store = CueStore(), before = HeapUse.bytes
            for number in 0..<10_000 {
                for track in 0..<40 {
                    store.add(
                        DecodedSubtitle(
                            start: .milliseconds(Double(number) * 300), end: .milliseconds(Double(number) * 300 + 200),
                            lines: ["\(track): what somebody says in line \(number)"]), track: TrackID(.container, track))
                }
            }
            let taken = HeapUse.bytes - before
            #expect(taken < CueStore.byteLimit, "\(store.byteCount) counted, \(taken) taken")
            // There were more lines than fit.
            #expect(store.byteCount > CueStore.byteLimit - 10_000 && store.byteCount <= CueStore.byteLimit)
            #expect(taken > CueStore.byteLimit / 2)
        }
    }

    /// A film with 40 tracks of text, 2000 lines each: all of it is known after a play, within the limit.
    @Test func aVideoOfFortyTracksIsKnownWhole() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let path = try fortyTracks(in: folder)
            let before = HeapUse.bytes
            let screening = try await Screening.of(path) {
                $0.isUntimed = true
                $0.audioOutput = .none
            }
            #expect(screening.snapshot.subtitleTracks.count == 40)
            #expect(await screening.reaches(.ended))
            let store = try #require(screening.engine.session).cues, taken = HeapUse.bytes - before
            #expect(taken < CueStore.byteLimit, "\(store.byteCount) counted, \(taken) taken")
            for track in screening.snapshot.subtitleTracks { #expect(store.cues(track: track.id).count == 2000) }
            await screening.engine.stop()
        }
    }
}

/// A film with 40 tracks of 2000 lines.
private func fortyTracks(in folder: TemporaryFolder) throws -> String {
    var arguments = ["-v", "error", "-f", "lavfi", "-i", "color=size=32x32:rate=1:duration=200"], maps = ["-map", "0"]
    for track in 0..<40 {
        let text = (0..<2000).map { number -> String in
            let start = Double(number) / 10
            func stamp(_ seconds: Double) -> String {
                String(format: "00:%02d:%06.3f", Int(seconds) / 60, seconds.truncatingRemainder(dividingBy: 60)).replacing(
                    ".", with: ",")
            }
            return
                "\(number + 1)\n\(stamp(start)) --> \(stamp(start + 0.09))\n\(track): somebody says <i>this</i> in line \(number)\n\n"
        }
        try text.joined().write(toFile: folder.path("\(track).srt"), atomically: true, encoding: .utf8)
        arguments += ["-i", folder.path("\(track).srt")]
        maps += ["-map", "\(track + 1)"]
    }
    let made = try Fixtures.run(
        "ffmpeg", arguments + maps + ["-c:v", "libx264", "-preset", "ultrafast", "-c:s", "copy", folder.path("a.mkv")])
    try #require(made.status == 0, "\(String(decoding: made.errors, as: UTF8.self))")
    return folder.path("a.mkv")
}
