import AetherCore
import AetherDiscs
import AetherFormats
import AetherMedia

/// A title of a disc as a source of packets. Its cells are one program stream for the demuxer; the place of each packet tells its clock, and so
/// where it belongs on the axis. Seeks go by the disc's own list of units.
final class DiscSource: PacketSource {
    let description: SourceDescription
    private var demuxer: Demuxer
    private let reader: TitleReader
    private let name: String
    /// The buttons of a passage; nil for a title that is played without menus.
    private let menu: DiscMenuIntake?
    /// The stretch of the last packet of each stream: one without a place lies where the one before it does.
    private var stretches: [StreamID: Int] = [:]
    private var present = 0
    /// The packet behind a discontinuity that was told.
    private var waiting: Packet?
    /// Nothing was read yet, and no seek was made.
    private var isAtStart = true
    private static let base = TimeBase(1, 90_000)

    /// Opens a title. Blocks. Throws as `Demuxer`, and `.unsupported` where the title is encrypted.
    /// `board` gets the buttons of a passage, and `changed` is told that there are others.
    init(
        _ reader: TitleReader, name: String, options: OpenOptions, interrupt: Interrupt, board: MenuBoard? = nil,
        changed: @escaping () -> Void = {}
    ) throws(MediaError) {
        demuxer = try Self.demuxer(reader, name: name, options: options, interrupt: interrupt)
        (self.reader, self.name) = (reader, name)
        var description = SourceDescription(DiscDescription(reader).described(demuxer), traits: reader.traits)
        menu = if let board { DiscMenuIntake(reader, demuxer, board: board, changed: changed) } else { nil }
        if let start = menu?.start { description.start = start }
        self.description = description
    }

    /// Opens the program stream of a title. Blocks.
    static func demuxer(
        _ reader: TitleReader, name: String, options: OpenOptions, interrupt: Interrupt
    ) throws(MediaError) -> Demuxer {
        var options = options
        options.formatHint = "mpeg"
        do throws(MediaError) {
            let demuxer = try Demuxer(.reader(reader, name: name), options: options, interrupt: interrupt)
            // Of some megabytes that were analysed a few may have been in clear.
            if reader.isEncrypted { throw MediaError(.disc(.encrypted), name) }
            return demuxer
        } catch {
            if reader.isEncrypted, error.code != .interrupted { throw MediaError(.disc(.encrypted), name) }
            throw error
        }
    }

    var window: SourceWindow { description.window }
    var bytesFetched: Int64 { demuxer.bytesFetched }
    var damageCount: Int { demuxer.damageCount }

    func select(_ streams: Set<StreamID>) {
        demuxer.select(Set(streams.compactMap { demuxer.numbering.index(of: $0) }).union(menu?.streams ?? []))
    }

    func read(run: Epoch) throws(MediaError) -> SourceEvent {
        if let packet = waiting {
            waiting = nil
            if packet.epoch == run { return .packet(packet) }
        }
        while true {
            let packet: Packet
            do throws(MediaError) {
                packet = try demuxer.read(epoch: run)
            } catch {
                menu?.takePages()
                throw end(after: error)
            }
            isAtStart = false
            menu?.takePages()
            guard let stretch = stretch(of: packet) else { continue }
            let isNew = stretch > present
            (stretches[packet.stream], present) = (stretch, max(present, stretch))
            if let time = packet.dtsTicks ?? packet.ptsTicks {
                packet.shift(by: Self.span(reader.timeline.shift(of: time, in: stretch)))
            }
            if menu?.take(packet) ?? false { continue }
            guard isNew else { return .packet(packet) }
            waiting = packet
            return .discontinuity(source: packet.stream.source, seams)
        }
    }

    /// nil for what stands before the title.
    private func stretch(of packet: Packet) -> Int? {
        guard let place = demuxer.position else { return stretches[packet.stream] ?? present }
        return reader.stretch(ofByte: place)
    }

    /// The seams between all clocks of the title: its tables say them beforehand.
    private var seams: TimelineSeams {
        var seams = TimelineSeams()
        for stretch in reader.timeline.stretches {
            let offset = Self.span(stretch.begin - stretch.clock.lowerBound)
            seams.append(offset, from: MediaTime(ticks: stretch.begin, in: Self.base))
        }
        return seams
    }

    func seek(to plan: SeekPlan, video: StreamID?) throws(MediaError) -> Bool {
        waiting = nil
        let point = max(reader.timeline.start, Self.base.ticks(at: plan.demuxTarget))
        if isAtStart, point <= reader.timeline.start { return false }
        let offset: Int64
        do throws(IOReaderError) {
            offset = try reader.offset(before: point)
        } catch {
            if error == .cancelled { throw MediaError(.interrupted, "seek", subject: name) }
            throw MediaError(.seekFailed, "seek", subject: name, reason: DiscError.bytes(error).reason)
        }
        isAtStart = false
        try demuxer.seek(toByte: offset)
        (stretches, present) = ([:], reader.stretch(ofByte: offset) ?? 0)
        return true
    }

    private func end(after error: MediaError) -> MediaError {
        if error.code == .interrupted { return error }
        if error.code == .endOfMedia, !reader.isEncrypted {
            let isMenu = reader.passage?.space.isMenu ?? false
            guard reader.isCut, !isMenu else { return error }
            return MediaError(
                .readFailed, "play all of", subject: name, reason: "the file is incomplete: it breaks off before its end")
        }
        let trouble = error.reason.isEmpty ? "read error" : error.reason
        let reason = reader.isEncrypted ? DiscFault.encrypted.reason : "the disc cannot be read further: \(trouble)"
        return MediaError(.readFailed, "play all of", subject: name, cause: error.cause, reason: reason)
    }

    private static func span(_ ticks: Int64) -> TimeSpan { TimeSpan(nanoseconds: base.nanoseconds(ticks: ticks)) }
}
