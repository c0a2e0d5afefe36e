import AetherFormats
import AetherTestSupport
import Foundation
import Testing

/// Playlists of other projects, against what those projects expect of them.
@Suite(.enabled(if: Shared.path("corpus/m3u8-parser") != nil, "\(Shared.missing)"))
struct HLSCorpusTests {
    private func read(_ path: String) throws -> HLSPlaylist {
        let file = try #require(Shared.path("corpus/\(path)"))
        return try HLSPlaylist([UInt8](try Data(contentsOf: file)), address: try #require(StreamAddress("https://h/a/m.m3u8")))
    }

    private func segments(_ path: String) throws -> [Segment] {
        let list = try read(path).segmentList().segments
        return list.numbers.compactMap { list.segment($0) }
    }

    /// They begin with a comment, which the standard does not allow before #EXTM3U.
    private static let commented = ["grafov/media-playlist-with-discontinuity.m3u8", "grafov/master-with-hlsv7.m3u8"]

    @Test func everyPlaylistIsUnderstood() throws {
        let root = try #require(Shared.path("corpus"))
        var count = 0
        for case let name as String in try #require(FileManager.default.enumerator(atPath: root.path)) {
            guard name.hasSuffix(".m3u8") || name.hasPrefix("androidx/m3u8/"), !name.hasPrefix("free-tv"),
                !name.hasSuffix("empty.m3u8"), !Self.commented.contains(name)
            else {
                continue
            }
            let text = try String(contentsOf: root.appending(path: name), encoding: .utf8)
            switch try read(name) {
            case .segments(let list):
                let lines = text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("#EXTINF") }
                #expect(list.segments.count == lines.count, "\(name)")
            case .variants(let list):
                let lines = text.split(whereSeparator: \.isNewline)
                #expect(list.variants.count == lines.filter { $0.hasPrefix("#EXT-X-STREAM-INF") }.count, "\(name)")
                #expect(list.media.count == lines.filter { $0.hasPrefix("#EXT-X-MEDIA:") }.count, "\(name)")
            }
            count += 1
        }
        #expect(count >= 40)
    }

    /// m3u8-parser, test/fixtures/integration/byteRange.js.
    @Test func partsOfFiles() throws {
        let segments = try segments("m3u8-parser/byteRange.m3u8")
        #expect(segments.count == 17 && segments[0].range == nil)
        #expect(segments[1].range == ByteRange(offset: 522_828, length: 587_500))
        #expect(segments[2].range == ByteRange(offset: 1_110_328, length: 713_084), "it follows although it is of another file")
        #expect(segments[16].range == ByteRange(offset: 8_353_216, length: 44_556))
        #expect(segments[16].duration == Ticks(14_167, timescale: 10_000))
    }

    /// m3u8-parser, encrypted.js.
    @Test func keysThatChange() throws {
        let segments = try segments("m3u8-parser/encrypted.m3u8")
        #expect(segments.map(\.number) == Array(7794...7799))
        #expect(segments.map { $0.encryption?.key?.text.suffix(2) } == ["52", "52", "52", "53", "54", nil])
        let vector: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 75, 0xB6, 0x9D, 0xC7, 0xE4]
        #expect(segments[4].encryption?.vector(number: 7798).prefix(12) == vector.prefix(12))
        #expect(segments[4].encryption?.vector(number: 7798).suffix(4).reduce(0) { $0 << 8 | UInt32($1) } == 3_063_767_524)
        #expect(segments[0].duration == Ticks(2833, timescale: 1000))
    }

    /// m3u8-parser, llhls.js.
    @Test func partsAndHints() throws {
        let list = try read("m3u8-parser/llhls.m3u8").segmentList()
        let segments = list.segments.numbers.compactMap { list.segments.segment($0) }
        #expect(
            segments.map(\.number) == Array(266...272) && segments.allSatisfy { $0.map?.address.text == "https://h/a/init.mp4" })
        #expect(segments.map(\.parts.count) == [0, 0, 0, 0, 0, 12, 12] && list.trailingParts.count == 3)
        #expect(segments[5].parts.map(\.isIndependent).enumerated().filter(\.element).map(\.offset) == [4, 8])
        #expect(segments[6].parts.map(\.isGap).enumerated().filter(\.element).map(\.offset) == [0])
        #expect(segments[0].wallClock == 1_550_110_416_106_000_000 && segments[1].wallClock == 1_550_110_420_106_080_000)
        #expect(list.preloadHints.map(\.isMap) == [false, true] && list.renditionReports.map(\.lastPart) == [2, 1])
        #expect(list.partTarget == 333_340_000 && list.serverControl.skipUntil == 12_000_000_000)
    }

    /// m3u8-parser, multipleAudioGroups.js.
    @Test func setsOfAudio() throws {
        guard case .variants(let list) = try read("m3u8-parser/multipleAudioGroups.m3u8") else { throw StreamFault(.wrongKind) }
        let presentation = Presentation(list)
        #expect(presentation.variants.map(\.peakBitRate) == [195_023, 260_000, 591_680, 650_000])
        #expect(presentation.variants.map(\.audioSet) == ["audio-lo", "audio-lo", "audio-hi", "audio-hi"])
        #expect(presentation.variants[2].codecs.map(\.text) == ["mp4a.40.2", "avc1.64001e"])
        let audio = presentation.periods[0].groups.filter { $0.kind == .audio }
        #expect(audio.map(\.language) == ["eng", "fre", "sp", "eng", "fre", "sp"])
        #expect(audio.map(\.isDefault) == [true, false, false, true, false, false] && audio.allSatisfy(\.isAutoselected))
    }
}
