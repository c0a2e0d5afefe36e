public import AetherCore
public import AetherFormats
import AetherSources
import Glibc
import Synchronization

/// The program stream of one title of a DVD, from one angle: its cells behind one another, other angles left out. Before the first of them stand
/// sectors of our own that name the subtitles which the disc declares, so that a demuxer knows them before their first words come.
public final class TitleReader: IOReader {
    /// The title.
    public let title: DiscTitle
    /// All titles of the disc.
    public let titles: [DiscTitle]
    /// The cells that are played.
    public let cells: [DiscCell]
    /// Where their sectors lie.
    public let map: SectorMap
    /// The clocks of the title.
    public let timeline: DiscTimeline
    /// The passage of the disc's menus that it is; nil for a title that is played without them.
    public let passage: DiscPassage?
    /// The disc.
    public let disc: DVD
    /// The buttons in the navigation packs that were read.
    public let pages = PageIntake()
    /// Its video breaks off before its end, as that of an image that was not copied to its end.
    public let isCut: Bool
    /// Sectors of our own before the title's.
    public let preamble: [UInt8]
    /// Where units begin along the title, ascending.
    let units: [Int]
    private let video: [DiscFile]

    private let cursor = ReaderCursor()
    private let metScrambled = Atomic(false)
    /// Sectors of one look at the disc.
    private static let readLimit = 32

    init(
        _ disc: DVD, _ title: DiscTitle, angle: Int, units: [Int], video: [DiscFile], passage: DiscPassage? = nil
    ) throws(DiscError) {
        (self.disc, self.title, titles, self.passage) = (disc, title, disc.titles, passage)
        cells = title.cells(angle: angle)
        let map = SectorMap(cells)
        (self.map, self.video) = (map, video)
        // The beginning of each cell is one, whatever the list says.
        self.units = Set(map.places(of: units) + map.cellPlaces).sorted()
        let clocks = TitleClocks(cells: cells, map: map, units: self.units) { sector throws(DiscError) in
            try Self.pack(at: sector, in: video)
        }
        guard let (timeline, isWhole) = try clocks.timeline() else { throw .disc(.damaged("video of title \(title.id)")) }
        self.timeline = timeline
        isCut = try isWhole ? false : Self.isCut(map, video)
        preamble = title.subtitles.reduce(into: []) { $0 += TitlePreamble.sector(code: $1.code) }
    }

    private init(_ other: TitleReader, video: [DiscFile]) {
        (disc, title, titles, passage) = (other.disc, other.title, other.titles, other.passage)
        (cells, map) = (other.cells, other.map)
        (timeline, preamble, units, isCut) = (other.timeline, other.preamble, other.units, other.isCut)
        self.video = video
    }

    /// Something scrambled was met: reading goes no further.
    public var isEncrypted: Bool { metScrambled.load(ordering: .acquiring) }

