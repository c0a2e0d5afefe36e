import AetherTestSupport
import Foundation
import Testing

/// Playlists and folders of a web server, with the built player.
@Suite(
    .enabled(if: Programs.player != nil && Programs.demo != nil, "\(Programs.missing)"),
    .enabled(if: Network.isAvailable, "no python3 here"), .serialized)
struct WebListPlayingTests {
    private let folder: TemporaryFolder
    private let server: Network.Server

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("web/films"), withIntermediateDirectories: true)
        for name in ["part 2", "part 10"] {
            let made = try Command([
                "ffmpeg", "-v", "error", "-ss", "28", "-i", #require(Programs.demo), "-map", "0:v", "-c", "copy", "-metadata",
                "title=\(name)", folder.path("web/films/\(name).mkv"),
            ])
            try #require(made.status == 0, "\(made.standardError)")
        }
        try Self.write(folder, "1\n00:00:29,000 --> 00:00:30,000\nWords beside it\n", "films/part 2.en.srt")
        try Self.write(
            folder, "#EXTM3U\nfile:///etc/passwd\n#EXTINF:3,The Last Part\nfilms/part%2010.mkv\n/films/part%202.mkv\n", "list.m3u"
        )
        try Self.write(folder, "[playlist]\nFile1=films/part%202.mkv\nTitle1=A Part\nNumberOfEntries=1\n", "radio")
        server = try Network.Server(folder: URL(filePath: folder.path("web")))
    }

    private static func write(_ folder: TemporaryFolder, _ text: String, _ name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: folder.path("web/" + name)))
    }

    private func played(_ path: String) throws -> Command {
        try Command(
            [
                #require(Programs.player), "--plain", "--no-audio", "--no-config", "--no-mpris", "--no-ytdl", "--log",
                folder.path("log"), server.address + path,
            ],
            environment: ["XDG_STATE_HOME": folder.path("state")])
    }

    private func places(of words: [String], in text: String) -> [String.Index] {
        words.compactMap { text.range(of: $0)?.lowerBound }
    }

    @Test func aFolderPlaysInNaturalOrderWithItsSubtitles() throws {
        let command = try played("/films/")
        #expect(command.status == 0, "\(command.standardOutput) \(command.standardError)")
        let found = places(of: ["Playing: part 2", "Playing: part 10"], in: command.standardOutput)
        #expect(found.count == 2 && found == found.sorted(), "\(command.standardOutput)")
        #expect(command.standardOutput.contains("part 2.en.srt"), "\(command.standardOutput)")
    }

    @Test(arguments: [("/list.m3u", ["Playing: The Last Part", "Playing: part 2"]), ("/radio", ["Playing: A Part"])])
    func aPlaylistPlaysWhatItLists(_ path: String, _ names: [String]) throws {
        let command = try played(path)
        #expect(command.status == 0, "\(command.standardOutput) \(command.standardError)")
        let found = places(of: names, in: command.standardOutput)
        #expect(found.count == names.count && found == found.sorted(), "\(command.standardOutput) \(command.standardError)")
        #expect(!command.standardOutput.contains("passwd") && !command.standardError.contains("passwd"))
    }

    @Test func anyOtherPageIsNoMedia() throws {
        try Self.write(folder, "<html><title>News</title></html>", "page.html")
        let command = try played("/page.html")
        #expect(command.status == 2 && command.standardError.contains("page.html"), "\(command.status) \(command.standardError)")
    }
}
