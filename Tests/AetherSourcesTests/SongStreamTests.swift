import AetherCore
import Testing

@testable import AetherSources

/// The titles between the audio of a radio station.
@Suite struct SongStreamTests {
    private static func text(_ title: String) -> [UInt8] {
        var bytes = Array("StreamTitle='\(title)';StreamUrl='';".utf8)
        while bytes.count % 16 != 0 { bytes.append(0) }
        return [UInt8(bytes.count / 16)] + bytes
    }

    /// The audio and the titles of an answer that comes in pieces of so many bytes.
    private func parted(_ answer: [UInt8], interval: Int, pieces: Int) throws -> (audio: [UInt8], titles: [String]) {
        var stream = try #require(SongStream(interval: interval)), audio: [UInt8] = [], titles: [String] = []
        for start in stride(from: 0, to: answer.count, by: pieces) {
            var piece = Array(answer[start..<min(start + pieces, answer.count)])
            let (count, found) = piece.withUnsafeMutableBytes { stream.take($0) }
            audio += piece[..<count]
            titles += found
        }
        return (audio, titles)
    }

    @Test(arguments: [1, 2, 7, 100, 4096])
    func audioAndTitlesArePartedHoweverTheBytesCome(pieces: Int) throws {
        let audio = (0..<400).map { UInt8(truncatingIfNeeded: $0) }
        let answer =
            audio[..<100] + Self.text("First – it's") + audio[100..<200] + [0] + audio[200..<300] + Self.text("Second")
            + audio[300...]
        let (found, titles) = try parted(Array(answer), interval: 100, pieces: pieces)
        #expect(found == audio)
        #expect(titles == ["First – it's", "Second"])
    }

    @Test func titlesOfOldStationsAreLatin1() {
        #expect(SongStream.title(Array("StreamTitle='Bl".utf8) + [0xFC] + Array("ten';".utf8)) == "Blüten")
    }

    @Test func whatIsNoTitleIsNone() {
        #expect(SongStream.title(Array("StreamUrl='x';".utf8)) == nil)
        #expect(SongStream.title([]) == nil)
        #expect(SongStream.title(Array("StreamTitle='no end".utf8)) == "no end")
        #expect(SongStream.title(Array("StreamTitle='a\u{1B}[2Jb';".utf8))?.contains("\u{1B}") == false)
        #expect(SongStream(interval: 0) == nil && SongStream(interval: -5) == nil && SongStream(interval: 1 << 40) == nil)
    }
}
