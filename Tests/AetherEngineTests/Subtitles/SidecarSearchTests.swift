import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine

@Suite struct SidecarSearchTests {
    /// The subtitles that are found beside a video among these files, as paths in the folder.
    private func found(_ files: [String], film: String) throws -> [String] {
        let folder = try TemporaryFolder()
        for file in files + [film] {
            let path = folder.path(file)
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try Data("x".utf8).write(to: URL(fileURLWithPath: path))
        }
        return (SidecarSearch(beside: .file(folder.path(film)))?.tracks(Interrupt()) ?? []).map { track in
            guard case .file(let path) = track.location else { return "" }
            return String(path.dropFirst(folder.url.path.count + 1))
        }
    }

    @Test func foldersOfSubtitlesAreLookedThrough() throws {
        let files = [
            "Film.en.srt", "SUBS/2_English.srt", "SUBS/Film/3_German.srt", "SUBS/Other/1_French.srt", "Extras/Film.srt",
            "SUBS/film.mkv/a.sup",
        ]
        #expect(
            try found(files, film: "Film.mkv") == [
                "Film.en.srt", "SUBS/2_English.srt", "SUBS/Film/3_German.srt", "SUBS/film.mkv/a.sup",
            ])
    }

    @Test func filesOfOtherVideosBelongToThem() throws {
        let files = [
            "Film.Extended.mkv", "Film.Extended.en.srt", "Film.en.srt", "Show E02.mkv", "Subs/Show E02.srt", "Subs/English.srt",
        ]
        #expect(try found(files, film: "Film.mkv") == ["Film.en.srt", "Subs/English.srt"])
        #expect(try found(files, film: "Film.Extended.mkv").first == "Film.Extended.en.srt")
    }

    /// Letters with marks are one or two code points, as the system has it that wrote them.
    @Test func namesInAnotherNormalFormBelong() throws {
        let composed = "F\u{FC}r Elise.mkv", decomposed = "Fu\u{308}r Elise.de.srt"
        #expect(try found([decomposed], film: composed).count == 1)
        #expect(try found(["Film [2020] (1080p).pt-BR.sdh.srt"], film: "Film [2020] (1080p).mkv").count == 1)
    }

    @Test(.enabled(if: ShareServer.isAvailable && ShareReader.isAvailable, "no smbd here, or no aether-share"))
    func theSubtitlesOfAVideoOnAShareAreFound() throws {
        let server = try ShareServer()
        let season = server.folder.appending(path: "Season 1")
        try FileManager.default.createDirectory(at: season.appending(path: "Subs/film #2"), withIntermediateDirectories: true)
        for name in ["film #2.mkv", "film #2.en.srt", "film #10.srt", "film #10.mkv", "Subs/film #2/2_German.srt"] {
            try Data("x".utf8).write(to: season.appending(path: name))
        }
        let address = "smb://127.0.0.1:\(server.port)/guest/Season 1"
        let search = try #require(SidecarSearch(beside: MediaLocation.parse(address + "/film #2.mkv")))
        let tracks = search.tracks(Interrupt())
        let folder = "smb://127.0.0.1:\(server.port)/guest/Season%201/"
        #expect(tracks.map(\.location) == [.url(folder + "film%20%232.en.srt"), .url(folder + "Subs/film%20%232/2_German.srt")])
        #expect(tracks.map(\.language) == ["en", "de"])
        let raised = Interrupt()
        raised.raise()
        #expect(search.tracks(raised).isEmpty)
    }
}
