import AetherCore
import AetherTestSupport
import Foundation
import Testing

@testable import AetherFormats

/// Boxes by hand.
func box(_ type: String, _ body: [UInt8]) -> [UInt8] { number(8 + body.count, 4) + Array(type.utf8) + body }

/// A full box with its version and flags.
func fullBox(_ type: String, version: UInt8 = 0, flags: Int = 0, _ body: [UInt8]) -> [UInt8] {
    box(type, [version] + number(flags, 3) + body)
}

/// A number, its highest byte first.
func number(_ value: Int, _ bytes: Int) -> [UInt8] { (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }

extension InspectedBox {
    /// The part at a path of names below this one.
    func part(_ path: String...) -> InspectedBox? {
        path.reduce(Optional(self)) { box, name in box?.children.first { $0.type == name } }
    }

    var everyDamage: [String] { damage + children.flatMap { $0.everyDamage } }
}

@Suite struct BoxTreeTests {
    private func boxes(_ bytes: [UInt8]) -> [InspectedBox] { BoxTree.boxes(InspectedBytes(bytes)) }

    private func only(_ bytes: [UInt8]) throws -> InspectedBox { try #require(boxes(bytes).first) }

    // MARK: - Fields

    @Test func fieldsHaveTheStandardsNamesUnitsAndMeanings() throws {
        let body =
            number(3_600_000_000, 4) + number(0, 4) + number(600, 4) + number(1500, 4) + number(0x10000, 4) + number(0x0100, 2)
        let movie = try only(
            box(
                "moov",
                fullBox(
                    "mvhd",
                    body + [UInt8](repeating: 0, count: 10) + number(0x10000, 4) + [UInt8](repeating: 0, count: 56) + number(3, 4)
                )))
        let header = try #require(movie.part("mvhd"))
        #expect(header.title == "Movie Header" && header.offset == 8 && header.size == 108)
        #expect(header[field: "timescale"] == .integer(600) && header[field: "duration"] == .integer(1500))
        #expect(header[field: "rate"] == .number(1) && header[field: "volume"] == .number(1))
        #expect(header[field: "next_track_ID"] == .integer(3))
        #expect(header.fields.first { $0.name == "duration" }?.meaning == "2.500 s")
        #expect(header.damage.isEmpty)
    }

    @Test func aDateIsThatOfTheCalendar() {
        #expect(CalendarText.since1904(0) == "1904-01-01 00:00:00")
        #expect(CalendarText.since1904(2_082_844_800) == "1970-01-01 00:00:00")
        #expect(CalendarText.text(951_782_400) == "2000-02-29 00:00:00")
        #expect(CalendarText.text(Int64.max) == "")
    }

    @Test func fragmentsAreDecodedByTheirFlags() throws {
        let run = fullBox(
            "trun", version: 1, flags: 0x305,
            number(2, 4) + number(100, 4) + number(0x0200_0000, 4) + number(512, 4) + number(40, 4) + number(512, 4)
                + number(41, 4))
        let head = fullBox("tfhd", flags: 0x20008, number(7, 4) + number(512, 4))
        let fragment = try only(
            box("moof", fullBox("mfhd", number(9, 4)) + box("traf", head + fullBox("tfdt", version: 1, number(90_000, 8)) + run)))
        #expect(fragment.part("mfhd")?[field: "sequence_number"] == .integer(9))
        #expect(fragment.part("traf", "tfhd")?[field: "default_sample_duration"] == .integer(512))
        #expect(fragment.part("traf", "tfdt")?[field: "baseMediaDecodeTime"] == .integer(90_000))
        let samples = try #require(fragment.part("traf", "trun"))
        #expect(samples[field: "data_offset"] == .integer(100))
        guard case .list(let rows)? = samples[field: "samples"] else { return #expect(Bool(false), "no rows") }
        #expect(
            rows.map(\.text) == [
                "sample_duration 512 ticks, sample_size 40 bytes", "sample_duration 512 ticks, sample_size 41 bytes",
            ])
    }

    @Test func protectionIsNamed() throws {
        let id = Array(stride(from: UInt8(0), to: 16, by: 1))
        let system: [UInt8] = [0xed, 0xef, 0x8b, 0xa9, 0x79, 0xd6, 0x4a, 0xce, 0xa3, 0xc8, 0x27, 0xdc, 0xd5, 0x1d, 0x21, 0xed]
        let found = boxes(box("moov", fullBox("pssh", version: 1, system + number(1, 4) + id + number(2, 4) + [1, 2])))
        let head = try #require(found.first?.part("pssh"))
        #expect(head.fields.first { $0.name == "SystemID" }?.meaning == "Widevine")
        #expect(head[field: "KIDs"]?.text == "[00010203-0405-0607-0809-0a0b0c0d0e0f]")
        #expect(head[field: "Data"] == .bytes([1, 2]))
    }

    @Test func longTablesAreShownByTheirFirstRows() throws {
        let rows = (0..<1000).flatMap { number($0, 4) + number(512, 4) }
        let table = try only(
            box("moov", box("trak", box("mdia", box("minf", box("stbl", fullBox("stts", number(1000, 4) + rows)))))))
        let times = try #require(table.part("trak", "mdia", "minf", "stbl", "stts"))
        guard case .list(let shown)? = times[field: "entries"] else { return #expect(Bool(false), "no rows") }
        #expect(shown.count == 16 && times.fields.last?.meaning == "the first 16 of 1000" && times.damage.isEmpty)
    }

    // MARK: - Damage

    @Test func aBoxThatLiesAboutItsSizeIsSaidAndCut() throws {
        let child = number(5000, 4) + Array("trak".utf8) + [1, 2, 3]
        let found = boxes(box("moov", child) + box("free", [0]))
        #expect(found.map(\.type) == ["moov", "free"])
        let track = try #require(found.first?.children.first)
        #expect(track.size == 11 && track.damage.first == "it says 5000 bytes, 4989 more than there are up to the end of moov")
        let short = boxes(box("moov", number(4, 4) + Array("trak".utf8) + [0, 0, 0, 0]))
        #expect(short.first?.children.first?.damage == ["it says 4 bytes, which is less than its own head"])
    }

    @Test func aTableThatCountsMoreThanItHoldsIsSaid() throws {
        let found = try only(box("moov", fullBox("stts", number(0x4000_0000, 4) + number(1, 4) + number(2, 4))))
        #expect(found.part("stts")?.damage == ["it counts 1073741824 rows of entries, and has room for 1"])
    }

    @Test(arguments: [Int.max, 1 << 62, 1 << 40]) func sizesThatNoFileHasAreCut(_ size: Int) {
        let found = boxes(number(1, 4) + Array("moov".utf8) + number(size, 8) + box("free", []))
        #expect(found.count == 1 && found[0].size == 24 && found[0].damage.count == 1)
    }

    @Test func aSizeOver2To63IsCutAsWell() {
        let found = boxes(number(1, 4) + Array("mdat".utf8) + [UInt8](repeating: 0xFF, count: 8) + [1, 2, 3])
        #expect(found.count == 1 && found[0].size == 19 && found[0].damage.count == 1)
    }

    @Test func aMillionNestedBoxesEndAtTheBound() {
        // Each holds the next: 8 bytes a level.
        let count = 1_000_000
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count * 8)
        for level in 0..<count { bytes += number((count - level) * 8, 4) + Array("moov".utf8) }
        let found = boxes(bytes)
        #expect(found[0].everyDamage == ["boxes lie more than 32 deep in one another: no deeper ones were read"])
        #expect(found[0].count == 33)
    }

    @Test func aMillionBoxesSideBySideAreCounted() {
        let found = boxes(
            box(
                "moov",
                [UInt8](repeating: 0, count: 0)
                    + (0..<1_000_000).flatMap { _ in [0, 0, 0, 8, 0x66, 0x72, 0x65, 0x65] as [UInt8] }))
        #expect(found[0].count <= 50_000 && found[0].count + found[0].unlisted == 1_000_001)
    }

    // MARK: - Reading

    /// A file of 10 GB whose header lies behind its media: what is read of it are heads and tables.
    @Test func aLargeFileIsReadInAFewPieces() throws {
        let head =
            box("ftyp", Array("isom".utf8) + number(512, 4)) + number(1, 4) + Array("mdat".utf8) + number(10_000_000_000, 8)
        let tail = box("moov", fullBox("mvhd", [UInt8](repeating: 0, count: 96)) + box("udta", [UInt8](repeating: 0, count: 4)))
        let start = Int64(16) + 10_000_000_000, size = start + Int64(tail.count)
        var reads = 0
        let source = InspectedBytes(size: size, isFrugal: true) { offset, count in
            reads += 1
            if offset >= start { return Array(tail.dropFirst(Int(offset - start)).prefix(count)) }
            return Array((head + [UInt8](repeating: 0, count: 64 << 10)).dropFirst(Int(offset)).prefix(count))
        }
        let found = BoxTree.boxes(source)
        #expect(found.map(\.type) == ["ftyp", "mdat", "moov"] && found.flatMap { $0.everyDamage }.isEmpty)
        #expect(reads <= 3, "\(reads) reads")
    }

    @Test func aPathLeadsToParts() throws {
        let track = box("trak", box("mdia", []))
        let inspection = try #require(
            ContainerInspection(InspectedBytes(box("ftyp", Array("isom".utf8) + number(0, 4)) + box("moov", track + track))))
        #expect(inspection.format == .isoBMFF)
        #expect(inspection.find("moov/trak[1]/mdia")?.map(\.offset) == [48])
        #expect(inspection.find("moov/trak/mdia")?.count == 2 && inspection.find("*/trak[0]")?.count == 1)
        #expect(inspection.find("moov/trak[2]") == [] && inspection.find("moov/trak[x]") == nil)
    }
}
