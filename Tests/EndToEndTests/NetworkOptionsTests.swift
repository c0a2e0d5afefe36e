import AetherTestSupport
import Foundation
import Testing

/// The options for web servers, with every subcommand of `aetherctl` that opens an address.
@Suite(.enabled(if: Programs.control != nil, "\(Programs.missing)"))
struct NetworkOptionsTests {
    private let folder: TemporaryFolder
    private let origin: TestOrigin

    private static let list = """
        #EXTM3U
        #EXT-X-STREAM-INF:BANDWIDTH=800000,RESOLUTION=96x54,CODECS="avc1.4d401e"
        low.m3u8

        """

    init() throws {
        folder = try TemporaryFolder()
        let clip = try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "testsrc2=s=96x54:r=20:d=1", "-threads", "1", "-g", "10", "-c:v", "libx264", "-pix_fmt",
                "yuv420p",
            ], ext: "ts")
        let segments = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfilm.ts\n#EXT-X-ENDLIST\n"
        origin = try TestOrigin([
            "/film.ts": .file(clip), "/low.m3u8": .bytes(Array(segments.utf8)), "/master.m3u8": .bytes(Array(Self.list.utf8)),
        ])
        try Data((0..<40).map { "\($0) 6" }.joined(separator: "\n").utf8).write(to: URL(filePath: folder.path("link.txt")))
    }

    private static let said = ["--http-header", "X-Token: t", "--user-agent", "me", "--http-header", "Authorization: Basic eDp5"]

    private func run(_ words: [String], _ source: String, _ options: [String]) throws -> Command {
        let words = words.map { $0.replacing("FOLDER", with: folder.url.path) }
        return try Command(
            [#require(Programs.control)] + words + options + [source],
            environment: ["http_proxy": "", "https_proxy": "", "XDG_CACHE_HOME": folder.url.path])
    }

    /// All of them ask as they are told to, and a server that wants a password gives them nothing else.
    @Test(arguments: [
        (["probe"], "film.ts"), (["boxes"], "film.ts"), (["manifest"], "master.m3u8"), (["variants"], "master.m3u8"),
        (["download", "-o", "FOLDER/kept"], "master.m3u8"), (["validate"], "master.m3u8"),
        (["adapt", "--trace", "FOLDER/link.txt"], "master.m3u8"), (["swdecode"], "film.ts"), (["packets"], "film.ts"),
        (["samples"], "film.ts"), (["parameters"], "film.ts"), (["play", "--untimed", "--sink", "hash"], "master.m3u8"),
        (["render", "--size", "20x10"], "film.ts"), (["extract", "--at", "0", "-o", "FOLDER/still.png"], "film.ts"),
        (["sheet", "--columns", "1", "--rows", "1", "-o", "FOLDER/sheet.png"], "master.m3u8"),
    ])
    func everySubcommandAsksAsItIsTold(_ words: [String], _ name: String) throws {
        let address = origin.address + "/~auth/" + name
        let refused = try run(words, address, [])
        #expect(
            refused.status == 2 && (refused.standardError + refused.standardOutput).contains("401"), "\(refused.standardError)")
        let before = origin.requests.count
        let command = try run(words, address, Self.said)
        // What is wrong with such a short stream is not the question.
        #expect(
            command.status == 0 || words == ["validate"] && command.status != 2, "\(command.status): \(command.standardError)")
        let requests = origin.requests[before...]
        #expect(!requests.isEmpty)
        for request in requests {
            #expect(request.fields["x-token"] == "t" && request.fields["user-agent"] == "me", "\(request)")
        }
    }

    @Test func aServedSourceIsAskedForAsItIsTold() throws {
        let source = origin.address + "/~auth/film.ts"
        let pty = try Pty([#require(Programs.control), "serve"] + Self.said + [source])
        #expect(pty.waitForText("master.m3u8"), "\(pty.text)")
        pty.signal(SIGINT)
        _ = pty.waitForEnd()
        #expect(!origin.requests.isEmpty && origin.requests.allSatisfy { $0.fields["x-token"] == "t" })
    }

    /// Headers for the manifest's server are not sent to others that it names.
    @Test(arguments: ["manifest", "validate", "download", "adapt"])
    func otherServersGetNothingOfIt(_ command: String) throws {
        let other = try TestOrigin(["/low.m3u8": .bytes(Array("#EXTM3U\n#EXTINF:1,\na.ts\n#EXT-X-ENDLIST\n".utf8))])
        let master = Self.list.replacing("low.m3u8", with: other.address + "/low.m3u8")
        let first = try TestOrigin(["/m.m3u8": .bytes(Array(master.utf8))])
        var words = [command]
        if command == "download" { words += ["-o", "FOLDER/kept"] }
        if command == "adapt" { words += ["--trace", "FOLDER/link.txt"] }
        _ = try run(words, first.address + "/m.m3u8", Self.said)
        #expect(first.requests.allSatisfy { $0.fields["x-token"] == "t" } && !first.requests.isEmpty)
        #expect(!other.requests.isEmpty)
        for request in other.requests {
            #expect(request.fields["x-token"] == nil && request.fields["authorization"] == nil, "\(request)")
        }
    }

    @Test(arguments: [
        ["--net-limit", "5"], ["--http-header", "no colon"], ["--ca-file", "/nowhere/ca.pem"], ["--probe-size", "1"],
    ])
    func whatCannotBeSaidEndsWith64(_ options: [String]) throws {
        #expect(try run(["probe"], origin.address + "/film.ts", options).status == 64)
        #expect(origin.requests.isEmpty)
    }

    /// Audio that begins at 7 s is found where so much is looked at, and not where less is.
    @Test func theTimeOfTheAnalysisCounts() throws {
        let clip = try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "testsrc2=s=96x54:r=20:d=9", "-itsoffset", "7", "-f", "lavfi", "-i", "sine=440:r=48000:d=2",
                "-threads", "1", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac", "-muxdelay", "0", "-muxpreload", "0",
            ], ext: "ts")
        func isKnown(_ seconds: String) throws -> Bool {
            let command = try run(["probe", "--json"], clip, ["--analyze-time", seconds])
            let json = try JSONSerialization.jsonObject(with: Data(command.standardOutput.utf8)) as? [String: Any]
            let streams = try #require(json?["streams"] as? [[String: Any]])
            let audio = try #require(streams.first { $0["codec_type"] as? String == "audio" })
            return audio["sample_rate"] as? String == "48000"
        }
        #expect(try !isKnown("1"))
        #expect(try isKnown("20"))
    }

    /// The same file, another one from its third request on.
    @Test func playSaysOnStandardErrorWhatAPersonShouldKnow() throws {
        let command = try run(["play", "--untimed", "--insecure"], origin.address + "/film.ts", [])
        #expect(command.status == 0)
        let told = command.errorLines.filter { $0.contains("certificates are not checked: anyone may answer") }
        #expect(told.count == 1, "\(command.standardError)")
        // As every other one does.
        let probed = try run(["probe", "--insecure"], origin.address + "/film.ts", [])
        #expect(probed.status == 0 && probed.errorLines.filter { $0.contains("anyone may answer") }.count == 1)
        #expect(try run(["probe", "--insecure"], folder.path("link.txt"), []).standardError.contains("anyone") == false)
    }

    @Test func thePhaseIsSaidInWords() throws {
        let command = try run(["play", "--audio", "none"], origin.address + "/film.ts", [])
        #expect(command.status == 0 && command.standardError.contains("  ended  fps"), "\(command.standardError)")
        #expect(!command.standardError.contains("AetherCore"))
    }
}
