import AetherTestSupport
import Foundation
import Testing

/// A folder of a WebDAV server that others made, with the built player.
@Suite(
    .enabled(if: Programs.player != nil && Programs.demo != nil, "\(Programs.missing)"),
    .enabled(if: SecureServer.listsFolders, "no nginx with dav-ext here: scripts/setup.sh test installs it"), .serialized)
struct DAVPlayingTests {
    private let folder: TemporaryFolder
    private let server: SecureServer

    init() throws {
        folder = try TemporaryFolder()
        let films = folder.url.appending(path: "web/films")
        try FileManager.default.createDirectory(at: films, withIntermediateDirectories: true)
        for name in ["part 2", "part 10"] {
            let made = try Command([
                "ffmpeg", "-v", "error", "-ss", "28", "-i", #require(Programs.demo), "-map", "0:v", "-c", "copy", "-metadata",
                "title=\(name)", films.appending(path: "\(name).mkv").path,
            ])
            try #require(made.status == 0, "\(made.standardError)")
        }
        let words = "1\n00:00:29,000 --> 00:00:30,000\nWords beside it\n"
        try Data(words.utf8).write(to: films.appending(path: "part 2.en.srt"))
        // The server's workers are nobody.
        for path in [folder.url.path, folder.path("web"), films.path] {
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: films.path) {
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: films.appending(path: name).path)
        }
        server = try SecureServer(folder.url.appending(path: "web"))
    }

    /// It has no pages of folders, only what PROPFIND answers.
    @Test(arguments: ["davs", "https"]) func aFolderPlaysInNaturalOrderWithItsSubtitles(_ scheme: String) throws {
        let command = try Command(
            [
                #require(Programs.player), "--plain", "--no-audio", "--no-config", "--no-mpris", "--no-ytdl", "--ca-file",
                server.certificate, server.address.replacing("https", with: scheme) + "/dav/films/",
            ],
            environment: ["XDG_STATE_HOME": folder.path("state")])
        #expect(command.status == 0, "\(command.standardOutput) \(command.standardError)")
        let found = ["Playing: part 2", "Playing: part 10"].compactMap { command.standardOutput.range(of: $0)?.lowerBound }
        #expect(found.count == 2 && found == found.sorted(), "\(command.standardOutput)")
        #expect(command.standardOutput.contains("part 2.en.srt"), "\(command.standardOutput)")
        let log = server.log
        #expect(log.contains { $0.contains(" 207 ") && $0.hasSuffix(" PROPFIND /dav/films/") }, "\(log)")
        // What the folder lists is not asked about: each file once from its start, and the subtitles once.
        #expect(log.filter { $0.hasSuffix("GET /dav/films/part 2.en.srt") }.count == 1, "\(log)")
    }
}
