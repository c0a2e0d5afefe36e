import AetherCore
import AetherTestSupport
import Foundation
import Glibc
import Testing

/// With which status the player ends, and what it says then.
@Suite(.enabled(if: Programs.player != nil, "\(Programs.missing)"))
struct OutcomeTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Plays without a screen to the end, as fast as the null device takes sound.
    private func play(_ words: [String], environment: [String: String] = [:]) throws -> Command {
        try Command(
            [
                try #require(Programs.player), "--plain", "--no-config", "--no-mpris", "--no-history", "--no-ytdl",
                "--audio-device", "null",
            ] + words, environment: environment)
    }

    private static let picture = ["-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=2"]
    private static let sound = ["-f", "lavfi", "-i", "anoisesrc=d=4:r=44100:seed=1"]

    /// A recipe for each way in which containers say how long they are, or do not.
    static let recipes: [(name: String, recipe: [String], ext: String)] = [
        ("Matroska", picture + sound + ["-shortest", "-c:v", "libx264", "-c:a", "aac"], "mkv"),
        ("Matroska, live", sound + ["-c:a", "flac", "-live", "1"], "mka"),
        ("MP4", picture + sound + ["-shortest", "-c:v", "libx264", "-c:a", "aac", "-movflags", "+faststart"], "mp4"),
        ("MP4 in fragments", picture + ["-c:v", "libx264", "-g", "10", "-movflags", "frag_keyframe+empty_moov"], "mp4"),
        ("WebM", picture + ["-c:v", "libvpx-vp9", "-deadline", "realtime"], "webm"),
        ("AVI", picture + sound + ["-shortest", "-c:v", "mpeg4", "-c:a", "mp3"], "avi"),
        ("WAV", sound + ["-c:a", "pcm_s16le"], "wav"), ("FLAC", sound + ["-c:a", "flac"], "flac"),
        ("MP3", sound + ["-c:a", "libmp3lame"], "mp3"),
        ("MP3 of many rates", sound + ["-c:a", "libmp3lame", "-q:a", "6"], "mp3"),
        ("FLV", picture + sound + ["-shortest", "-c:v", "flv1", "-c:a", "mp3"], "flv"),
    ]
    /// These say nothing that could be missed.
    static let modest: [(name: String, recipe: [String], ext: String)] = [
        ("transport stream", picture + ["-c:v", "libx264"], "ts"), ("Ogg", sound + ["-c:a", "libvorbis"], "ogg"),
        ("Opus", sound + ["-c:a", "libopus"], "opus"), ("ADTS", sound + ["-c:a", "aac"], "aac"),
        ("MP3 without a count", sound + ["-c:a", "libmp3lame", "-q:a", "6", "-write_xing", "0"], "mp3"),
        ("raw H.264", picture + ["-c:v", "libx264"], "h264"), ("NUT", picture + ["-c:v", "ffv1"], "nut"),
        ("AC-3", sound + ["-c:a", "ac3"], "ac3"), ("AIFF", sound, "aiff"), ("CAF", sound, "caf"),
        ("W64", sound, "w64"), ("AU", sound, "au"), ("GIF", picture, "gif"), ("Y4M", picture, "y4m"),
        ("ASF", picture + sound + ["-shortest", "-c:v", "wmv2", "-c:a", "wmav2"], "wmv"),
        ("MPEG", picture + ["-c:v", "mpeg2video"], "mpg"), ("WavPack", sound, "wv"), ("TTA", sound, "tta"),
    ]

    @Test(arguments: (recipes + modest).map(\.name)) func aWholeFileHasPlayed(_ name: String) throws {
        let (_, recipe, ext) = try #require((Self.recipes + Self.modest).first { $0.name == name })
        let run = try play([try Fixtures.clip(recipe, ext: ext)])
        #expect(run.status == 0 && run.standardError == "", "\(run.standardOutput) \(run.standardError)")
    }

    /// A file that came out of a pipe has no length in its header: the encoder could not go back to write it.
    @Test(arguments: ["wav", "flac", "matroska", "mp3", "avi", "flv"])
    func whatWasWrittenToAPipeIsWhole(_ format: String) throws {
        let source = try Fixtures.clip(Self.sound + ["-c:a", "pcm_s16le"], ext: "wav")
        let path = folder.path("piped")
        let made = try Command(["sh", "-c", "ffmpeg -v error -i \"$0\" -f \(format) - | cat > \"$1\"", source, path])
        #expect(made.status == 0, "\(made.standardError)")
        let run = try play([path])
        #expect(run.status == 0 && run.standardError == "", "\(run.standardOutput) \(run.standardError)")
    }

    private func cut(_ path: String, to share: Double, as name: String) throws -> String {
        let data = try Data(contentsOf: URL(filePath: path))
        try data.prefix(Int(Double(data.count) * share)).write(to: URL(filePath: folder.path(name)))
        return folder.path(name)
    }

    @Test(arguments: recipes.map(\.name).filter { $0 != "Matroska, live" }) func aFileThatWasCutOffHasFailedMidway(_ name: String)
        throws
    {
        let (_, recipe, ext) = try #require(Self.recipes.first { $0.name == name })
        let path = try cut(try Fixtures.clip(recipe, ext: ext), to: 0.6, as: "cut.\(ext)")
        let run = try play([path])
        #expect(run.status == 1 && run.errorLines.count == 1, "\(run.status) \(run.standardOutput) \(run.standardError)")
        #expect(run.standardError.contains("it breaks off before its end"), "\(run.standardError)")
        #expect(run.standardOutput.contains("the file is incomplete: it breaks off before its end"), "\(run.standardOutput)")
    }

    /// Fragments of which a source gives no more than their key frames: each ends behind its first frame, though it announces a second of
    /// them.
    private func keyFragments() throws -> String {
        let film = try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=4", "-c:v", "libx264", "-preset", "ultrafast", "-g", "25",
                "-movflags",
                "frag_keyframe+empty_moov+default_base_moof",
            ], ext: "mp4")
        let data = [UInt8](try Data(contentsOf: URL(filePath: film)))
        func number(_ place: Int) -> Int { (0..<4).reduce(0) { $0 << 8 | Int(data[place + $1]) } }
        var place = 0, kept = Data()
        while place + 8 <= data.count, number(place) >= 8 {
            let box = data[place..<min(data.count, place + number(place))]
            switch String(decoding: box.dropFirst(4).prefix(4), as: UTF8.self) {
            // Four fifths of a fragment are other frames than the first: a fifth of it holds that.
            case "mdat": kept += box.prefix(box.count / 5)
            case "mfra": break
            default: kept += box
            }
            place += box.count
        }
        try kept.write(to: URL(filePath: folder.path("keys.mp4")))
        return folder.path("keys.mp4")
    }

    @Test func fragmentsOfWhichOnlyKeyFramesAreThereHaveFailedMidway() throws {
        let run = try play([try keyFragments()])
        #expect(run.status == 1 && run.errorLines.count == 1, "\(run.standardOutput) \(run.standardError)")
        #expect(run.standardError.contains("it breaks off before its end"), "\(run.standardError)")
    }

    private func good() throws -> String { try Fixtures.clip(Self.sound + ["-c:a", "flac"], ext: "flac") }

    /// Every payload is turned over: the container is whole, and there is nothing in it.
    private func undecodable() throws -> String {
        let whole = try Fixtures.clip(Self.picture + ["-c:v", "libvpx-vp9", "-deadline", "realtime"], ext: "ivf")
        var bytes = [UInt8](try Data(contentsOf: URL(filePath: whole))), place = 32
        while place + 12 <= bytes.count {
            let size = (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
            for index in place + 12..<min(bytes.count, place + 12 + size) { bytes[index] = ~bytes[index] }
            place += 12 + size
        }
        try Data(bytes).write(to: URL(filePath: folder.path("nothing.ivf")))
        return folder.path("nothing.ivf")
    }

    @Test func mediaInWhichNothingCanBeDecodedCannotBeOpened() throws {
        let run = try play([try undecodable()])
        #expect(run.status == 2 && run.errorLines.count == 1, "\(run.standardOutput) \(run.standardError)")
        #expect(run.standardError.contains("vp9") && !run.standardOutput.contains("ended"), "\(run.standardError)")
    }

    @Test func thePipelineAloneEndsWithTheSameStatus() throws {
        let good = try good()
        func status(_ file: String) throws -> Int32 {
            try Command([#require(Programs.control), "play", "--audio-device", "null", "--audio", "alsa", file]).status
        }
        #expect(try status(good) == 0)
        #expect(try status(cut(good, to: 0.5, as: "broken.flac")) == 1)
        #expect(try status(undecodable()) == 2 && status(folder.path("missing.flac")) == 2)
    }

    @Test func theWorstOfAListIsTheStatus() throws {
        let good = try good(), broken = try cut(good, to: 0.5, as: "broken.flac"), missing = folder.path("missing.flac")
        func status(_ files: String...) throws -> Int32 { try play(files).status }
        #expect(try status(good, good) == 0)
        #expect(try status(broken, good) == 1 && status(good, broken) == 1)
        #expect(try status(missing, good) == 2 && status(good, missing) == 2)
        #expect(try status(missing, broken, good) == 2 && status(broken, missing, good) == 2)
    }

    @Test(.enabled(if: Network.isAvailable, "no python3 here")) func aServerThatBreaksOffHasFailedMidway() throws {
        let film = try Fixtures.clip(Self.recipes[0].recipe, ext: "mkv")
        try FileManager.default.copyItem(atPath: film, toPath: folder.path("film.mkv"))
        let server = try PartialServer(folder: folder.url, share: 0.5)
        let run = try play([server.address + "/film.mkv"])
        #expect(run.status == 1 && run.errorLines.count == 1, "\(run.standardOutput) \(run.standardError)")
        #expect(run.standardOutput.contains("the source broke off") && run.standardError.contains("the source broke off"))
    }

    /// The index lies behind the frames, and the server knows no way back but the start: the file is read twice.
    @Test(.enabled(if: Network.isAvailable, "no python3 here")) func anIndexAtTheEndOfAStreamCostsASecondReading() throws {
        // Of a few hundred kilobytes libavformat still has the beginning when it has read the end.
        let large = ["-f", "lavfi", "-i", "testsrc2=s=640x360:r=25:d=4", "-c:v", "libx264", "-preset", "ultrafast", "-qp", "8"]
        let film = try Fixtures.clip(large, ext: "mp4")
        try FileManager.default.copyItem(atPath: film, toPath: folder.path("film.mp4"))
        let server = try PartialServer(folder: folder.url, share: 1)
        let run = try play([server.address + "/film.mp4"])
        // Of 100 frames a busy machine drops some.
        let last = run.standardOutput.split(separator: "\n").last ?? ""
        let counts = last.matches(of: /(\d+) (?:frames|dropped)/).compactMap { Int($0.1) }
        #expect(run.status == 0 && counts.reduce(0, +) == 100, "\(run.standardOutput) \(run.standardError)")
    }

    @Test(arguments: [
        (["--frobnicate"], "--frobnicate"), (["--plain", "--frobnicate"], "--frobnicate"),
        (["--plain"], "Name at least one file"),
        (["--volume", "loud", "x"], "loud"), (["--start", "5", "--end", "3", "x"], "--end must be later"),
        (["--frob\u{1B}[2J"], "--frob"),
    ])
    func aWrongCommandLineIsALineAndAHint(_ words: [String], _ said: String) throws {
        let run = try Command([try #require(Programs.player)] + words)
        #expect(run.status == 64 && run.errorLines.count == 2, "\(run.standardError)")
        #expect(run.errorLines.first?.contains(said) == true && run.errorLines.last?.contains("--help") == true)
        #expect(!run.standardError.utf8.contains(0x1B) && run.standardOutput == "")
    }

    @Test(arguments: ["unknown", "network", ""]) func aTerminalWithoutACursorIsRefused(_ term: String) throws {
        let session = try Session(["--no-audio", try good()], environment: ["TERM": term])
        #expect(session.pty.waitForEnd() == .exited(3), "\(session.pty.text)")
        #expect(session.standardError.split(separator: "\n").count == 1 && session.pty.output.isEmpty, "\(session.standardError)")
    }

    @Test func aFileAddressWithAZeroByteIsRefused() throws {
        let good = try good()
        try FileManager.default.copyItem(atPath: good, toPath: folder.path("song"))
        let run = try play(["file://" + folder.path("song") + "%00.flac"])
        #expect(run.status == 2 && run.errorLines.count == 1, "\(run.standardError)")
        #expect(run.standardError.contains("no file has %00 in its name"), "\(run.standardError)")
    }
}
