import AetherCore
import AetherFormats
import AetherMedia
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine
@testable import AetherSources

/// Subtitles and covers beside a file on a server that lists its folders.
@Suite struct WebFolderTests {
    private static func text(_ text: String) -> TestOrigin.Content { .bytes(Array(text.utf8)) }

    private let origin: TestOrigin

    init() throws {
        let page = """
            <title>Index of /films/</title><a href="../">../</a><a href="Subs/">Subs/</a><a href="a%20b.mkv">a b.mkv</a>
            <a href="a%20b.IDX">a b.IDX</a><a href="a%20b.sub">a b.sub</a><a href="a%20b.de.srt">a b.de.srt</a>
            <a href="other.srt">other.srt</a><a href="other.mkv">other.mkv</a><a href="Cover.png">Cover.png</a>
            """
        origin = try TestOrigin([
            "/films/": Self.text(page),
            "/films/Subs/": Self.text("<title>Index of /films/Subs/</title><a href=\"2_English.srt\">2_English.srt</a>"),
            "/films/Cover.png": Self.text("cover"), "/dav/song.flac": .pattern(20), "/dav/a/cover.jpg": Self.text("other"),
            "/dav/folder.jpg": Self.text("folder"), "/dav/film.mkv": .pattern(20), "/dav/film.en.srt": .pattern(1),
        ])
    }

    private var films: String { origin.address + "/films/" }

    private func locations(_ search: SidecarSearch?) -> [MediaLocation] { search?.tracks(Interrupt()).map(\.location) ?? [] }

    @Test func aPageThatWasReadTellsWhatLiesBeside() throws {
        let listing = try #require(try WebFolder(films, http: HTTPOptions()).listing())
        #expect(listing.address.text == films && origin.requests.map(\.target) == ["/films/"])
        let folder = WebFolder(films, http: HTTPOptions(), known: listing)
        let video = MediaLocation.url(films + "a%20b.mkv")
        #expect(
            locations(SidecarSearch(beside: video, in: folder))
                == ["a%20b.de.srt", "a%20b.IDX", "Subs/2_English.srt"].map { .url(films + $0) })
        #expect(try FolderCover(beside: video, in: folder, http: HTTPOptions())?.bytes(Interrupt()) == Array("cover".utf8))
        // The page is not asked for again; what lies in the folder of subtitles is asked for where there is one.
        #expect(origin.requests.map(\.target) == ["/films/", "/films/Subs/", "/films/Cover.png"])
    }

    /// A page for people is not asked for by a file's address alone.
    @Test func pagesAreNotAskedForUnasked() throws {
        let video = MediaLocation.url(films + "a%20b.mkv?key=1/2")
        #expect(SidecarSearch(beside: video) == nil && FolderCover(beside: video, http: HTTPOptions()) == nil)
        #expect(origin.requests.isEmpty)
    }

    @Test func foldersOfWebDAVAreListedUnasked() throws {
        let folder = origin.address.replacing("http://", with: "dav://") + "/~dav/dav/"
        #expect(locations(SidecarSearch(beside: .url(folder + "film.mkv"))) == [.url(folder + "film.en.srt")])
        let cover = FolderCover(beside: .url(folder + "song.flac"), http: HTTPOptions())
        #expect(try cover?.bytes(Interrupt()) == Array("folder".utf8))
    }

    @Test(.enabled(if: SecureShellServer.isAvailable, "no sshd here: scripts/setup.sh test installs it"))
    func foldersOfSFTPAreListedUnasked() throws {
        let server = try SecureShellServer(), files = try TemporaryFolder()
        for name in ["song #1.flac", "film ä.mkv", "film ä.en.srt", "front.png"] {
            try Data(name.utf8).write(to: URL(filePath: files.path(name)))
        }
        let folder = server.address + files.url.path + "/"
        var http = HTTPOptions()
        http.sshFolder = server.folder
        let video = MediaLocation.url(folder + ShareFolder.reference("film ä.mkv"))
        #expect(
            locations(SidecarSearch(beside: video, http: http)) == [.url(folder + ShareFolder.reference("film ä.en.srt"))])
        let song = MediaLocation.url(folder + "song%20%231.flac")
        #expect(try FolderCover(beside: song, http: http)?.bytes(Interrupt()) == Array("front.png".utf8))
    }

    @Test func aSearchThatIsBrokenOffAsksNoMore() throws {
        let folder = WebFolder(origin.address.replacing("http://", with: "dav://") + "/~dav/dav/", http: HTTPOptions())
        folder.cancel()
        #expect(throws: IOReaderError.cancelled) { try folder.listing() }
    }

    @Test(arguments: [
        ("sftp://h/a/b%20c.mkv", "sftp://h/a/", "b c.mkv"), ("sftp://h/a/b?c#d.mkv", "sftp://h/a/", "b?c#d.mkv"),
        ("dav://me@h/x.mkv?k=/1", "dav://me@h/", "x.mkv"), ("http://h/a/", nil, nil), ("http://h", nil, nil),
    ])
    func theFolderOfAnAddress(_ url: String, _ folder: String?, _ name: String?) {
        let parts = WebFolder.parts(of: url)
        #expect(parts?.folder == folder && parts?.name == name)
    }
}
