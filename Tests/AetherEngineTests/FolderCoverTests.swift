import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine

@Suite struct FolderCoverTests {
    @Test(
        arguments: [
            ("cover.jpg", 1), ("Cover.JPEG", 1), ("folder.png", 2), ("Song.webp", 0), ("song.flac", nil), ("back.jpg", nil),
            (".jpg", nil),
            ("cover", nil),
        ] as [(String, Int?)])
    func coversAreKnownByTheirNames(_ file: String, _ rank: Int?) { #expect(FolderCover.rank(file, song: "song.flac") == rank) }

    @Test func theBestOfAFolderIsRead() throws {
        let folder = try TemporaryFolder()
        func write(_ name: String) throws { try Data(name.utf8).write(to: URL(filePath: folder.path(name))) }
        let cover = try #require(FolderCover(beside: .file(folder.path("song.flac")), http: HTTPOptions()))
        #expect(try cover.bytes(Interrupt()) == nil)
        for name in ["front.jpg", "folder.png", "notes.txt"] { try write(name) }
        try FileManager.default.createDirectory(atPath: folder.path("cover.jpg"), withIntermediateDirectories: false)
        #expect(try cover.bytes(Interrupt()) == Array("folder.png".utf8))
        try write("song.jpg")
        #expect(try cover.bytes(Interrupt()) == Array("song.jpg".utf8))
        let raised = Interrupt()
        raised.raise()
        #expect(throws: IOReaderError.cancelled) { try cover.bytes(raised) }
        #expect(FolderCover(beside: .standardInput, http: HTTPOptions()) == nil)
    }
}
