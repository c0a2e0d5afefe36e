import AetherCore
import AetherFormats
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherDiscs

/// A disc as dvdauthor makes it, read from its folder, its image and a reader of a host's own.
@Suite(.enabled(if: DVDFixture.isPossible, Comment(rawValue: DVDFixture.missing)))
struct DVDTests {
    private func disc() throws -> DVD {
        try #require(try DVD(image: FileReader(path: DVDFixture.made().image)))
    }

    private func bytes(_ reader: any IOReader) throws -> [UInt8] {
        try reader.seek(to: 0)
        return try reader.bytes(limit: 64 << 20)
    }

    @Test func titlesAreThoseOfTheTables() throws {
        let disc = try disc()
        #expect(disc.titles.map(\.id) == [1, 2] && disc.mainTitle?.id == 1)
        let first = disc.titles[0], second = disc.titles[1]
        #expect((first.duration - .seconds(11)).magnitude < .milliseconds(100), "\(first.duration)")
        #expect((second.duration - .seconds(4)).magnitude < .milliseconds(100))
        #expect(first.chapters.count == 4 && second.chapters.count == 1)
        let starts = first.chapters.map(\.start.seconds)
        #expect(zip(starts, [0, 2, 6, 9]).allSatisfy { abs($0 - $1) < 0.5 }, "\(starts)")
        #expect(first.audio.map(\.language) == ["de", "en"] && first.audio.map(\.code) == [0x80, 0x81])
        #expect(first.audio.map(\.purpose) == [.plain, .commentary] && first.audio.map(\.channels) == [2, 2])
        #expect(first.audio.allSatisfy { $0.codec == "ac3" })
        #expect(first.subtitles.map(\.language) == ["fr", "es"] && first.subtitles.map(\.code) == [0x20, 0x21])
        #expect(!first.isWide && first.angleCount == 1 && first.palette.count == 16)
        #expect(first.palette.map(DiscPalette.rgb).contains { $0 >> 16 > 0xE8 && $0 & 0xFFFF < 0x2020 }, "no red")
    }

    @Test func folderImageAndReaderAreTheSame() throws {
        let fixture = try DVDFixture.made()
        let memory = MemoryReader(Array(try Data(contentsOf: URL(filePath: fixture.image))))
        let discs = [
            try disc(), try #require(try DVD(image: memory)), try #require(try DVD(DiscFolder(path: fixture.folder))),
            try #require(try DVD(DiscFolder(path: fixture.folder + "/VIDEO_TS/"))),
        ]
        for number in [1, 2] {
            let streams = try discs.map { try bytes($0.reader(title: number)) }
            #expect(streams[0].count > 500_000 && streams.allSatisfy { $0 == streams[0] })
        }
        #expect(discs.allSatisfy { $0.titles == discs[0].titles })
        #expect(DVD.isThere(DiscFolder(path: fixture.folder)) && !DVD.isThere(DiscFolder(path: NSTemporaryDirectory())))
    }

    /// Some images have UDF alone.
    @Test func anImageWithoutISO9660IsTheSame() throws {
        let folder = try DVDFixture.made().folder + "/VIDEO_TS"
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { name in
            ("VIDEO_TS/" + name, Array(try Data(contentsOf: URL(filePath: folder + "/" + name))))
        }
        for hasMetadata in [false, true] {
            let plain = try #require(try DVD(image: MemoryReader(UDFWriter.image(files, hasMetadata: hasMetadata))))
            #expect(try plain.titles == disc().titles)
            #expect(try bytes(plain.reader(title: 1)) == bytes(disc().reader(title: 1)))
        }
    }

    @Test func otherBytesAreNoDisc() throws {
        #expect(try DVD(image: MemoryReader([UInt8](repeating: 0, count: 100_000))) == nil)
        #expect(try DVD(image: MemoryReader([1, 2, 3])) == nil)
        let reader = try FileReader(path: DVDFixture.made().objects[0])
        #expect(try DVD(image: reader) == nil)
        #expect(try reader.bytes(limit: 4) == [0, 0, 1, 0xBA], "the reader is left at its start")
    }

    @Test func aTitleThatThereIsNotIsNamed() throws {
        let disc = try disc()
        #expect(throws: DiscError.disc(.noTitle(of: 2))) { try disc.reader(title: 3) }
    }

