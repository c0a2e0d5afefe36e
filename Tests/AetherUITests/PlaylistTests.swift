import AetherCore
import AetherEngine
import AetherFormats
import AetherSources
import AetherTestSupport
import ArgumentParser
import Foundation
import Testing

@testable import AetherUI

@Suite struct PlaylistTests {
    private func write(_ text: String, _ name: String, _ folder: TemporaryFolder) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(name)))
        return folder.path(name)
    }

    @Test func directoriesAndListsAreOpenedInTheirPlace() throws {
        let folder = try TemporaryFolder()
        for name in ["track 10.flac", "track 2.flac", "notes.txt"] { _ = try write("x", name, folder) }
        let list = try write("#EXTINF:1,First\nsub/a.mkv\n/abs/b.mkv\nhttp://h/c.mp3\n-\n", "list.m3u8", folder)
        let playlist = try Playlist(arguments: ["first.mkv", folder.url.path, list])
        #expect(playlist.names == ["first.mkv", "track 2.flac", "track 10.flac", "First", "b.mkv", "c.mp3", "-"])
        #expect(playlist.items[3].location == .file(folder.path("sub/a.mkv")))
        #expect(playlist.items[5].location == .url("http://h/c.mp3"))
        #expect(playlist.position.path == "first.mkv")
        #expect(playlist.items[6].location == .file(folder.path("-")))
    }

    /// A download may keep the name of its playlist.
    @Test(arguments: ["m3u8", "m3u", "pls", "xspf"]) func mediaUnderTheNameOfAListAreMedia(_ ext: String) throws {
        let folder = try TemporaryFolder(), path = folder.path("film.\(ext)")
        let box: [UInt8] = [0, 0, 0, 24] + Array("ftypisom".utf8) + [0, 0, 2, 0] + Array("isommp41\nabc".utf8)
        try Data(box).write(to: URL(fileURLWithPath: path))
        #expect(try Playlist(arguments: [path]).items.map(\.location) == [.file(path)])
    }

    @Test func textOfUTF16IsAList() throws {
        let text = "a.mkv\nb.mkv\n"
        for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf16, .utf8] {
            #expect(PlaylistReading.isText(Array(try #require(text.data(using: encoding)))[...]), "\(encoding)")
        }
        #expect(!PlaylistReading.isText([0x47, 0, 0x40, 0, 0, 0x10][...]))
    }

    /// A folder of folders is looked around in where it is named alone; where files are asked for, it is none.
    @Test func aFolderOfFoldersIsOneToLookAroundIn() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.path
        #expect(PlaylistReading.folderOfFolders([path]) == nil, "an empty one")
        try FileManager.default.createDirectory(atPath: folder.path("series"), withIntermediateDirectories: true)
        #expect(PlaylistReading.folderOfFolders([path]) == path && PlaylistReading.folderOfFolders([path, "a.mkv"]) == nil)
        let playlist = Playlist(folder: path)
        #expect(playlist.isEmpty && playlist.position.path == path + "/" && playlist.position.count == 0)
        #expect(throws: MediaError.self) { try Playlist(arguments: [path]) }
        _ = try write("x", "a.mkv", folder)
        #expect(PlaylistReading.folderOfFolders([path]) == nil && PlaylistReading.folderOfFolders([folder.path("a.mkv")]) == nil)
    }

    @Test func whatFollowsIsKnownWithoutGoingThere() throws {
        var list = Playlist(items: [.init(location: .file("a")), .init(location: .file("b"))])
        #expect(list.following?.location == .file("b") && list.current == .file("a"))
        #expect(list.step(1) && list.following == nil)
        var endless = Playlist(items: [.init(location: .file("a"))], repeats: .list)
        #expect(endless.following?.location == .file("a") && endless.step(1))
    }

    @Test func tracksOfADiscArePartsOfTheirFile() throws {
        let folder = try TemporaryFolder()
        let cue = try write(
            "FILE \"disc.flac\" WAVE\nTRACK 01 AUDIO\nTITLE A\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nTITLE B\nINDEX 01 01:00:00",
            "disc.cue", folder)
        let playlist = try Playlist(arguments: [cue])
        #expect(
            playlist.items.map(\.title) == ["A", "B"]
                && playlist.items.map(\.location) == Array(repeating: .file(folder.path("disc.flac")), count: 2))
        #expect(
            playlist.items[0].start == nil && playlist.items[0].end == .seconds(60) && playlist.items[1].start == .seconds(60))
        #expect(playlist.position.title == "A")
        let options = try PlayerOptions.parse(["--start", "5", "x"])
        func loading(_ index: Int) -> LoadOptions {
            LoadOptions(options, isPlain: false, item: playlist.items[index], carried: nil)
        }
        #expect(loading(0).part == SourcePart(start: .zero, end: .seconds(60)))
        #expect(loading(1).part == SourcePart(start: .seconds(60), end: nil) && loading(1).start == .time(.seconds(5)))
        #expect(Playlist.Item(location: .file("a")).part == nil)
    }

    @Test func streamsInSegmentsAreVideosAndEmptyListsAreRefused() throws {
        let folder = try TemporaryFolder()
        let stream = try write("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n", "live.m3u8", folder)
        #expect(try Playlist(arguments: [stream]).items.map(\.location) == [.file(stream)])
        let empty = try write("#EXTM3U\n", "none.m3u", folder)
        let error = #expect(throws: MediaError.self) { try Playlist(arguments: [empty]) }
        #expect(error?.description.contains("lists nothing") == true)
        #expect(throws: MediaError.self) { try Playlist(arguments: [folder.path("missing.pls")]) }
    }

    @Test func listsInListsAreReadAndThoseThatNameThemselvesAreNotReadTwice() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("album"), withIntermediateDirectories: true)
        for name in ["album/10.flac", "album/9.flac", "album/x.txt"] { _ = try write("x", name, folder) }
        let inner = try write("\u{FEFF}#EXTM3U\r\n#EXTINF:3,Ünï\r\nc.mkv\r\nouter.m3u\r\ninner.m3u\r\n", "inner.m3u", folder)
        let outer = try write("a.mkv\ninner.m3u\nalbum\ngone.m3u\nouter.m3u\nb.mkv\n", "outer.m3u", folder)
        let playlist = try Playlist(arguments: [outer])
        #expect(playlist.names == ["a.mkv", "Ünï", "9.flac", "10.flac", "gone.m3u", "b.mkv"])
        #expect(try Playlist(arguments: [inner]).names == ["Ünï", "a.mkv", "9.flac", "10.flac", "gone.m3u", "b.mkv"])
        let itself = try write("self.m3u\n./self.m3u\n", "self.m3u", folder)
        #expect(throws: MediaError.self) { try Playlist(arguments: [itself]) }
    }

    /// A list in Latin-1 beside files of the same time, and beside files whose names were made UTF-8 since.
    @Test func aListInLatin1FindsNamesInBoth() throws {
        let folder = try TemporaryFolder()
        let raw = PathText.text(Array("alt-".utf8) + [0xE9] + Array(".flac".utf8))
        close(open(PathText.cString(folder.url.path + "/" + raw), O_CREAT | O_WRONLY, 0o600))
        _ = try write("x", "neu-é.flac", folder)
        let list = folder.path("list.m3u")
        let lines = Array("#EXTINF:1,Caf".utf8) + [0xE9] + Array("\nalt-".utf8) + [0xE9] + Array(".flac\nneu-".utf8) + [0xE9]
        try Data(lines + Array(".flac\ngone-".utf8) + [0xE9] + Array(".flac\n".utf8)).write(to: URL(fileURLWithPath: list))
        let playlist = try Playlist(arguments: [list])
        #expect(playlist.items[0].title == "Café" && playlist.items[0].location == .file(folder.url.path + "/" + raw))
        #expect(playlist.items[1].location == .file(folder.path("neu-é.flac")))
        #expect(playlist.names[2] == "gone-é.flac")
    }

    /// A sheet in Windows-1251 beside a file of the same time.
    @Test func aCyrillicSheetFindsNamesInItsBytes() throws {
        let folder = try TemporaryFolder()
        let name: [UInt8] = [0xCC, 0xE8, 0xF0] + Array(".flac".utf8)
        let raw = folder.url.path + "/" + PathText.text(name)
        close(open(PathText.cString(raw), O_CREAT | O_WRONLY, 0o600))
        let sheet = folder.path("disc.cue")
        let text = Array("FILE \"".utf8) + name + Array("\" WAVE\nTRACK 01 AUDIO\nTITLE \"".utf8) + [0xCC, 0xE8, 0xF0]
        try Data(text + Array("\"\nINDEX 01 00:00:00\n".utf8)).write(to: URL(fileURLWithPath: sheet))
        let playlist = try Playlist(arguments: [sheet])
        #expect(playlist.names == ["Мир"] && playlist.items.map(\.location) == [.file(raw)])
    }

    @Test(arguments: [
        ("a.wav", ["b.flac", "A.WAV"], nil, "A.WAV"), ("a.wav", ["a.mp3", "A.flac", "a.jpg"], nil, "A.flac"),
        ("a.wav", ["b.flac"], "b.cue", "b.flac"), ("a.wav", ["b.flac"], nil, nil), ("a.wav", ["a.txt", "b.mkv"], "b.cue", nil),
        ("cd.image.wav", ["cd.flac", "cd.image.ape"], "cd.cue", "cd.image.ape"),
    ])
    func aSheetMeansAFileLikeIt(_ stated: String, _ names: [String], _ sheet: String?, _ meant: String?) {
        #expect(SheetAudio.name(for: stated, among: names, sheet: sheet) == meant)
    }

    /// A disc that was compressed after its sheet was written, in one file and in several.
    @Test func aSheetFindsWhatWasCompressed() throws {
        let folder = try TemporaryFolder()
        for name in ["album.flac", "01 One.flac"] { _ = try write("x", name, folder) }
        func names(_ sheet: String) throws -> [String?] {
            try Playlist(arguments: [try write(sheet, "album.cue", folder)]).items.map { item in
                if case .file(let path) = item.location { path.split(separator: "/").last.map(String.init) } else { nil }
            }
        }
        let track = "\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\n"
        #expect(try names("FILE \"CDImage.wav" + track) == ["album.flac"])
        #expect(try names("FILE \"C:\\rip\\Album.wav" + track) == ["album.flac"])
        let several = "FILE \"01 one.wav" + track + "FILE \"02 two.wav" + track.replacing("01", with: "02", maxReplacements: 1)
        #expect(try names(several) == ["01 One.flac", "02 two.wav"])
    }

    /// VLC writes relative paths as parts of addresses.
    @Test func percentCodesAreTakenForLettersWhereTheFileIsCalledSo() throws {
        let folder = try TemporaryFolder()
        for name in ["my söng.flac", "100%25.flac"] { _ = try write("x", name, folder) }
        let list = try write("#EXTM3U\nmy%20s%C3%B6ng.flac\n100%25.flac\ngone%20.flac\n", "vlc.m3u", folder)
        let names = ["my söng.flac", "100%25.flac", "gone%20.flac"]
        #expect(try Playlist(arguments: [list]).items.map(\.location) == names.map { .file(folder.path($0)) })
    }

    /// The folder of a list is called as it is, also with percent codes.
    @Test func percentCodesOfTheFolderStay() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("My%20Music"), withIntermediateDirectories: true)
        _ = try write("x", "My%20Music/a b.mp3", folder)
        let list = try write("#EXTM3U\na%20b.mp3\n", "My%20Music/vlc.m3u", folder)
        #expect(try Playlist(arguments: [list]).items.map(\.location) == [.file(folder.path("My%20Music/a b.mp3"))])
    }

    @Test func aHundredThousandLinesAreOneList() throws {
        let folder = try TemporaryFolder()
        let text = (0..<100_000).map { "#EXTINF:1,Song \($0)\n/music/\($0).flac\n" }.joined()
        let playlist = try Playlist(arguments: [try write(text, "big.m3u", folder)])
        #expect(playlist.items.count == 100_000 && playlist.names.last == "Song 99999")
    }

    /// Lists that each name all others twice would be read for years.
    @Test func listsOfListsEnd() throws {
        let folder = try TemporaryFolder()
        let names = (0..<40).map { "\($0).m3u" }
        for name in names { _ = try write((names + names).joined(separator: "\n") + "\nfilm.mkv\n", name, folder) }
        #expect(try Playlist(arguments: [folder.path("0.m3u")]).items.count <= 1000)
    }

    @Test func whatIsUpNextComesNextInItsOrder() {
        func item(_ name: String) -> Playlist.Item { Playlist.Item(location: .file(name)) }
        var list = Playlist(items: items(3))
        let begins = list.take([item("a")], .next), again = list.take([item("b"), item("c")], .next)
        let last = list.take([item("z")], .atEnd)
        #expect(!begins && !again && !last && list.names == ["0", "a", "b", "c", "1", "2", "z"] && list.queued == 3)
        #expect(list.position.queued == 3 && list.following?.location == .file("a"))
        #expect(list.step(1) && list.queued == 2)
        _ = list.take([item("d")], .next)
        #expect(list.names == ["0", "a", "b", "c", "d", "1", "2", "z"])
        #expect(list.go(to: 6) && list.queued == 0)
        let replaced = list.take([item("new")], .instead)
        #expect(replaced && list.names == ["new"] && list.index == 0)
        var empty = Playlist(items: [])
        let first = empty.take([item("a")], .atEnd)
        #expect(first && empty.current == .file("a"))
    }

    @Test func filesGoOutAndElsewhereAndThePresentOneStaysIt() {
        var list = Playlist(items: items(5), from: 2)
        #expect(!list.remove(2) && !list.remove(9) && list.remove(0) && list.index == 1 && list.current == .file("2"))
        #expect(list.remove(3) && list.names == ["1", "2", "3"] && list.current == .file("2"))
        #expect(list.move(0, to: 2) && list.names == ["2", "3", "1"] && list.current == .file("2"))
        #expect(list.move(2, to: 0) && list.current == .file("2") && list.move(1, to: 2) && list.names == ["1", "3", "2"])
        #expect(list.current == .file("2") && !list.move(0, to: 3) && !list.move(-1, to: 0))
    }

    @Test func aFileIsRepeatedUntilItFailsOrAnotherIsWanted() {
        var list = Playlist(items: items(2), repeats: .file)
        #expect(list.following?.location == .file("0") && list.advance(afterFailure: false) && list.index == 0)
        #expect(list.advance(afterFailure: true) && list.index == 1)
        #expect(list.step(-1) && list.index == 0 && !list.step(-1))
        // A pipe has nothing more to say.
        var pipe = Playlist(items: [.init(location: .standardInput), .init(location: .file("a"))], repeats: .file)
        #expect(pipe.advance(afterFailure: false) && pipe.index == 1)
    }

    private func items(_ count: Int) -> [Playlist.Item] { (0..<count).map { Playlist.Item(location: .file("\($0)")) } }

    @Test func stepsEndAtTheEndsOrGoRound() {
        var once = Playlist(items: items(3))
        #expect(once.step(1) && once.step(1) && !once.step(1) && once.index == 2)
        #expect(once.step(-1) && once.step(-1) && !once.step(-1) && once.index == 0)
        #expect(!once.step(.max) && !once.go(to: 3) && !once.go(to: -1) && once.go(to: 2))
        var round = Playlist(items: items(3), repeats: .list)
        #expect(round.step(-1) && round.index == 2 && round.step(1) && round.index == 0)
    }

    @Test func aListOfWhichNothingPlaysEnds() {
        var playlist = Playlist(items: items(3), repeats: .list)
        #expect(
            playlist.advance(afterFailure: true) && playlist.advance(afterFailure: true) && !playlist.advance(afterFailure: true))
        let goesOn = playlist.advance(afterFailure: false)
        #expect(goesOn)
    }

    @Test func aStepBackToAFileThatFailedEndsNothing() {
        var playlist = Playlist(items: items(4))
        let three = (0..<3).allSatisfy { _ in playlist.advance(afterFailure: true) }
        #expect(three && playlist.index == 3)
        // The last one plays; whoever goes back to the broken one comes here again.
        #expect(playlist.step(-1) && playlist.advance(afterFailure: true) && playlist.index == 3)
    }

    @Test func shufflingKeepsAll() {
        var playlist = Playlist(items: items(50))
        var random = SeededRandom(seed: 5)
        playlist.shuffle(using: &random)
        #expect(Set(playlist.names) == Set((0..<50).map(String.init)) && playlist.names != (0..<50).map(String.init))
    }
}
