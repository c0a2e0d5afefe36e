import AetherCore
import AetherFormats
import AetherSources
import AetherTestSupport
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
        let playlist = try Playlist(arguments: ["first.mkv", folder.url.path, list], loops: false)
        #expect(playlist.names == ["first.mkv", "track 2.flac", "track 10.flac", "First", "b.mkv", "c.mp3", "-"])
        #expect(playlist.items[3].location == .file(folder.path("sub/a.mkv")))
        #expect(playlist.items[5].location == .url("http://h/c.mp3"))
        #expect(playlist.position.path == "first.mkv")
        #expect(playlist.items[6].location == .file(folder.path("-")))
    }

    @Test func whatFollowsIsKnownWithoutGoingThere() throws {
        var list = Playlist(items: [.init(location: .file("a")), .init(location: .file("b"))])
        #expect(list.following?.location == .file("b") && list.current == .file("a"))
        #expect(list.step(1) && list.following == nil)
        var endless = Playlist(items: [.init(location: .file("a"))], loops: true)
        #expect(endless.following?.location == .file("a") && endless.step(1))
    }

    @Test func tracksOfADiscArePartsOfTheirFile() throws {
        let folder = try TemporaryFolder()
        let cue = try write(
            "FILE \"disc.flac\" WAVE\nTRACK 01 AUDIO\nTITLE A\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nTITLE B\nINDEX 01 01:00:00",
            "disc.cue", folder)
        let playlist = try Playlist(arguments: [cue], loops: false)
        #expect(
            playlist.items.map(\.title) == ["A", "B"]
                && playlist.items.map(\.location) == Array(repeating: .file(folder.path("disc.flac")), count: 2))
        #expect(
            playlist.items[0].start == nil && playlist.items[0].end == .seconds(60) && playlist.items[1].start == .seconds(60))
        #expect(playlist.position.title == "A")
    }

    @Test func streamsInSegmentsAreFilmsAndEmptyListsAreRefused() throws {
        let folder = try TemporaryFolder()
        let stream = try write("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n", "live.m3u8", folder)
        #expect(try Playlist(arguments: [stream], loops: false).items.map(\.location) == [.file(stream)])
        let empty = try write("#EXTM3U\n", "none.m3u", folder)
        let error = #expect(throws: MediaError.self) { try Playlist(arguments: [empty], loops: false) }
        #expect(error?.description.contains("lists nothing") == true)
        #expect(throws: MediaError.self) { try Playlist(arguments: [folder.path("missing.pls")], loops: false) }
    }

    private func items(_ count: Int) -> [Playlist.Item] { (0..<count).map { Playlist.Item(location: .file("\($0)")) } }

    @Test func stepsEndAtTheEndsOrGoRound() {
        var once = Playlist(items: items(3))
        #expect(once.step(1) && once.step(1) && !once.step(1) && once.index == 2)
        #expect(once.step(-1) && once.step(-1) && !once.step(-1) && once.index == 0)
        #expect(!once.step(.max) && !once.go(to: 3) && !once.go(to: -1) && once.go(to: 2))
        var round = Playlist(items: items(3), loops: true)
        #expect(round.step(-1) && round.index == 2 && round.step(1) && round.index == 0)
    }

    @Test func aListOfWhichNothingPlaysEnds() {
        var playlist = Playlist(items: items(3), loops: true)
        #expect(
            playlist.advance(afterFailure: true) && playlist.advance(afterFailure: true) && !playlist.advance(afterFailure: true))
        let goesOn = playlist.advance(afterFailure: false)
        #expect(goesOn)
    }

    @Test func shufflingKeepsAll() {
        var playlist = Playlist(items: items(50))
        var random = SeededRandom(seed: 5)
        playlist.shuffle(using: &random)
        #expect(Set(playlist.names) == Set((0..<50).map(String.init)) && playlist.names != (0..<50).map(String.init))
    }
}
