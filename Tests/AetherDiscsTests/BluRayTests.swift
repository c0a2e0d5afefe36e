import AetherCore
import AetherFormats
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherDiscs

/// A Blu-ray disc from its folder, its image and a reader of a host's own.
struct BluRayTests {
    private func image(_ files: [UDFWriter.File]? = nil, isFragmented: Bool = true) throws -> [UInt8] {
        UDFWriter.image(try files ?? BluRayFixture.made().files(), isFragmented: isFragmented)
    }

    @discardableResult
    private func withFolder<Result>(_ files: [UDFWriter.File], _ body: (String) throws -> Result) throws -> Result {
        let folder = try TemporaryFolder()
        try BluRayFixture.write(files, to: folder.url.path)
        return try withExtendedLifetime(folder) { try body(folder.url.path) }
    }

    @Test func titlesArePlaylistsWithoutDecoys() throws {
        let fixture = try BluRayFixture.made(), disc = try #require(try BluRay(image: MemoryReader(image())))
        #expect(disc.titles.map(\.id) == [1, 2] && disc.titles.map(\.number) == [1, 2] && disc.mainTitle.id == 1)
        #expect(!disc.hasJava && !disc.isLocked && !disc.isCamera)
        let first = disc.titles[0].playlist, second = disc.titles[1].playlist
        #expect(first.duration == 10 * 90_000 && second.duration == 3 * 90_000)
        #expect(first.chapters == [0, 2, 6, 9].map { $0 * 90_000 } && second.chapters == [0])
        #expect(
            first.items.map { $0.clips.map(\.number) } == [[1], [2]] && second.items.map { $0.clips.map(\.number) } == [[3, 4]])
        #expect(first.angleCount == 1 && second.angleCount == 2)
        #expect(first.streams.map(\.pid) == [0x1011, 0x1100, 0x1101, 0x1200])
        #expect(first.streams.map(\.language) == [nil, "deu", "eng", "fra"])
        #expect(first.streams.map(\.kind) == [.video, .audio, .audio, .subtitle])
        #expect(first.items.map { Int($0.times.lowerBound) } == fixture.clips.prefix(2).map(\.times.lowerBound))
    }

    @Test func folderImageAndCameraAreTheSame() throws {
        let files = try BluRayFixture.made().files()
        func bytes(_ disc: BluRay?, _ title: Int, angle: Int = 1) throws -> [[UInt8]] {
            let reader = try #require(disc).reader(title: title, angle: angle)
            return try reader.title.playlist.items.indices.map { try reader.part($0).bytes(limit: 1 << 24) }
        }
        let streams = files.filter { $0.path.hasSuffix(".m2ts") }.map { Array($0.bytes.dropFirst(4)) }
        let plain = try BluRay(image: MemoryReader(image(isFragmented: false)))
        #expect(try bytes(plain, 1) == Array(streams[..<2]))
        #expect(try bytes(BluRay(image: MemoryReader(image())), 1) == Array(streams[..<2]))
        #expect(try bytes(plain, 2, angle: 1) == [streams[2]])
        #expect(try bytes(plain, 2, angle: 2) == [streams[3]])
        #expect(try bytes(plain, 2, angle: 7) == [streams[3]], "the last angle for one that there is not")
        let simple = UDFWriter.image(files, hasMetadata: false)
        #expect(try bytes(BluRay(image: MemoryReader(simple)), 1) == Array(streams[..<2]))
        try withFolder(files) { (folder: String) throws in
            for place in [folder, folder + "/", folder + "/BDMV"] {
                #expect(BluRay.isThere(DiscFolder(path: place)))
                #expect(try bytes(BluRay(DiscFolder(path: place)), 1) == Array(streams[..<2]))
            }
            #expect(!BluRay.isThere(DiscFolder(path: folder + "/BDMV/STREAM")) && !DVD.isThere(DiscFolder(path: folder)))
        }
        let names = [
            ("index.bdmv", "INDEX.BDM"), ("MovieObject.bdmv", "MOVIEOBJ.BDM"), (".mpls", ".MPL"), (".clpi", ".CPI"),
            (".m2ts", ".MTS"),
        ]
        let short = files.map { file in
            (names.reduce("PRIVATE/AVCHD/" + file.path) { $0.replacingOccurrences(of: $1.0, with: $1.1) }, file.bytes)
        }
        try withFolder(short) { (folder: String) throws in
            let disc = try BluRay(DiscFolder(path: folder))
            #expect(try bytes(disc, 1) == Array(streams[..<2]))
            #expect(disc?.isCamera == true)
        }
    }

    @Test func otherBytesAreNoDisc() throws {
        #expect(try BluRay(image: MemoryReader([UInt8](repeating: 0, count: 1 << 20))) == nil)
        #expect(try BluRay(image: MemoryReader([1, 2, 3])) == nil)
        let other = MemoryReader(UDFWriter.image([("film.mkv", [1, 2, 3])]))
        #expect(try BluRay(image: other) == nil)
        #expect(try other.bytes(limit: 4) == [0, 0, 0, 0], "the reader is left at its start")
        let disc = try #require(try BluRay(image: MemoryReader(image())))
        #expect(throws: DiscError.disc(.noTitle(of: 2))) { try disc.reader(title: 3) }
    }

    @Test func pointsLeadToUnitsBeforeThem() throws {
        let fixture = try BluRayFixture.made(), reader = try #require(try BluRay(image: MemoryReader(image()))).reader(title: 1)
        #expect(reader.borders == [0, 6 * 90_000, 10 * 90_000] && reader.longest == 0)
        for index in [0, 1] {
            let part = try reader.part(index), clip = fixture.clips[index]
            var former: Int64 = -1
            for frame in clip.frames {
                let point = part.begin + Int64(frame) - part.times.lowerBound
                #expect(reader.part(at: point) == index)
                let offset = part.offset(before: point)
                #expect(offset >= former && offset % 192 == 0)
                former = offset
                // The list counts in 512 ticks: the unit that begins just then may be taken.
                let unit = clip.units.last { $0.time <= frame } ?? clip.units[0]
                #expect(offset == (unit.time == clip.units[0].time ? 0 : Int64(unit.packet * 192)), "\(frame)")
                #expect(part.shift(of: Int64(frame)) + Int64(frame) == point)
                #expect(part.shift(of: Int64(frame) + 1 << 33) + Int64(frame) + 1 << 33 == point)
            }
        }
    }

    @Test func anEncryptedDiscIsSaidToBeOne() throws {
        var files = try BluRayFixture.made().files()
        for index in files.indices where files[index].path.hasSuffix(".m2ts") {
            for place in files[index].bytes.indices where place % 6144 >= 16 { files[index].bytes[place] ^= 0x5A }
        }
        let damaged = try #require(try BluRay(image: MemoryReader(image(files))))
        #expect(throws: DiscError.disc(.damaged("video of clip 00001"))) { try damaged.reader(title: nil) }
        files.append(("AACS/MKB_RO.inf", [16, 0, 0, 12]))
        let locked = try #require(try BluRay(image: MemoryReader(image(files))))
        #expect(throws: DiscError.disc(.encrypted)) { try locked.reader(title: nil) }
        try withFolder(files) { (folder: String) throws in
            #expect(throws: DiscError.disc(.encrypted)) { try BluRay(DiscFolder(path: folder))?.reader(title: nil) }
        }
        // A copy that was decrypted may still have the tables.
        let clear = try BluRayFixture.made().files() + [("AACS/MKB_RO.inf", [16, 0, 0, 12])]
        let copy = try #require(try BluRay(image: MemoryReader(image(clear)))).reader(title: nil)
        #expect(copy.size ?? 0 > 100_000)
    }

    @Test func commandsThatGoInCirclesEnd() throws {
        let objects = try MovieObjects(BluRayTables.objects([(nil, 1), (7, 2), (8, 0), (9, nil), (nil, 4)]))
        #expect(objects.playlists(from: [0]) == [7, 8] && objects.playlists(from: [3, 0, 99]) == [7, 8, 9])
        #expect(objects.playlists(from: [4]).isEmpty)
        let many = try MovieObjects(BluRayTables.objects((0..<20_000).map { ($0, $0 + 1) }))
        #expect(many.playlists(from: Array(0..<20_000)).count == 20_000)
    }

    @Test func programsInJavaAreNamed() throws {
        let files = try BluRayFixture.made().files(hasJava: true)
        let disc = try #require(try BluRay(image: MemoryReader(image(files))))
        #expect(disc.hasJava && disc.titles.count == 2 && disc.mainTitle.id == 1)
    }

    @Test func menusHaveTheirGraphics() throws {
        let files = try BluRayMenuFixture.files(), image = UDFWriter.image(files)
        let disc = try #require(try BluRay(image: MemoryReader(image)))
        #expect(disc.hasMenus && disc.hasJava && disc.titles.map(\.number) == [1, 2, 10, 11, 12] && disc.mainTitle.id == 1)
        #expect(try BluRay(image: MemoryReader(self.image()))?.hasMenus == false, "there are no buttons")
        #expect(disc.title(ofPlaylist: 2)?.id == 2 && disc.title(ofPlaylist: 99) == nil)
        func graphics(_ disc: BluRay, _ playlist: Int) throws -> InteractiveDisplay? {
            try disc.reader(HDMVPassage(playlist: playlist)).graphics(1)
        }
        let menu = try #require(try graphics(disc, 10)), over = try #require(try graphics(disc, 1))
        #expect(menu.composition.pages.map(\.groups.count) == [3, 2] && !menu.composition.isPopUp && menu.objects.count == 3)
        #expect(over.composition.isPopUp && over.composition.pages.map(\.groups.count) == [2])
        #expect(try graphics(disc, 2) == nil)
        #expect(try graphics(disc, 11)?.composition.pages == menu.composition.pages, "in a clip of its own")
        #expect(try disc.reader(HDMVPassage(playlist: 10)).graphics(7) == menu, "the first for one that there is not")
        #expect(throws: DiscError.disc(.missing("PLAYLIST/00099.mpls"))) { try disc.reader(HDMVPassage(playlist: 99)) }
        // Over readers of its own, and from a folder.
        let other = try #require(disc.independent())
        #expect(other.hasMenus && other.titles == disc.titles)
        #expect(try graphics(other, 10) == menu && graphics(disc, 10) == menu)
        try withFolder(files) { (folder: String) throws in
            let disc = try #require(try BluRay(DiscFolder(path: folder))?.independent())
            #expect(try graphics(disc, 10) == menu && graphics(disc, 11) != nil)
        }
        // A clip that is cut before its end has none, and one that is not there is told.
        let cut = files.map { $0.path == "BDMV/STREAM/00007.m2ts" ? ($0.path, Array($0.bytes.prefix(300))) : $0 }
        #expect(try graphics(#require(try BluRay(image: MemoryReader(UDFWriter.image(cut)))), 11) == nil)
        let without = files.filter { $0.path != "BDMV/STREAM/00007.m2ts" }
        #expect(throws: DiscError.disc(.missing("STREAM/00007.m2ts"))) {
            try graphics(#require(try BluRay(image: MemoryReader(UDFWriter.image(without)))), 11)
        }
    }

    /// Each place on another machine is a round trip: a hundred playlists are read by few.
    @Test func tablesAreReadByFewRequests() throws {
        var files = try BluRayFixture.made().files()
        let list = try #require(files.first { $0.path == "BDMV/PLAYLIST/00001.mpls" }).bytes
        for number in 100..<200 { files.append((String(format: "BDMV/PLAYLIST/%05d.mpls", number), list)) }
        let far = FarReader(try image(files))
        let disc = try #require(try BluRay(image: far))
        #expect(disc.titles.map(\.number) == [1, 2])
        let listed = far.requests.current
        let reader = try disc.reader(title: nil)
        _ = try reader.part(0).bytes(limit: 1 << 16)
        #expect(listed <= 12 && far.requests.current <= 20, "\(listed), then \(far.requests.current)")
        let other = FarReader([UInt8](repeating: 1, count: 1 << 20))
        #expect(try BluRay(image: other) == nil)
        #expect(other.requests.current <= 1)
    }

    /// Damage of the tables is one error or a list of titles, never a trap.
    @Test func damagedTablesAreToldOrDoneWithout() throws {
        let files = try BluRayFixture.made().files().map { file in
            file.path.hasSuffix(".m2ts") ? (file.path, Array(file.bytes.prefix(192 * 64))) : file
        }
        let whole = try image(files), disc = try #require(try BluRay(image: MemoryReader(whole)))
        let tables = stride(from: 0, to: whole.count - 2048, by: 2048).filter { place in
            let head = Array(whole[place..<place + 4])
            return ["MPLS", "HDMV", "INDX", "MOBJ"].contains { head == Array($0.utf8) }
                || (head[0] > 0 && head[1] <= 1 && head[2] == 3)
        }
        #expect(tables.count > 60)
        var told = 0, opened = 0
        for seed in 0..<800 as Range<UInt64> {
            var random = SeededRandom(seed: seed), damaged = whole
            for _ in 0...random.below(30) {
                let place = tables[random.below(tables.count)] + random.below(400)
                damaged[place] = random.below(3) == 0 ? 0xFF : UInt8(random.below(256))
            }
            if random.below(4) == 0 { damaged.removeLast(random.below(damaged.count)) }
            do throws(DiscError) {
                guard let found = try BluRay(image: MemoryReader(damaged)) else { continue }
                #expect(found.titles.count <= 6 && found.titles.allSatisfy { $0.playlist.items.count <= 999 })
                opened += 1
                for title in found.titles {
                    let part = try found.reader(title: title.id).part(0)
                    #expect((try? part.bytes(limit: 4096).count) ?? 0 <= 4096)
                }
            } catch {
                #expect(!error.reason.isEmpty)
                told += 1
            }
        }
        #expect(told > 50 && opened > 50, "\(told) told, \(opened) opened")
        #expect(disc.titles.count == 2)
    }

    @Test func copiesStandInForDamagedTables() throws {
        var files = try BluRayFixture.made().files()
        for index in files.indices where !files[index].path.contains("BACKUP") && !files[index].path.hasSuffix(".m2ts") {
            files[index].bytes = Array(files[index].bytes.prefix(20))
        }
        let disc = try #require(try BluRay(image: MemoryReader(image(files))))
        #expect(disc.titles.map(\.number) == [1, 2])
        #expect(try disc.reader(title: 1).part(1).bytes(limit: 1000).count == 1000)
    }
}

/// Bytes that lie far away: a read that does not go on where the last one ended is a request.
private final class FarReader: IOReader {
    private let memory: MemoryReader
    let requests = Counter()
    private let place = Counter()
    private let asked = Counter()

    init(_ bytes: [UInt8]) { memory = MemoryReader(bytes) }

    func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        if asked.current != place.current || requests.current == 0 { requests.add() }
        let count = try memory.read(buffer)
        place.set(asked.current + count)
        asked.set(place.current)
        return count
    }

    func seek(to offset: Int64) throws(IOReaderError) {
        asked.set(Int(offset))
        try memory.seek(to: offset)
    }

    var size: Int64? { memory.size }
    var isSeekable: Bool { true }
    var traits: IOReaderTraits { .network }
    func cancel() { memory.cancel() }
    func resume() { memory.resume() }
    func close() { memory.close() }
    func makeIndependentReader() -> (any IOReader)? { nil }
}