    /// Reads the title's bytes. Blocks as what is below does. Throws its errors, `.posix(EACCES)` where a sector is scrambled.
    public func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        try cursor.read(buffer, leading: preamble) { offset throws(IOReaderError) in try read(title: offset, buffer) }
    }

    private func read(title position: Int64, _ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        let place = Int(position / Int64(DiscSector.size)), within = Int(position % Int64(DiscSector.size))
        guard let sectors = map.sectors(at: place) else { return 0 }
        let room = min(sectors.count, Self.readLimit) * DiscSector.size - within
        let wanted = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(room))
        let offset = Int64(sectors.lowerBound) * Int64(DiscSector.size) + Int64(within)
        let count = try Self.read(offset, in: video, wanted)
        for start in stride(from: (DiscSector.size - within) % DiscSector.size, to: count, by: DiscSector.size)
        where NavigationPack.isScrambled(UnsafeRawBufferPointer(rebasing: wanted[start..<min(count, start + 24)])) {
            metScrambled.store(true, ordering: .releasing)
            throw .posix(EACCES)
        }
        try takePages(wanted, count: count, at: offset, place: place)
        return count
    }

    /// Keeps the buttons of the navigation packs that begin in what was read.
    private func takePages(
        _ bytes: UnsafeMutableRawBufferPointer, count: Int, at offset: Int64, place: Int
    ) throws(IOReaderError) {
        guard passage != nil else { return }
        let size = DiscSector.size, within = Int(offset % Int64(size))
        for start in stride(from: (size - within) % size, to: count, by: size) {
            let place = place + (within + start) / size
            guard isUnit(place) else { continue }
            let whole = UnsafeRawBufferPointer(rebasing: bytes[start..<min(count, start + size)])
            // One that was cut is read by itself, which costs nothing: its bytes are on their way.
            let sector =
                whole.count == size ? Array(whole) : try Self.sector(Int((offset + Int64(start)) / Int64(size)), in: video)
            guard let sector, let page = MenuPage(sector: sector, isWide: title.isWide) else { continue }
            pages.add(page, place: place)
        }
    }

    private func isUnit(_ place: Int) -> Bool {
        var low = 0, high = units.count
        while low < high {
            let middle = (low + high) / 2
            if units[middle] < place { low = middle + 1 } else { high = middle }
        }
        return low < units.count && units[low] == place
    }

    /// Reads bytes of a title set's video, whichever of its files they lie in.
    private static func read(
        _ offset: Int64, in video: [DiscFile], _ buffer: UnsafeMutableRawBufferPointer
    ) throws(IOReaderError) -> Int {
        var begin: Int64 = 0
        for file in video {
            if offset < begin + file.byteCount {
                let room = Int(clamping: begin + file.byteCount - offset)
                try file.reader.seek(to: file.offset + offset - begin)
                return try file.reader.read(UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(room)))
            }
            begin += file.byteCount
        }
        return 0
    }

    /// The navigation of the unit that begins at a sector of the title set; nil where none does, or the disc is scratched there.
    private static func pack(at sector: Int, in video: [DiscFile]) throws(DiscError) -> NavigationPack? {
        do throws(IOReaderError) {
            return try navigation(at: sector, in: video)
        } catch {
            throw .bytes(error)
        }
    }

    /// Whether the last sector is missing. A scratch there breaks nothing off.
    private static func isCut(_ map: SectorMap, _ video: [DiscFile]) throws(DiscError) -> Bool {
        guard let last = map.sectors(at: map.count - 1)?.lowerBound else { return false }
        do throws(IOReaderError) {
            return try sector(last, in: video) == nil
        } catch {
            if case .posix(EIO) = error { return false }
            throw .bytes(error)
        }
    }

    private static func navigation(at sector: Int, in video: [DiscFile]) throws(IOReaderError) -> NavigationPack? {
        do throws(IOReaderError) {
            return try self.sector(sector, in: video).flatMap { NavigationPack($0) }
        } catch {
            if case .posix(EIO) = error { return nil }
            throw error
        }
    }

    /// A sector of the title set; nil behind its end.
    private static func sector(_ sector: Int, in video: [DiscFile]) throws(IOReaderError) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: DiscSector.size), filled = 0
        while filled < bytes.count {
            var failure: IOReaderError?
            let count = bytes.withUnsafeMutableBytes { buffer -> Int in
                do throws(IOReaderError) {
                    return try read(
                        Int64(sector) * Int64(DiscSector.size) + Int64(filled), in: video,
                        UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
                } catch {
                    failure = error
                    return 0
                }
            }
            if let failure { throw failure }
            if count == 0 { return nil }
            filled += count
        }
        return bytes
    }

    /// The byte of a unit from which on decoding leads to a point of the axis, in ticks of 90 kHz. Where the point lies close behind the
    /// start of a unit that is the one before: its first frames may need that. Blocks.
    public func offset(before point: Int64) throws(IOReaderError) -> Int64 {
        let number = timeline.stretch(at: point)
        guard timeline.stretches.indices.contains(number) else { return 0 }
        let stretch = timeline.stretches[number]
        let own = units.filter { stretch.places.contains($0) }
        let time = timeline.clockTime(at: point)
        var unit = try DiscTimeline.unit(
            before: time, count: own.count, duration: stretch.end - stretch.begin, start: stretch.clock.lowerBound
        ) { index throws(IOReaderError) in
            try self.start(of: own[index])
        }
        if unit > 0, let begin = try start(of: own[unit]), time - begin < Self.openEdge { unit -= 1 }
        return Int64(preamble.count) + Int64(own.isEmpty ? stretch.places.lowerBound : own[unit]) * Int64(DiscSector.size)
    }

    /// Four frames: those before the key frame in the order of showing.
    private static let openEdge: Int64 = 4 * 3600

    private func start(of place: Int) throws(IOReaderError) -> Int64? {
        guard let sector = map.sectors(at: place)?.lowerBound else { return nil }
        return try Self.navigation(at: sector, in: video)?.start
    }

    /// The point of the axis at which a cell begins, in ticks of 90 kHz, by its first unit; nil where that is unreadable. Blocks.
    public func start(ofCell index: Int) throws(IOReaderError) -> Int64? {
        guard map.cellPlaces.indices.contains(index), let time = try start(of: map.cellPlaces[index]) else { return nil }
        let number = timeline.stretch(ofPlace: map.cellPlaces[index])
        return time + timeline.shift(of: time, in: number)
    }

    /// The index of the stretch that a byte belongs to; nil for the sectors before the title.
    public func stretch(ofByte offset: Int64) -> Int? {
        guard offset >= preamble.count else { return nil }
        return timeline.stretch(ofPlace: Int((offset - Int64(preamble.count)) / Int64(DiscSector.size)))
    }

    /// Moves the position, also behind the end.
    public func seek(to offset: Int64) throws(IOReaderError) { try cursor.move(to: offset) }

    /// The title's bytes with those before it.
    public var size: Int64? { Int64(preamble.count) + Int64(map.count) * Int64(DiscSector.size) }
    /// Always true.
    public var isSeekable: Bool { true }
    /// Those of what the disc lies on.
    public var traits: IOReaderTraits { video[0].reader.traits }

    /// Lets reads throw `.cancelled` until `resume`. Any thread; never blocks.
    public func cancel() {
        cursor.cancel()
        for file in video { file.reader.cancel() }
    }

    /// Ends what `cancel` began. Any thread; never blocks.
    public func resume() {
        cursor.resume()
        for file in video { file.reader.resume() }
    }

    /// Lets go of what is below. Any thread.
    public func close() {
        cursor.close()
        for file in video { file.reader.close() }
    }

    /// A reader of the same title with a position of its own, at the start; nil where there is none of what is below.
    public func makeIndependentReader() -> (any IOReader)? {
        let files = video.compactMap { $0.independent() }
        return files.count == video.count ? TitleReader(self, video: files) : nil
    }
}
