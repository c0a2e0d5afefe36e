import AetherFormats
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine

@Suite struct LyricsSidecarTests {
    @Test func theFileBesideTheSongIsRead() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a song.flac")
        #expect(LyricsSidecar.read(beside: path) == nil)
        try Data("[00:01.00]Grüße".utf8).write(to: URL(filePath: folder.path("a song.lrc")))
        #expect(LyricsSidecar.read(beside: path)?.lines.first?.text == "Grüße")
        #expect(LyricsSidecar.read(beside: folder.path("a song.lrc")) == nil)
        #expect(LyricsSidecar.read(beside: folder.path("other song.flac")) == nil)
    }

    /// Whoever reads a pipe waits for its writer, for ever where there is none.
    @Test func aPipeOfThatNameIsNotWaitedFor() throws {
        let folder = try TemporaryFolder()
        #expect(mkfifo(folder.path("song.lrc"), 0o600) == 0)
        #expect(LyricsSidecar.read(beside: folder.path("song.mp3")) == nil)
    }

    @Test func otherCharacterSetsAreUnderstood() throws {
        #expect(LyricsSidecar.text([0x47, 0x72, 0xFC, 0xDF, 0x65]) == "Grüße")
        #expect(LyricsSidecar.text([0xFF, 0xFE, 0x41, 0x00]) == "A")
        let russian = "[00:01.00]Не слышны в саду даже шорохи\n[00:05.00]Всё здесь замерло до утра\n"
        let bytes = try #require(russian.data(using: .windowsCP1251))
        #expect(LyricsSidecar.text([UInt8](bytes)) == russian)
        // The limit lies within a character.
        let long = [UInt8]("whole\n".utf8) + [UInt8](repeating: 0x61, count: Lyrics.sizeLimit - 7) + [0xC3]
        #expect(LyricsSidecar.text(long) == "whole")
    }
}
