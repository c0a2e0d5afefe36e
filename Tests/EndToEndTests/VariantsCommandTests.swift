import AetherTestSupport
import Foundation
import Testing

/// `--variant` from outside: `aetherctl variants` and `play`, and the player.
@Suite(.enabled(if: Programs.control != nil && Programs.player != nil, "\(Programs.missing)"))
struct VariantsCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let master = """
        #EXTM3U
        #EXT-X-STREAM-INF:BANDWIDTH=14516883,VIDEO-RANGE=SDR,CODECS="avc1.64001f,mp4a.40.5",FRAME-RATE=23.976,RESOLUTION=1920x1080
        sdr.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=34516883,VIDEO-RANGE=PQ,CODECS="dvh1.05.06,ec-3",FRAME-RATE=23.976,RESOLUTION=3840x1920
        dv.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=4000000,VIDEO-RANGE=PQ,CODECS="vvc1.1.L83,mp4a.40.2",RESOLUTION=1920x1080
        vvc.m3u8

        """
    private static let manifest = """
        <MPD><Period duration="PT4S"><AdaptationSet mimeType="video/mp4"><SegmentTemplate media="$RepresentationID$-$Number$" duration="2"/>
        <Representation id="a" bandwidth="800000" width="640" height="360" codecs="avc1.4d401e"/>
        <Representation id="b" bandwidth="6000000" width="1920" height="1080" codecs="hvc1.2.4.L123.B0">
        <ContentProtection schemeIdUri="urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed"/></Representation>
        </AdaptationSet></Period></MPD>
        """

    private func source(_ text: String) throws -> String {
        try Data(text.utf8).write(to: URL(filePath: folder.path("m")))
        return folder.path("m")
    }

    private func list(_ text: String, _ arguments: [String]) throws -> [[String: Any]] {
        let command = try Command([#require(Programs.control), "variants", "--json"] + arguments + [try source(text)])
        #expect(command.status == 0 && command.standardError == "", "\(command.standardError)")
        return try #require(try JSONSerialization.jsonObject(with: Data(command.standardOutput.utf8)) as? [[String: Any]])
    }

    /// FFmpeg 5.1 does not decode VVC, 7.1 does.
    private static func decodesVVC() throws -> Bool {
        try Command(["ffmpeg", "-hide_banner", "-decoders"]).standardOutput.contains(" vvc ")
    }

    @Test(
        arguments: [
            ([], [true, true, false], [true, true, true]), (["range == PQ"], [false, true, false], [false, true, true]),
            (["peakBitRate < 5M", "best"], [false, true, false], [false, false, true]),
            (["3"], [false, false, true], [false, false, true]), (["peak < 1M"], [true, true, false], [true, true, true]),
        ] as [([String], [Bool], [Bool])])
    func theChosenAreMarked(_ wishes: [String], _ chosen: [Bool], _ chosenWithVVC: [Bool]) throws {
        let rows = try list(Self.master, wishes.flatMap { ["--variant", $0] })
        let chosen = try Self.decodesVVC() ? chosenWithVVC : chosen
        #expect(rows.map { $0["isChosen"] as? Bool } == chosen)
        #expect(rows[0]["peakBitRate"] as? Double == 14_516_883 && rows[0]["averageBitRate"] is NSNull)
        let video = try #require(rows[1]["videoAttributes"] as? [String: Any])
        #expect(video["videoRange"] as? String == "PQ" && video["nominalFrameRate"] as? Double == 23.976)
        #expect(video["codecTypes"] as? [String] == ["dvh1.05.06"])
        #expect((rows[1]["audioAttributes"] as? [String: Any])?["formatIDs"] as? [String] == ["ec-3"])
        if !chosen[2] { #expect((rows[2]["refusal"] as? String)?.hasPrefix("cannot be decoded: VVC") == true) }
    }

    @Test func ofDASHAlike() throws {
        #expect(try list(Self.manifest, []).map { $0["refusal"] as? String } == [nil, "protected by Widevine"])
        #expect(try list(Self.manifest, ["--variant", "lines <= 720p"]).map { $0["isChosen"] as? Bool } == [true, false])
        let table = try Command([#require(Programs.control), "variants", try source(Self.manifest)]).standardOutput
        #expect(
            table.split(separator: "\n").count == 3 && table.contains("*  1  360p") && table.contains("protected by Widevine"))
    }

    /// The table, playing and the player say the same where a required wish leaves nothing, in one line and with the status of what cannot be opened.
    @Test(arguments: [["variants"], ["play", "--untimed"], []])
    func whatIsRequiredAndNotThereIsOneSentence(_ words: [String]) throws {
        let program = try #require(words.isEmpty ? Programs.player : Programs.control)
        let command = try Command(
            [program] + words + (words.isEmpty ? ["--plain", "--no-config", "--no-history", "--no-mpris"] : [])
                + ["--require", "--variant", "peak < 1M", try source(Self.master)])
        #expect(command.status == 2)
        let lines = command.standardError.split(separator: "\n").filter {
            $0.contains("none of its 3 qualities meets ‘peak < 1M’")
        }
        #expect(lines.count == 1, "\(command.standardError)")
    }

    @Test(arguments: [["variants", "x"], ["play", "x"], ["x"]])
    func anErrorHasACaretBelowIt(_ words: [String]) throws {
        let program = try #require(words.count == 1 ? Programs.player : Programs.control)
        let command = try Command([program] + words + ["--variant", "range == PQ && heigt < 720p"])
        #expect(command.status == 64)
        #expect(
            command.standardError.contains(
                "--variant: unknown key path ‘heigt’: is it height?\n  range == PQ && heigt < 720p\n                 ^\n"),
            "\(command.standardError)")
    }
}
