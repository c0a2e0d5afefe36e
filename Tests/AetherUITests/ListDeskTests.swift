import AetherCore
import AetherEngine
import AetherFormats
import AetherSources
import AetherTestSupport
import Glibc
import Testing

@testable import AetherUI

/// Lists and folders of web servers in the playlist and in the browser.
@Suite struct ListDeskTests {
    private static let folderPage = """
        <html><head><title>Index of /films/</title></head><body><pre><a href="../">../</a>
        <a href="Subs/">Subs/</a>   23-Nov-2026 20:07   -
        <a href="film%2010.mkv">film 10.mkv</a>   23-Nov-2026 20:07   10
        <a href="film%202.mkv">film 2.mkv</a>   23-Nov-2026 20:07   2
        <a href="film%202.en.srt">film 2.en.srt</a>   23-Nov-2026 20:07   1
        <a href="film%202.srt">film 2.srt</a>   23-Nov-2026 20:07   1
        <a href="film%2010.srt">film 10.srt</a>   23-Nov-2026 20:07   1
        <a href="notes.txt">notes.txt</a>   23-Nov-2026 20:07   1
        <a href="songs.m3u">songs.m3u</a>   23-Nov-2026 20:07   1
        </pre></body></html>
        """

    private let origin: TestOrigin
    private let wake = WakeHandle()
    private let folders = WebFolders()
    private let desk: ListDesk

    init() throws {
        let text = { (text: String) in TestOrigin.Content.bytes(Array(text.utf8)) }
        origin = try TestOrigin([
            "/films/": text(Self.folderPage),
            "/films/songs.m3u": text("#EXTM3U\n#EXTINF:3,One\na.mp3\nfile:///etc/passwd\n../b.mp3\n"),
            "/none.m3u": text("#EXTM3U\nfile:///etc/passwd\n"), "/empty/": text("<title>Index of /empty/</title>"),
            "/series/": text(
                "<title>Index of /series/</title><a href=\"../\">../</a>"
                    + (1...7).map { "<a href=\"S\($0)/\">S\($0)/</a>\n" }.joined()),
            "/dav/b.mkv": .pattern(10), "/dav/a.mkv": .pattern(20), "/dav/Subs/a.srt": .pattern(1),
            "/page": text("<html><title>News</title></html>"),
            "/stream": text("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.ts\n"),
            "/film": .pattern(1_000_000), "/page/": text("<html><title>News</title></html>"),
        ])
        desk = ListDesk(folders: folders, wake: wake)
    }