    @Test func clocksOfTheObjectsAreOneAxis() throws {
        let reader = try disc().reader(title: nil)
        #expect(reader.timeline.stretches.count == 2)
        #expect(abs(reader.timeline.end - reader.timeline.start - 11 * 90_000) < 4500)
        let starts = try reader.cells.indices.map { try reader.start(ofCell: $0) }
        #expect(starts.first == reader.timeline.start)
        #expect(starts.contains(reader.timeline.stretches[1].begin))
    }

    @Test func aPointLeadsToAUnitBeforeIt() throws {
        let reader = try disc().reader(title: 1)
        var former: Int64 = -1
        for tenth in 0..<110 {
            let point = reader.timeline.start + Int64(tenth) * 9000
            let offset = try reader.offset(before: point)
            #expect(offset >= former, "later points lie further back")
            former = offset
            try reader.seek(to: offset)
            let pack = try #require(NavigationPack(try reader.bytes(limit: 2048)))
            let number = try #require(reader.stretch(ofByte: offset))
            let begin = pack.start + reader.timeline.shift(of: pack.start, in: number)
            #expect(begin <= point && point - begin <= 90_000, "at \(tenth): \(begin) for \(point)")
        }
    }

    /// A copy of the disc's folder whose video has been cut off.
    private func folder(cutAt byteCount: Int) throws -> TemporaryFolder {
        let folder = try TemporaryFolder(), source = try DVDFixture.made().folder + "/VIDEO_TS/"
        for name in try FileManager.default.contentsOfDirectory(atPath: source) {
            let bytes = try Data(contentsOf: URL(filePath: source + name))
            let kept = name == "VTS_01_1.VOB" ? bytes.prefix(byteCount) : bytes
            try kept.write(to: folder.url.appending(path: name))
        }
        return folder
    }

    /// A disc that was not copied to its end is played as far as it goes: into the first of two video objects, into the second.
    @Test(arguments: [(0.3, 1), (0.85, 2)])
    func videoThatBreaksOffIsReadAsFarAsItGoes(share: Double, count: Int) throws {
        let whole = try disc().reader(title: 1), place = Int(share * Double(whole.map.count))
        let sector = try #require(whole.map.sectors(at: place)?.lowerBound)
        let folder = try folder(cutAt: sector * 2048 + 1000)
        let cut = try #require(try DVD(DiscFolder(path: folder.url.path))).reader(title: 1)
        #expect(cut.isCut && !whole.isCut && cut.makeIndependentReader() is TitleReader)
        let bytes = try bytes(cut), kept = cut.preamble.count + place * 2048 + 1000
        #expect(try bytes == Array(self.bytes(whole).prefix(kept)))
        #expect(cut.timeline.stretches.count == count && cut.timeline.start == whole.timeline.start)
        let (length, all) = (cut.timeline.end - cut.timeline.start, whole.timeline.end - whole.timeline.start)
        #expect(length < all && abs(Double(length) / Double(all) - share) < 0.2, "\(length) of \(all)")
        // The last point that it has is one that can be gone to.
        try cut.seek(to: cut.offset(before: cut.timeline.end - 1))
        #expect(NavigationPack(try cut.bytes(limit: 2048)) != nil)
    }

    @Test func videoThatIsMissingIsTold() throws {
        let folder = try folder(cutAt: 1000)
        let disc = try #require(try DVD(DiscFolder(path: folder.url.path)))
        #expect(throws: DiscError.disc(.damaged("video of title 1"))) { try disc.reader(title: 1) }
    }

    /// A unit whose own words are damaged breaks nothing off.
    @Test func aLastUnitThatIsDamagedIsDoneWithout() throws {
        let whole = try disc().reader(title: 2), folder = try folder(cutAt: .max),
            file = folder.url.appending(path: "VTS_01_1.VOB")
        var bytes = try Data(contentsOf: file)
        let last = try #require(whole.cells.last).lastUnit * 2048
        bytes.replaceSubrange(last + 0x400..<last + 0x404, with: [9, 9, 9, 9])
        try bytes.write(to: file)
        let reader = try #require(try DVD(DiscFolder(path: folder.url.path))).reader(title: 2)
        #expect(!reader.isCut && reader.size == whole.size)
        #expect(reader.timeline.end < whole.timeline.end && reader.timeline.end > whole.timeline.end - 135_000)
    }

