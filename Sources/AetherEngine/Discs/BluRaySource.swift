import AetherCore
import AetherDiscs
import AetherFormats
import AetherMedia

/// A title of a Blu-ray disc as a source of packets. Each of its parts is read by a demuxer of its own, so that its last frames come out and its clock
/// is known; the playlist says where it lies on the axis, and which of its frames belong to it. Seeks go by the clips' lists of units.
final class BluRaySource: PacketSource {
    private(set) var description: SourceDescription
    private var demuxer: Demuxer
    private var part: BluRayPart
    /// The index of the part that is read next.
    private var next = 0
    private let reader: BluRayReader
    private let name: String
    private let options: OpenOptions
    private let interrupt: Interrupt
    /// The names of the streams by their PIDs.
    private let names: [Int: StreamID]
    /// The formats of the streams of parts that were open, by the index of the part.
    private var formats: [Int: Int]
    private var selected: Set<StreamID>?
    /// Of the parts before the present one.
    private var passed: (bytes: Int64, damage: Int) = (0, 0)
    private var toldRevision = 0
    /// Nothing was read yet, and no seek was made.
    private var isAtStart = true
    private static let base = TimeBase(1, 90_000)

    /// Opens a title. Blocks. Throws as `Demuxer`, and `.unsupported` where the title is encrypted. `board` gets the buttons of a passage, as `plan` says.
    init(
        _ reader: BluRayReader, name: String, options: OpenOptions, interrupt: Interrupt, board: MenuBoard? = nil,
        plan: PassagePlan? = nil
    ) throws(MediaError) {
        (self.reader, self.name, self.options, self.interrupt) = (reader, name, options, interrupt)
        let graphics: InteractiveDisplay? =
            if board != nil {
                try Self.reading(reader, name, interrupt) { () throws(DiscError) in try reader.graphics(plan?.graphics ?? 1) }
            } else {
                nil
            }
        let opened = try Self.open(reader.longest, of: reader, name, options, interrupt)
        (part, formats) = (opened.part, [reader.longest: 0])
        demuxer = opened.demuxer
        let isMenu = graphics.map { !$0.composition.isPopUp } ?? false
        let info = BluRayDescription(reader, isMenu: isMenu).described(demuxer)
        var names: [Int: StreamID] = [:]
        for stream in info.streams { if let pid = demuxer.code(ofStream: stream.index) { names[pid] = stream.id } }
        self.names = names
        var description = SourceDescription(info, traits: reader.traits)
        if let board, let facts = Self.facts(reader, info, names, isMenu: isMenu) {
            if let start = facts.passage.flatMap({ facts.start(of: $0) }) { description.start = start }
            board.open(facts, graphics, plan: plan, shift: -reader.title.playlist.items[0].times.lowerBound)
        }
        self.description = description
    }

    /// The facts of a passage for its buttons; nil for a title that is played without menus.
    private static func facts(
        _ reader: BluRayReader, _ info: SourceInfo, _ names: [Int: StreamID], isMenu: Bool
    ) -> MenuBoard.Facts? {
        guard let passage = reader.passage else { return nil }
        let playlist = reader.title.playlist, id = reader.title.id
        var facts = MenuBoard.Facts()
        facts.isMenu = isMenu
        facts.passage = .bluRay(passage, title: isMenu || id == DiscDescription.menuTitle ? nil : id)
        // The board counts seconds up to 254.
        let still = playlist.items.last?.still ?? 0
        facts.still = still == BluRayPlaylist.Item.forever ? 255 : min(still, 254)
        facts.playlist = playlist
        if let video = info.streams.first(where: { $0.kind == .video }), let size = video.size {
            (facts.size, facts.aspect) = (size, Double(size.width) * video.sampleAspect.value / Double(max(1, size.height)))
        }
        for (index, stream) in playlist.streams.filter({ $0.kind == .audio }).enumerated() {
            facts.audio[index + 1] = names[stream.pid]
        }
        for (index, stream) in playlist.streams.filter({ $0.kind == .subtitle }).enumerated() {
            facts.subtitles[index + 1] = names[stream.pid]
        }
        return facts
    }

    private struct Opened: ~Copyable {
        let part: BluRayPart
        var demuxer: Demuxer
    }

    private static func open(
        _ index: Int, of reader: BluRayReader, _ name: String, _ options: OpenOptions, _ interrupt: Interrupt
    ) throws(MediaError) -> Opened {
        let part = try part(index, of: reader, name, interrupt)
        var options = options
        options.formatHint = "mpegts"
        var demuxer = try Demuxer(.reader(part, name: name), options: options, interrupt: interrupt)
        if part.entry > 0 { try demuxer.seek(toByte: part.entry) }
        return Opened(part: part, demuxer: demuxer)
    }

