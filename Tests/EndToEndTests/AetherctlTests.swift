import AetherCore
import AetherTestSupport
import Foundation
import Testing

/// `aetherctl`, each subcommand from outside: output, JSON and exit status.
@Suite(.enabled(if: Programs.control != nil, "\(Programs.missing)"))
struct AetherctlTests {
    private func control(_ arguments: String...) throws -> Command {
        try Command([#require(Programs.control)] + arguments)
    }

    private func object(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    /// 20 pictures of 96x54 and a second of sound; the picture changes all over, each time.
    private static func moving(_ ext: String, _ options: [String] = []) throws -> String {
        try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "testsrc2=s=96x54:r=20:d=1", "-f", "lavfi", "-i", "sine=440:r=48000:d=1", "-metadata",
                "title=Bars",
                "-threads", "1", "-g", "10",
            ] + options, ext: ext)
    }

    // MARK: - its output

    /// Half a report on a full disk is no success; a reader that has seen enough is no failure.
    @Test func aReportThatCannotBeWrittenIsAFailure() throws {
        let clip = try Self.moving("mkv")
        let lost = try Command(["sh", "-c", "exec \"$0\" probe --json \"$1\" > /dev/full", #require(Programs.control), clip])
        #expect(lost.status == 1 && lost.standardError.hasPrefix("aetherctl: cannot write ‘standard output’: "), "\(lost)")
        // Lines that were written one by one, before the end.
        let lines = try Command(
            ["sh", "-c", "exec \"$0\" play --sink hash --untimed \"$1\" > /dev/full", #require(Programs.control), clip])
        #expect(lines.status == 1 && lines.standardError.contains("cannot write"), "\(lines.standardError)")
        let read = try Command(["sh", "-c", "\"$0\" packets \"$1\" | head -n 1", #require(Programs.control), clip])
        #expect(read.status == 0 && read.standardError.isEmpty && !read.standardOutput.isEmpty, "\(read.standardError)")
    }

    // MARK: - what it is made of

    /// With libavfilter come 28 libraries, 11 MB of them in memory, which few media need: it is loaded for those.
    @Test func libavfilterIsNoPartOfTheStart() throws {
        for program in [Programs.player, Programs.control] {
            let libraries = try Command(["env", "LD_TRACE_LOADED_OBJECTS=1", #require(program)]).standardOutput
            #expect(libraries.contains("libavcodec") && !libraries.contains("libavfilter"), "\(libraries)")
        }
    }

    // MARK: - probe

    /// Keys that only a decoder at work can fill; a demuxer's report leaves them out.
    private static let decodersKeys: Set<String> = [
        "coded_width", "coded_height", "closed_captions", "film_grain", "refs", "is_avc", "nal_length_size", "divx_packed",
        "quarter_sample", "side_data_list",
    ]

    /// Keys of ffprobe 6 to 7.1. Ours are those of 5.1, whatever FFmpeg is below.
    private static let laterKeys: Set<String> = [
        "initial_padding", "non_diegetic", "multilayer", "nb_stream_groups", "ts_id", "ts_packetsize",
    ]

    /// Records an issue for everything in ffprobe's report that is not the same in ours.
    private func compare(_ ours: Any?, _ theirs: Any, at path: String) {
        switch theirs {
        case let theirs as [String: Any]:
            let ours = ours as? [String: Any]
            for (key, value) in theirs where !Self.decodersKeys.contains(key) && !Self.laterKeys.contains(key) {
                compare(ours?[key], value, at: "\(path)/\(key)")
            }
            let own = Set(ours?.keys.map { $0 } ?? []).subtracting(theirs.keys)
            #expect(own.isSubset(of: ["aether"]), "\(path) has more than ffprobe's")
        case let theirs as [Any]:
            let ours = ours as? [Any]
            #expect(ours?.count == theirs.count, "\(path)")
            for (index, value) in theirs.enumerated() where index < ours?.count ?? 0 {
                compare(ours?[index], value, at: "\(path)/\(index)")
            }
        default: #expect("\(ours ?? "missing")" == "\(theirs)", "\(path)")
        }
    }

    @Test(arguments: [
        ("mkv", ["-c:v", "libx264", "-c:a", "flac"]), ("mp4", ["-c:v", "libx264", "-aspect", "4:3", "-c:a", "aac"]),
        ("ts", ["-c:v", "mpeg2video", "-c:a", "mp2"]), ("ogg", ["-c:v", "libtheora", "-c:a", "libvorbis"]),
        ("avi", ["-c:v", "mpeg4", "-c:a", "libmp3lame"]), ("flac", ["-vn", "-c:a", "flac"]),
    ])
    func theReportAgreesWithFFprobes(_ ext: String, _ options: [String]) throws {
        try expectAgreement(Self.moving(ext, options))
    }

    @Test(.enabled(if: Programs.demo != nil, "the demo clip is not made: run make demo"))
    func theReportOnTheDemoAgreesWithFFprobes() throws {
        let report = try expectAgreement(try #require(Programs.demo))
        #expect((report["chapters"] as? [Any])?.count == 6)
        #expect((report["streams"] as? [Any])?.count == 6)
    }

    @discardableResult private func expectAgreement(_ path: String) throws -> [String: Any] {
        let ours = try control("probe", "--json", path)
        #expect(ours.status == 0 && ours.standardError == "")
        let report = try object(ours.standardOutput)
        let theirs = try Command([
            "ffprobe", "-v", "error", "-of", "json", "-show_format", "-show_streams", "-show_chapters", path,
        ])
        compare(report.filter { $0.key != "aether" }, try object(theirs.standardOutput), at: "")
        return report
    }

    @Test func theTextNamesContainerStreamsAndTags() throws {
        let path = try Self.moving("mkv", ["-c:v", "libx264", "-c:a", "flac", "-metadata:s:a:0", "language=ger"])
        let text = try control("probe", path).standardOutput
        for word in ["Matroska", "h264", "96x54", "20 frames/s", "flac", "48000 Hz", "language ger", "tag title: Bars", "00:01"] {
            #expect(text.contains(word), "\(word) is not in: \(text)")
        }
    }

    // MARK: - swdecode

    @Test func aHealthyStreamIsCalledSo() throws {
        let result = try control("swdecode", "--frames", "0", "--json", Self.moving("mkv", ["-c:v", "libx264", "-an"]))
        #expect(result.status == 0)
        let report = try object(result.standardOutput)
        #expect(
            Set(report.keys) == [
                "codecName", "codecID", "width", "height", "openSucceeded", "openError", "packetsRead", "packetsFedToDecoder",
                "framesDecoded", "firstFramePixelFormat", "firstFrameWidth", "firstFrameHeight", "firstError", "fps",
            ])
        #expect(report["codecName"] as? String == "h264")
        #expect(report["framesDecoded"] as? Int == 20)
        #expect(report["packetsFedToDecoder"] as? Int == 20)
        #expect(report["openError"] is NSNull)
    }

    @Test func framesLimitsThePacketsThatAreRead() throws {
        let report = try object(
            try control("swdecode", "--frames", "7", "--json", Self.moving("mkv", ["-c:v", "libx264", "-c:a", "flac"]))
                .standardOutput)
        #expect(report["packetsRead"] as? Int == 7)
    }

    @Test func aStreamOfNothingButNoiseHasNoFrames() throws {
        let folder = try TemporaryFolder()
        var bytes = try Data(
            contentsOf: URL(filePath: Self.moving("mp4", ["-c:v", "libx264", "-an", "-movflags", "+faststart"])))
        let box = try #require(bytes.range(of: Data("mdat".utf8)))
        bytes.replaceSubrange(box.upperBound..., with: Data(count: bytes.endIndex - box.upperBound))
        try bytes.write(to: folder.url.appending(path: "zeros.mp4"))
        let result = try control("swdecode", folder.path("zeros.mp4"))
        #expect(result.status == 1)
        #expect(result.standardOutput.hasPrefix("no frames: h264"))
    }

    @Test func whatCannotBeOpenedIsSaidInTheReportToo() throws {
        let result = try control("swdecode", "--json", "/no/such/file.mkv")
        #expect(result.status == 2)
        #expect((try object(result.standardOutput)["openError"] as? String)?.contains("No such file") == true)
    }

    // MARK: - packets and play

    @Test func thePacketsAreFFprobesPackets() throws {
        let path = try Self.moving("mkv", ["-c:v", "libx264", "-bf", "2", "-c:a", "flac"])
        let lines = try control("packets", path).standardOutput.split(separator: "\n")
        #expect(lines.first == "stream\tpts\tdts\tduration\tkey\tsize")
        let theirs = try Command([
            "ffprobe", "-v", "error", "-of", "csv=p=0", "-show_entries", "packet=stream_index,pts,size", path,
        ])
        let ours = lines.dropFirst().map { line in
            let fields = line.split(separator: "\t")
            return "\(fields[0]),\(fields[1].prefix { $0 != " " }),\(fields[5])"
        }
        #expect(ours == theirs.standardOutput.split(separator: "\n").map(String.init))
        #expect(ours.count > 20)
    }

    @Test func playHashesEveryFrameTheSameEachTime() throws {
        let path = try Self.moving("mkv", ["-c:v", "libx264", "-bf", "2", "-c:a", "flac"])
        let first = try control("play", "--sink", "hash", "--untimed", path)
        #expect(first.status == 0)
        let lines = first.standardOutput.split(separator: "\n")
        #expect(lines.count == 20)
        #expect(lines.first?.hasPrefix("0.000000 ") == true)
        #expect(lines.allSatisfy { $0.wholeMatch(of: /[0-9]+\.[0-9]{6} [0-9a-f]{16}/) != nil })
        #expect(Set(lines.compactMap { $0.split(separator: " ").last }).count == 20)
        #expect(try control("play", "--sink", "hash", "--untimed", path).standardOutput == first.standardOutput)
    }

    // MARK: - Statuses

    @Test(arguments: [["probe"], ["swdecode"], ["packets"], ["play", "--untimed"], ["render", "--size", "80x24"]])
    func whatCannotBeOpenedEndsWith2(_ command: [String]) throws {
        let result = try Command([#require(Programs.control)] + command + ["/no/such/file.mkv"])
        #expect(result.status == 2)
        if command[0] == "swdecode" { return }
        #expect(result.errorLines == ["aetherctl: cannot open ‘/no/such/file.mkv’: No such file or directory"])
    }

    @Test(arguments: [
        ["probe"], ["probe", "--frames", "1", "x"], ["swdecode", "--frames", "-1", "x"], ["play", "--sink", "drain", "x"],
        ["play", "--size", "0x9", "x"], ["render", "x"], ["render", "--size", "80", "x"], ["render", "--size", "80x99999", "x"],
        ["render", "--size", "80x24", "--cell", "1x99", "x"], ["render", "--size", "80x24", "--renderer", "oil", "x"],
        ["render", "--size", "80x24", "--start", "yesterday", "x"], ["term", "x"], ["sing"],
    ])
    func aWrongCommandLineEndsWith64(_ arguments: [String]) throws {
        let result = try Command([#require(Programs.control)] + arguments)
        #expect(result.status == 64)
        #expect(!result.errorLines.isEmpty && result.standardOutput == "")
    }

    @Test func audioAloneCannotBeRendered() throws {
        let result = try control("render", "--size", "80x24", Self.moving("flac", ["-vn", "-c:a", "flac"]))
        #expect(result.status == 2)
        #expect(result.errorLines.first?.contains("it has no video") == true)
    }

    // MARK: - render

    /// The screen of a terminal of so many cells after the bytes of `aetherctl render`.
    private func screen(_ columns: Int, _ rows: Int, _ arguments: [String]) throws -> VTScreen {
        let result = try Command([#require(Programs.control), "render", "--size", "\(columns)x\(rows)"] + arguments)
        #expect(result.status == 0, "\(result.standardError)")
        var screen = VTScreen(columns: columns, rows: rows)
        screen.feed(result.standardOutput.utf8)
        #expect(screen.unknown.isEmpty && screen.scrolled == 0 && !screen.isInsideSequence)
        return screen
    }

    /// FFV1 in RGB, so that no decoder blurs the picture: the left half red, the right half blue. Of 45 rows, `color` of FFmpeg 5.1 made 44.
    private static func halves() throws -> String {
        try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "color=red:s=40x44:r=5:d=1", "-f", "lavfi", "-i", "color=blue:s=40x44:r=5:d=1",
                "-filter_complex",
                "[0]format=bgr0[a];[1]format=bgr0[b];[a][b]hstack", "-c:v", "ffv1",
            ], ext: "mkv")
    }

    @Test func theFrameIsWhereItBelongs() throws {
        // 80x44 square pixels in 40x20 cells of 8x16: 40 columns wide, 22 half rows high, centred.
        let shown = try screen(40, 20, ["--frames", "1", "--exact", Self.halves()]).pixels()
        #expect(isRed(shown.pixels[20 * 40 + 2]) && isRed(shown.pixels[20 * 40 + 18]))
        #expect(isBlue(shown.pixels[20 * 40 + 22]) && isBlue(shown.pixels[20 * 40 + 38]))
        for row in [0, 4, 35, 39] { #expect((0..<40).allSatisfy { shown.pixels[row * 40 + $0] == black }, "row \(row)") }
        // Cells twice as wide: the picture fills the height and is 36 columns wide.
        let square = try screen(40, 20, ["--frames", "1", "--exact", "--cell", "16x16", Self.halves()]).pixels()
        for row in [0, 20, 39] {
            #expect(square.pixels[row * 40 + 1] == black && square.pixels[row * 40 + 38] == black, "row \(row)")
            #expect(isRed(square.pixels[row * 40 + 3]) && isBlue(square.pixels[row * 40 + 36]), "row \(row)")
        }
    }

    private let black = RasterImage.rgb(0, 0, 0)
    // ffmpeg's own red is 254, 0, 0.
    private func isRed(_ pixel: UInt32) -> Bool { pixel & 255 > 250 && pixel & 0xFF_FF00 == 0 }
    private func isBlue(_ pixel: UInt32) -> Bool { pixel >> 16 & 255 > 250 && pixel & 0xFFFF == 0 }

    @Test func differencesAddUpToTheFrameItself() throws {
        let path = try Self.moving("mkv", ["-c:v", "ffv1", "-an"])
        let stepwise = try screen(60, 20, ["--frames", "13", "--exact", path])
        let atOnce = try screen(60, 20, ["--frames", "1", "--start", "0.6", "--exact", path])
        let isSame = stepwise.pixels() == atOnce.pixels()
        #expect(isSame)
        let stands = try screen(60, 20, ["--frames", "1", "--exact", path]).pixels() == atOnce.pixels()
        #expect(!stands)
    }

    @Test func statisticsAddUpToTheBytes() throws {
        let result = try control("render", "--size", "60x20", "--stats", Self.moving("mkv", ["-c:v", "libx264", "-an"]))
        let lines = result.errorLines
        #expect(lines.count == 21)
        let bytes = lines.dropLast().compactMap { $0.firstMatch(of: /bytes (?<count>[0-9]+)/).flatMap { Int($0.output.count) } }
        #expect(bytes.count == 20 && bytes.reduce(0, +) == result.standardOutput.utf8.count)
        #expect(lines.last == "total  frames 20  bytes \(bytes.reduce(0, +))  per frame \(bytes.reduce(0, +) / 20)")
    }

    @Test(arguments: [("256", "38;5;"), ("mono", "")])
    func fewerColoursAreSentAsSuch(_ depth: String, _ sequence: String) throws {
        let output = try control(
            "render", "--size", "60x20", "--frames", "1", "--color", depth, Self.moving("mkv", ["-c:v", "ffv1", "-an"])
        ).standardOutput
        #expect(!output.contains("8;2;"))
        #expect(sequence.isEmpty || output.contains(sequence))
    }

    @Test func aReaderThatHasSeenEnoughIsNoFailure() throws {
        let script = "\"$1\" render --size 200x60 \"$2\" | head -c 10 >/dev/null; echo ${PIPESTATUS[0]}"
        let result = try Command(
            ["bash", "-c", script, "render", #require(Programs.control), Self.moving("mkv", ["-c:v", "ffv1", "-an"])])
        #expect(result.standardOutput == "0\n")
        #expect(result.standardError == "")
    }
}