    private func answer(_ path: String, depth: Int = 0) throws -> ListDesk.Answer {
        var item = Playlist.Item(location: .url(origin.address + path))
        item.depth = depth
        desk.ask(origin.address + path, item, http: HTTPOptions())
        while true {
            #expect(desk.isAsking)
            var poll = pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)
            try #require(Glibc.poll(&poll, 1, 60_000) == 1, "nobody woke")
            wake.drain()
            if let answer = desk.take() {
                #expect(!desk.isAsking)
                return answer
            }
        }
    }

    private func items(_ path: String) throws -> [Playlist.Item] {
        guard case .items(let items) = try answer(path) else { return [] }
        return items
    }

    @Test func aPlaylistStandsForWhatItLists() throws {
        let items = try items("/films/songs.m3u")
        #expect(items.map(\.location) == [.url(origin.address + "/films/a.mp3"), .url(origin.address + "/b.mp3")])
        #expect(
            items.map(\.title) == ["One", ""] && items.allSatisfy { $0.depth == 1 && $0.document != nil && !$0.isInListedFolder })
        // One request, and none for what it names.
        #expect(origin.requests.count == 1)
    }

    @Test func aFolderStandsForItsMediaFilesInNaturalOrder() throws {
        let items = try items("/films/")
        #expect(items.map(\.location) == ["film%202.mkv", "film%2010.mkv"].map { .url(origin.address + "/films/" + $0) })
        #expect(items.map(\.location.displayName) == ["film 2.mkv", "film 10.mkv"] && items.allSatisfy(\.isInListedFolder))
    }

    /// The server has no page for the folder, and answers programs alone.
    @Test func aFolderOfWebDAVStandsForItsMediaFiles() throws {
        for address in [origin.address + "/~dav/dav/", origin.address.replacing("http", with: "dav") + "/~dav/dav/"] {
            desk.ask(address, Playlist.Item(location: .url(address)), http: HTTPOptions())
            var poll = pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)
            try #require(Glibc.poll(&poll, 1, 60_000) == 1, "nobody woke")
            wake.drain()
            guard case .items(let items) = desk.take() else {
                Issue.record("no items of \(address)")
                continue
            }
            let wanted = ["a.mkv", "b.mkv"].map { MediaLocation.url(origin.address + "/~dav/dav/" + $0) }
            #expect(items.map(\.location) == wanted && items.allSatisfy(\.isInListedFolder))
        }
        // By its usual name the page is asked for first, and not by the other one.
        #expect(origin.requests.map(\.method) == ["GET", "PROPFIND", "PROPFIND"])
        #expect(origin.requests.last?.fields["depth"] == "1" && origin.requests.last?.fields["range"] == nil)
        let other = PlayQueue.listed(.url("dav://h/x"), after: MediaError(.cannotOpen, "open"))
        #expect(PlayQueue.listed(.url("davs://h/d/"), after: MediaError(.notMedia, "open")) == "davs://h/d/")
        // The engine says of a sheet of audio files that it is no media.
        let sheet = MediaError(.notMedia, "play", reason: "it is a list of audio files")
        #expect(["smb://h/s/a.cue", "http://h/a.cue"].allSatisfy { PlayQueue.listed(.url($0), after: sheet) == $0 })
        let refused = MediaError(.cannotOpen, "open", cause: -EACCES)
        let addresses = [("https://h/d/", true), ("https://h/d/?x=1", true), ("https://h/d/a.mkv", false), ("ftp://h/d/", true)]
        for (url, isAsked) in addresses {
            #expect((PlayQueue.listed(.url(url), after: refused) != nil) == isAsked, "\(url)")
        }
        #expect(PlayQueue.listed(.url("https://h/d/"), after: MediaError(.cannotOpen, "open", cause: -ENOENT)) == nil)
        #expect(other == "dav://h/x" && PlayQueue.listed(.url("ftp://h/x"), after: MediaError(.cannotOpen, "open")) == nil)
    }

    @Test func whatIsNoListIsNone() throws {
        for path in ["/page", "/stream", "/film", "/nowhere"] { #expect(try answer(path) == .nothing, "\(path)") }
        // Of a large file no more is read than tells that.
        #expect(origin.requests.filter { $0.target == "/film" }.count == 1)
    }

    @Test func aListOfNothingSaysSo() throws {
        for (path, words) in [("/none.m3u", "lists nothing that can be opened"), ("/empty/", "holds no media files")] {
            guard case .failure(let error) = try answer(path) else {
                Issue.record("\(path)")
                continue
            }
            #expect(error.description.contains(words), "\(error)")
        }
    }

    @Test func aFolderOfFoldersNamesThem() throws {
        guard case .folders(let error) = try answer("/series/") else {
            Issue.record("no folders")
            return
        }
        #expect(error.description.contains("no media files, but folders: S1, S2, S3, S4, S5 and 2 more"), "\(error)")
    }

    @Test func listsInListsHaveAnEnd() throws {
        guard case .failure = try answer("/films/songs.m3u", depth: ListDesk.depthLimit) else {
            Issue.record("no end")
            return
        }
    }

    @Test func aQuestionThatIsGivenUpIsAnsweredAtOnce() throws {
        desk.ask(origin.address + "/~late/films/", Playlist.Item(location: .url("http://x/")), http: HTTPOptions())
        #expect(origin.waitForRequests(1) && desk.take() == nil && desk.isAsking)
        desk.giveUp()
        guard case .failure = desk.take() else {
            Issue.record("no answer")
            return
        }
        #expect(!desk.isAsking && desk.take() == nil)
        #expect(origin.waitForSilence())
    }

    /// Name and password of the folder's address are for its files, too.
    @Test func theFolderOfAServerWithAPassword() throws {
        let address = origin.address.replacing("http://", with: "http://ann:pass@") + "/~auth/films/"
        #expect(RemotePath.withUser(of: address, origin.address + "/films/") == address.replacing("/~auth", with: ""))
        desk.ask(address, Playlist.Item(location: .url(address)), http: HTTPOptions())
        var found: ListDesk.Answer?
        while found == nil {
            var poll = pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)
            try #require(Glibc.poll(&poll, 1, 60_000) == 1, "nobody woke")
            wake.drain()
            found = desk.take()
        }
        guard case .items(let items)? = found else {
            Issue.record("no items: \(String(describing: found))")
            return
        }
        #expect(items.map(\.location).first == .url(address + "film%202.mkv"))
        #expect(!items[0].location.displayName.contains("pass"))
    }

    // MARK: - Subtitles beside a video

    @Test func subtitlesAreKnownWhereAFolderWasListedAndNowhereElse() throws {
        let items = try items("/films/")
        var loading = LoadOptions()
        folders.attend(to: items[0].location, &loading)
        let folder = try #require(loading.folder)
        let contents = try folder.contents(limit: 100, includesHidden: false) { $0.hasSuffix(".srt") }
        let names = contents.entries.filter { !$0.isDirectory }.map(\.name)
        #expect(names.contains("film 2.en.srt") && names.contains("film 2.srt") && !names.contains("film 2.mkv"))
        #expect(folder.location(of: "film 2.srt") == .url(origin.address + "/films/film%202.srt"))
        var other = LoadOptions()
        folders.attend(to: .url(origin.address + "/other/film%202.mkv"), &other)
        folders.attend(to: .file("/films/film 2.mkv"), &other)
        folders.attend(to: .url(origin.address + "/films/missing.mkv"), &other)
        #expect(other.folder == nil)
        // The folder was asked for, and none of the names.
        #expect(origin.requests.map(\.target) == ["/films/"])
    }

    // MARK: - The list

    @Test func aListIsUnfoldedInItsPlace() {
        let names = { (list: Playlist) in list.items.map(\.location.displayName) }
        let item = { Playlist.Item(location: .url("http://host/" + $0)) }
        var list = Playlist(items: ["a", "b", "c"].map(item), from: 1)
        list.unfold(into: ["1", "2"].map(item))
        #expect(names(list) == ["a", "1", "2", "c"] && list.index == 1 && list.current == .url("http://host/1"))
        list.setShuffled(true)
        list.unfold(into: ["x", "y"].map(item))
        list.setShuffled(false)
        #expect(names(list) == ["a", "x", "y", "2", "c"])
        list.unfold(into: [])
        #expect(list.items.count == 5)
    }

    // MARK: - The browser

    private func listing(_ reader: DirectoryReader, _ path: String) throws -> DirectoryAnswer.Listing {
        reader.read(.directory(DirectoryRequest(path: path, number: 1)))
        while true {
            var poll = pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)
            try #require(Glibc.poll(&poll, 1, 60_000) == 1, "nobody woke")
            wake.drain()
            if case .directory(let answer)? = reader.take() { return answer.listing }
        }
    }

    @Test func theBrowserListsAFolderOfAServer() throws {
        let reader = DirectoryReader(wake: wake, folders: folders)
        guard case .read(let entries, isCut: false) = try listing(reader, origin.address + "/films") else {
            Issue.record("not read")
            return
        }
        #expect(entries.map(\.label) == ["Subs", "film 2.mkv", "film 10.mkv", "songs.m3u"])
        #expect(entries.map(\.kind) == [.directory, .media, .media, .playlist])
        #expect(entries[1].name == "film%202.mkv" && entries[1].bytes == 2 && entries[1].changed?.month == 11)
        for (path, words) in [("/page", "lists no folder there"), ("/nowhere", "404")] {
            guard case .failed(let reason) = try listing(reader, origin.address + path) else {
                Issue.record("\(path)")
                continue
            }
            #expect(reason.contains(words), "\(reason)")
        }
    }

    @Test(arguments: [
        ("http://h/a/b", "http://h/a", "b"), ("http://h/a/", "http://h/", "a"), ("http://h/a", "http://h/", "a"),
        ("https://me:pw@h:80/a/b/", "https://me:pw@h:80/a", "b"), ("http://h/", nil, nil), ("http://h", nil, nil),
    ])
    func folderAboveFolder(_ path: String, _ above: String?, _ name: String?) {
        let parent = Browser.parent(of: path)
        #expect(parent?.path == above && parent?.name == name)
    }

    @Test func enteringAndChoosingStaysOnTheServer() {
        let place = Browser.place(of: "http://h/films/film%202.mkv?x=1", in: "/home")
        #expect(place.directory == "http://h/films/" && place.name == "film%202.mkv")
        var browser = Browser("http://h/films/", standingOn: "film%202.mkv")
        func answer(_ entries: [Browser.Entry]) {
            guard let request = browser.awaited else { return }
            browser.take(DirectoryAnswer(request: request, listing: .read(entries, isCut: false)))
        }
        answer([.init(.directory, name: "Subs"), .init(.media, name: "film%202.mkv", label: "film 2.mkv")])
        #expect(browser.choice == .files(["http://h/films/film%202.mkv"], from: 0))
        #expect(Playlist.Item(chosen: "http://h/films/film%202.mkv").location == .url("http://h/films/film%202.mkv"))
        #expect(Playlist.Item(chosen: "/films/a.mkv").location == .file("/films/a.mkv"))
        browser.move(by: -1)
        #expect(browser.choice == .directory("http://h/films/Subs"))
        #expect(browser.goUp() && browser.awaited?.path == "http://h/" && !browser.goUp())
    }
}