    private static func part(
        _ index: Int, of reader: BluRayReader, _ name: String, _ interrupt: Interrupt
    ) throws(MediaError) -> BluRayPart {
        try reading(reader, name, interrupt) { () throws(DiscError) in try reader.part(index) }
    }

    private static func reading<Value>(
        _ reader: BluRayReader, _ name: String, _ interrupt: Interrupt, _ body: () throws(DiscError) -> Value
    ) throws(MediaError) -> Value {
        // The part before may have left its reader cancelled; who attaches one hears of an interrupt that is still up.
        reader.resume()
        interrupt.attach(reader)
        defer {
            interrupt.detach(reader)
            reader.resume()
        }
        do throws(DiscError) {
            return try body()
        } catch {
            throw MediaError(error, name)
        }
    }

    var window: SourceWindow { description.window }
    var bytesFetched: Int64 { passed.bytes + demuxer.bytesFetched }
    var damageCount: Int { passed.damage + demuxer.damageCount }

    func select(_ streams: Set<StreamID>) {
        selected = streams
        demuxer.select(Set(streams.compactMap { demuxer.numbering.index(of: $0) }))
    }

    /// From now on that part is read, from its start. Blocks.
    private func enter(_ index: Int) throws(MediaError) {
        let opened = try Self.open(index, of: reader, name, options, interrupt)
        passed = (bytesFetched, damageCount)
        part = opened.part
        demuxer = opened.demuxer
        let format = formats[index] ?? formats.count
        formats[index] = format
        if format > 0 {
            var streams: [Int: StreamID] = [:]
            for stream in demuxer.info.streams {
                streams[stream.index] = demuxer.code(ofStream: stream.index).flatMap { names[$0] }
            }
            demuxer.numbering = description.adopt(demuxer.info, of: 0, format: format) { streams[$0.index] }
        }
        if let selected { select(selected) }
    }

    func read(run: Epoch) throws(MediaError) -> SourceEvent {
        while true {
            if part.index != next { try enter(next) }
            if description.revision != toldRevision {
                toldRevision = description.revision
                return .described(description)
            }
            let packet: Packet
            do throws(MediaError) {
                packet = try demuxer.read(epoch: run)
            } catch {
                if error.code == .endOfMedia, next + 1 < reader.title.playlist.items.count {
                    next += 1
                    isAtStart = false
                    continue
                }
                throw end(after: error)
            }
            isAtStart = false
            if place(packet) { return .packet(packet) }
        }
    }

    /// Moves a packet onto the axis; false for one that does not belong to the part.
    private func place(_ packet: Packet) -> Bool {
        guard let time = packet.ptsTicks ?? packet.dtsTicks else { return true }
        packet.shift(by: TimeSpan(nanoseconds: Self.base.nanoseconds(ticks: part.shift(of: time))))
        let shown = packet.ptsTicks ?? packet.dtsTicks ?? 0, decoded = packet.dtsTicks ?? shown
        let own = part.begin - Self.rounding..<part.end - Self.rounding
        if own.contains(shown) { return true }
        // Frames of the part may need others, which are decoded and not shown.
        let isVideo = description.stream(packet.stream, format: packet.format)?.kind == .video
        guard isVideo, decoded < own.upperBound else { return false }
        packet.hide()
        return true
    }

    /// A playlist counts in ticks of 45 kHz, and nanoseconds round.
    private static let rounding: Int64 = 3

    func seek(to plan: SeekPlan, video: StreamID?) throws(MediaError) -> Bool {
        let point = min(max(0, Self.base.ticks(at: plan.demuxTarget)), max(0, reader.title.playlist.duration - 1))
        if isAtStart, next == 0, point <= 0 { return false }
        isAtStart = false
        next = reader.part(at: point)
        // Before the first frame of a part is nothing of it.
        if part.index != next { try enter(next) }
        try demuxer.seek(toByte: part.offset(before: point))
        return true
    }

    private func end(after error: MediaError) -> MediaError {
        if error.code == .interrupted || error.code == .endOfMedia { return error }
        let reason = error.reason.isEmpty ? "read error" : error.reason
        return MediaError(
            .readFailed, "play all of", subject: name, cause: error.cause,
            reason: translated("the disc cannot be read further: \(reason)"))
    }
}
