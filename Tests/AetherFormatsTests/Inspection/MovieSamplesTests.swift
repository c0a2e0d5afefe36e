import AetherCore
import AetherTestSupport
import Foundation
import Testing

@testable import AetherFormats

@Suite struct MovieSamplesTests {
    /// A movie of one track of video: `deltas` samples of ten bytes in chunks of two, every third a key frame.
    private func movie(_ count: Int, offsets: [Int] = [], dependencies: [UInt8] = [], edits: [UInt8]? = nil) -> [UInt8] {
        let stts = fullBox("stts", number(1, 4) + number(count, 4) + number(512, 4))
        let ctts =
            offsets.isEmpty ? [] : fullBox("ctts", number(offsets.count, 4) + offsets.flatMap { number(1, 4) + number($0, 4) })
        let stss = fullBox("stss", number((count + 2) / 3, 4) + stride(from: 1, through: count, by: 3).flatMap { number($0, 4) })
        let stsc = fullBox("stsc", number(1, 4) + number(1, 4) + number(2, 4) + number(1, 4))
        let stsz = fullBox("stsz", number(0, 4) + number(count, 4) + (0..<count).flatMap { _ in number(10, 4) })
        let chunks = (count + 1) / 2
        let stco = fullBox("stco", number(chunks, 4) + (0..<chunks).flatMap { number(1000 + $0 * 100, 4) })
        let stsd = fullBox("stsd", number(0, 4))
        let sdtp = dependencies.isEmpty ? [] : fullBox("sdtp", dependencies)
        let table = box("stbl", stsd + stts + ctts + stss + stsc + stsz + stco + sdtp)
        let mdhd = fullBox("mdhd", number(0, 8) + number(12_800, 4) + number(count * 512, 4) + number(0, 4))
        let hdlr = fullBox("hdlr", number(0, 4) + Array("vide".utf8) + number(0, 13))
        let edts = edits.map { box("edts", $0) } ?? []
        let track = box("trak", edts + box("mdia", mdhd + hdlr + box("minf", table)))
        return box("moov", fullBox("mvhd", number(0, 8) + number(1000, 4) + number(count * 40, 4) + number(0, 80)) + track)
    }

    private func list(_ bytes: [UInt8], size: Int64? = nil) -> SampleList? { MovieSamples.list(InspectedBytes(bytes)) }

    @Test func tablesAreUnrolledToSamples() throws {
        let found = try #require(list(movie(5, offsets: [0, 1024, 512, 512, 512])))
        #expect(found.streams == [SampleStream(index: 0, kind: "video", timeBase: TimeBase(1, 12_800))])
        #expect(found.rows.map(\.dts) == [0, 512, 1024, 1536, 2048] && found.rows.map(\.pts) == [0, 1536, 1536, 2048, 2560])
        #expect(found.rows.map(\.position) == [1000, 1010, 1100, 1110, 1200] && found.rows.map(\.part) == [1, 1, 2, 2, 3])
        #expect(found.rows.map(\.isKey) == [true, false, false, true, false] && found.rows.map(\.gop) == [1, 1, 1, 2, 2])
    }

    /// Bytes of `sdtp`; where a byte says nothing, or is missing, key frames need no others.
    @Test func whatNeedsOthersIsRead() throws {
        let found = try #require(list(movie(6, dependencies: [0x24, 0x18, 0x14, 0x00, 0x08])))
        let expected = [
            "independent, referenced", "dependent, unreferenced", "dependent, referenced", "independent",
            "dependent, unreferenced",
            "dependent",
        ]
        #expect(found.rows.map(\.dependency.text) == expected)
        #expect(found.json(found.rows[1])["dependency"]?.text == "dependent, unreferenced")
        #expect(found.line(found.rows[0]).hasSuffix("\tindependent, referenced") && SampleList.header.hasSuffix("\tdependency"))
        #expect(SampleDependency(byte: 0xC3).text == "")
    }

    @Test func anEditThatBeginsAtTheFirstFrameMovesTheTimes() throws {
        let edit = fullBox("elst", number(1, 4) + number(200, 4) + number(1024, 4) + number(0x10000, 4))
        let found = try #require(list(movie(5, offsets: [1024, 1024, 1024, 1024, 1024], edits: edit)))
        #expect(found.rows.map(\.pts) == [0, 512, 1024, 1536, 2048] && found.rows.first?.dts == -1024)
        let late = fullBox(
            "elst",
            number(2, 4) + number(500, 4) + number(-1, 4) + number(0x10000, 4) + number(200, 4) + number(0, 4)
                + number(0x10000, 4))
        let moved = try #require(list(movie(5, edits: late)))
        #expect(moved.rows.map(\.pts) == [6400, 6912, 7424, 7936, 8448])
    }

    @Test func whatOnlyADemuxerUnderstandsIsLeftToIt() {
        let middle = fullBox("elst", number(1, 4) + number(100, 4) + number(1024, 4) + number(0x10000, 4))
        #expect(list(movie(5, edits: middle)) == nil)
        #expect(list(box("moof", [])) == nil && list([]) == nil && list(Array(movie(5).prefix(200))) == nil)
    }

    @Test func sumsTellRateGroupsAndGaps() throws {
        let found = try #require(list(movie(10)))
        let sums = try #require(SampleSums.all(found).first)
        #expect(sums.count == 10 && sums.keys == 4 && sums.bytes == 100 && sums.seconds == 0.4)
        #expect(sums.bitRate == 2000 && sums.groups?.shortest == 3 && sums.groups?.longest == 3 && sums.gap == 0)
        #expect(sums.interleaving == 80)
    }

    @Test func aTableThatCountsFourBillionSamplesIsRefused() {
        var bytes = movie(4)
        let place = BytePattern("stsz").first(in: Data(bytes)) ?? 0
        bytes.replaceSubrange((place + 8)..<(place + 16), with: number(100, 4) + number(0xFFFF_FFFF, 4))
        #expect(list(bytes) == nil)
    }

    @Test func aRowHasTheNamesOfFFprobe() throws {
        let found = try #require(list(movie(2)))
        let row = found.json(found.rows[1])
        #expect(
            row["pts_time"]?.text == "0.040000" && row["dts_time"]?.text == "0.040000" && row["duration_time"]?.text == "0.040000"
        )
        #expect(
            row["pos"]?.text == "1010" && row["size"]?.text == "10" && row["flags"]?.text == "__"
                && row["stream_index"]?.integer == 0)
        #expect(row["number"]?.integer == 2 && row["gop"]?.integer == 1 && row["part"]?.integer == 1)
    }

    /// The result of printf for the product in floating point: 1.1303125 is a little more or less.
    @Test(arguments: [
        (101_728, 90_000, "1.130311"), (18_085, 16_000, "1.130313"), (769, 16_000, "0.048063"), (-529, 16_000, "-0.033063"),
        (1, 3, "0.333333"),
        (2, 3, "0.666667"), (0, 90_000, "0.000000"), (1, 1_000_000_000, "0.000000"), (86_400_000, 1000, "86400.000000"),
    ]) func secondsAreRoundedAsFFprobeDoes(_ ticks: Int64, _ rate: Int32, _ text: String) {
        #expect(SampleList.seconds(ticks, TimeBase(1, rate)) == text)
    }
}