    /// Of a disc with a scratch at the end of its title all else is played, and gone to.
    @Test func aScratchInTheLastUnitIsDoneWithout() throws {
        let image = Array(try Data(contentsOf: URL(filePath: DVDFixture.made().image)))
        let whole = try #require(try DVD(image: MemoryReader(image))).reader(title: 2)
        let last = try #require(whole.cells.last).lastUnit
        let pack = try #require(whole.map.places(of: [last]).first), start = whole.preamble.count + pack * 2048
        let sector = Array(try bytes(whole)[start..<start + 2048])
        let place = try #require(stride(from: 0, to: image.count, by: 2048).first { image[$0..<$0 + 2048].elementsEqual(sector) })
        let reader = try #require(try DVD(image: ScratchedReader(image, at: Int64(place)))).reader(title: 2)
        #expect(!reader.isCut && reader.size == whole.size && reader.timeline.end < whole.timeline.end)
        #expect(try reader.offset(before: reader.timeline.end) < start)
        #expect(throws: IOReaderError.posix(EIO)) { try self.bytes(reader) }
    }

    /// As an image is.
    @Test func aFolderWithTheCopiesOfItsTablesAloneIsADisc() throws {
        let folder = try folder(cutAt: .max)
        for name in ["VIDEO_TS.IFO", "VTS_01_0.IFO"] {
            try FileManager.default.removeItem(at: folder.url.appending(path: name))
        }
        let found = DiscFolder(path: folder.url.path)
        #expect(DVD.isThere(found))
        #expect(try DVD(found)?.titles == disc().titles)
    }

    @Test func scrambledVideoEndsReading() throws {
        var image = Array(try Data(contentsOf: URL(filePath: DVDFixture.made().image)))
        let reader = try #require(try DVD(image: MemoryReader(image))).reader(title: 1)
        #expect(try !bytes(reader).isEmpty && !reader.isEncrypted)
        var scrambled = 0
        for start in stride(from: 0, to: image.count - 2048, by: 2048)
        where image[start..<start + 4] == [0, 0, 1, 0xBA] && image[start + 17] == 0xE0 {
            image[start + 20] |= 0x10
            scrambled += 1
        }
        #expect(scrambled > 100)
        let locked = try #require(try DVD(image: MemoryReader(image))).reader(title: 1)
        #expect(throws: IOReaderError.self) { try self.bytes(locked) }
        #expect(locked.isEncrypted)
    }

    /// Damage of the tables is one error or a list of titles, never a trap; with their copies whole it is the list.
    @Test func damagedTablesAreToldOrDoneWithout() throws {
        let whole = Array(try Data(contentsOf: URL(filePath: DVDFixture.made().image)))
        let titles = try disc().titles
        let sectors = Array(stride(from: 0, to: whole.count - 2048, by: 2048))
        let tables = sectors.filter { whole[$0..<$0 + 8].elementsEqual("DVDVIDEO".utf8) }
        #expect(tables.count == 4)
        var told = 0, opened = 0
        for seed in 0..<600 as Range<UInt64> {
            var random = SeededRandom(seed: seed), image = whole
            for _ in 0...random.below(12) {
                let table = tables[random.below(4)]
                image[table + random.below(6 * 2048)] = [0, 0xFF, UInt8(truncatingIfNeeded: random.below(256))][random.below(3)]
            }
            do throws(DiscError) {
                guard let disc = try DVD(image: MemoryReader(image)) else { continue }
                opened += 1
                for title in disc.titles { _ = try disc.reader(title: title.id) }
            } catch {
                told += 1
                #expect(!error.reason.isEmpty && !error.reason.contains("\n"))
            }
        }
        #expect(opened > 100)
        var image = whole
        image.replaceSubrange(tables[0] + 0xC4..<tables[0] + 0xC8, with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(try DVD(image: MemoryReader(image))?.titles == titles, "the copy counts")
        for table in tables where image[table + 11] == UInt8(ascii: "G") {
            image.replaceSubrange(table + 0xC4..<table + 0xC8, with: [0xFF, 0xFF, 0xFF, 0xFF])
        }
        #expect(throws: DiscError.disc(.damaged("list of titles"))) { try DVD(image: MemoryReader(image)) }
    }

    @Test func twoHundredOpensLeaveNothing() throws {
        let fixture = try DVDFixture.made()
        func descriptors() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { name in
                // The descriptor of the listing itself is closed by now.
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name)
            }.filter { $0.hasPrefix(Fixtures.directory.path) && $0.contains("dvd-1/disc/") }
        }
        for _ in 0..<200 { _ = try #require(try DVD(DiscFolder(path: fixture.folder))).reader(title: 1) }
        #expect(try descriptors().isEmpty)
    }
}
