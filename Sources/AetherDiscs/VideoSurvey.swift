import AetherCore
import AetherFormats

/// The tables of a video disc, as far as they can be read: without them its tracks play all the same.
struct DiscTables {
    private(set) var kind: DiscKind?
    private(set) var album = ""
    private(set) var entries: [VideoCDEntries.Entry] = []
    private static let log = Log.module("disc")

    init(_ map: TrackMap, _ files: [SectorFile]) {
        guard let first = map.places.first, first.layout.content == .mixed else { return }
        func sector(_ number: Int) throws(IOReaderError) -> [UInt8] {
            let layout = first.layout, size = Int64(layout.size), offset = first.start + Int64(number - first.sector) * size
            guard number >= first.sector, offset + size <= first.end else { return [] }
            let run = SectorRun(file: first.file, from: offset, to: offset + size, layout: layout)
            return try SectorData([run], files: files).bytes(at: 0, limit: SectorLayout.form1)
        }
        do throws(IOReaderError) {
            guard let info = VideoCDEntries.info(try sector(VideoCDEntries.infoSector)) else { return }
            (kind, album) = info
            entries = VideoCDEntries(try sector(VideoCDEntries.entriesSector))?.entries ?? []
        } catch {
            Self.log.info("tables of a Video CD: \(error)")
        }
    }
}

/// The tracks of video of a disc, with their lengths and chapters by the times in their packets.
struct VideoSurvey {
    private(set) var titles: [CompactTitle] = []
    private(set) var isMPEG2 = false

    /// Sectors at the beginning that are looked at for a pack: margins and a pause of two seconds lie before it. And those before the end.
    private static let headCount = 256, tailCount = 256
    /// Sectors behind an entry in which its first frame begins.
    private static let entryCount = 64
    private static let base = TimeBase(1, 90_000)

    init(_ sheet: CueSheet, _ map: TrackMap, _ files: [SectorFile], entries: [VideoCDEntries.Entry]) throws(IOReaderError) {
        for place in map.places where place.layout.content == .mixed {
            let run = SectorRun(file: place.file, from: place.start, to: place.end, layout: place.layout)
            let data = SectorData([run], files: files), payload = Int64(place.layout.payload)
            let head = try data.bytes(at: 0, limit: Self.headCount * Int(payload))
            if Self.isFileSystem(head, Int(payload)) { continue }
            let first = PackClock(head)
            guard first.hasPacks else { continue }
            if titles.isEmpty { isMPEG2 = first.isMPEG2 }
            let rest = max(0, run.count - Int64(Self.tailCount) * payload)
            let last = PackClock(try data.bytes(at: rest, limit: Self.tailCount * Int(payload)))
            var length: TimeSpan?
            if let begin = first.earliest, let end = last.latest, end > begin {
                length = TimeSpan(nanoseconds: Self.base.nanoseconds(ticks: end - begin))
            }
            let track = sheet.tracks[place.track]
            var times: [Int64] = []
            for entry in entries where entry.track == track.number && entry.sector - place.sector >= 0 {
                let offset = Int64(entry.sector - place.sector) * payload
                guard offset < run.count else { continue }
                let clock = PackClock(try data.bytes(at: offset, limit: Self.entryCount * Int(payload)))
                guard let time = clock.firstVideo, time > times.last ?? -1 else { continue }
                times.append(time)
            }
            // Audio begins a little before the first frame: its entry is the start.
            if let begin = first.earliest, let entry = times.first, entry - begin < 90_000 { times[0] = begin }
            titles.append(
                CompactTitle(
                    id: titles.count + 1, isAudio: false, name: track.title, runs: [run], duration: length,
                    chapters: times.map { CompactTitle.Chapter(name: "", start: MediaTime(ticks: $0, in: Self.base)) }))
        }
    }

    /// Whether a track begins as ISO 9660 does: its video lies in files, and on Video CDs in tracks of their own besides.
    private static func isFileSystem(_ head: [UInt8], _ payload: Int) -> Bool {
        let volume = DiscDirectory.volumeSector * payload
        return volume + 6 <= head.count && head[(volume + 1)..<(volume + 6)].elementsEqual("CD001".utf8)
    }
}
