import AetherCore
import AetherDiscs
import AetherFormats
import AetherMedia

/// Leads the buttons that a passage's reader has met, and the subtitles below them, to the board. Lives on the thread `demux`.
final class DiscMenuIntake {
    /// The demuxer's numbers of the streams that are read for the buttons, whoever else wants them.
    let streams: Set<Int>
    /// Where the passage begins; nil: at its first frame.
    let start: MediaTime?
    private let reader: TitleReader
    private let board: MenuBoard
    private let isMenu: Bool
    private let names: Set<StreamID>
    private let changed: () -> Void
    private static let base = TimeBase(1, 90_000)

    /// nil for a title that is played without menus. Blocks as the disc does.
    init?(_ reader: TitleReader, _ demuxer: borrowing Demuxer, board: MenuBoard, changed: @escaping () -> Void) {
        guard let passage = reader.passage else { return nil }
        (self.reader, self.board, self.changed, isMenu) = (reader, board, changed, passage.space.isMenu)
        let title = reader.title, info = demuxer.info
        // A menu has one, and of a title the buttons colour the one that is shown.
        let wanted = isMenu ? [title.subtitles.first?.code ?? 0x20] : title.subtitles.map(\.code)
        var streams: Set<Int> = [], names: Set<StreamID> = [], facts = MenuBoard.Facts()
        for stream in info.streams {
            guard let code = demuxer.code(ofStream: stream.index) else { continue }
            if stream.kind == .subtitle, wanted.contains(code) {
                streams.insert(stream.index)
                names.insert(stream.id)
            }
            for entry in title.audio where entry.code == code { facts.audio[entry.number] = stream.id }
            for entry in title.subtitles where entry.code == code { facts.subtitles[entry.number] = stream.id }
        }
        (self.streams, self.names) = (isMenu ? streams : [], names)
        (facts.isMenu, facts.passage) = (isMenu, .dvd(passage))
        facts.still = passage.still
        if let video = info.streams.first(where: { $0.kind == .video }), let size = video.size {
            (facts.size, facts.aspect) = (size, Double(size.width) * video.sampleAspect.value / Double(max(1, size.height)))
        }
        facts.palette = title.palette.map { DiscPalette.rgb($0) }
        facts.cells = Self.cells(reader, passage)
        start = facts.start(of: .dvd(passage))
        board.open(facts)
    }

    /// Where the cells begin: by their first units where a look at the disc costs nothing, else by the disc's word.
    private static func cells(_ reader: TitleReader, _ passage: DiscPassage) -> [(cell: Int, start: MediaTime)] {
        var cells: [(cell: Int, start: MediaTime)] = [], played = 0, passed = TimeSpan.zero
        let begin = MediaTime(ticks: reader.timeline.start, in: base), isNear = reader.traits.seekCost == .call
        for (index, cell) in reader.title.cells.enumerated()
        where reader.cells.indices.contains(played) && reader.cells[played] == cell {
            var start = begin + passed
            do throws(IOReaderError) {
                if isNear, let found = try reader.start(ofCell: played) { start = MediaTime(ticks: found, in: base) }
            } catch {
                // Playing that far meets the same.
            }
            cells.append((passage.cells.lowerBound + index, start))
            passed = passed + cell.duration
            played += 1
        }
        return cells
    }

    /// Takes what the reader has met.
    func takePages() {
        var isNew = false
        for (page, place) in reader.pages.take() {
            let stretch = reader.timeline.stretch(ofPlace: place)
            guard reader.timeline.stretches.indices.contains(stretch) else { continue }
            func led(_ time: Int64) -> MediaTime {
                MediaTime(ticks: time + reader.timeline.shift(of: time, in: stretch), in: Self.base)
            }
            isNew = board.add(page, start: led(page.start), choiceEnd: page.choiceEnd.map(led)) || isNew
        }
        if isNew { changed() }
    }

    /// Takes a packet of a subtitle, on the axis already. Returns whether nobody else wants it.
    func take(_ packet: Packet) -> Bool {
        guard names.contains(packet.stream) else { return false }
        if let time = packet.pts ?? packet.dts, let picture = Subpicture(packet.bytes(limit: 1 << 16)), isMenu || picture.isForced
        {
            func moment(_ ticks: Int64) -> MediaTime { time + TimeSpan(nanoseconds: Self.base.nanoseconds(ticks: ticks)) }
            if board.add(picture, start: moment(picture.begin), end: picture.end.map(moment)) { changed() }
        }
        return isMenu
    }
}
