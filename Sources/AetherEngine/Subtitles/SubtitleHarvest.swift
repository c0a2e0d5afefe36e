import AetherCore
import AetherFormats
import AetherMedia

/// The subtitle decoders of the demux thread, one a track. Text tracks are decoded always: they are small, and so a switch shows
/// the cue at once. Tracks of bitmaps are decoded while they are selected; of the others the last packets are kept, so that a switch
/// shows the present one.
struct SubtitleHarvest: ~Copyable {
    private final class Slot {
        let track: TrackID
        let stream: StreamInfo
        /// Packets are kept until the track is chosen.
        let waits: Bool
        var decoder: SubtitlePackets?
        var tail = PacketTail()
        init(track: TrackID, stream: StreamInfo, waits: Bool) {
            self.track = track
            self.stream = stream
            self.waits = waits
        }
    }
    /// More tracks than this are not harvested: 64 languages are enough for any disc.
    private static let trackLimit = 64
    private var slots: [StreamID: Slot] = [:]
    private let room = SubtitleRoom()
    private let cues: CueStore
    /// The page of teletext that is shown; nil for the subtitles'.
    private(set) var teletextPage: Int?
    /// Whether each is marked as subtitles, by their numbers.
    private var pages: [Int: Bool] = [:]
    private var hasNewPages = false
    private let reader: CueReader
    private var selected: Set<StreamID> = []
    /// The point up to which the container was read.
    private var position: MediaTime?
    private static let log = Log.module("subtitles")

    init(info: SourceInfo, cues: CueStore, teletextPage: Int? = nil, reader: CueReader = .playing) {
        self.cues = cues
        self.reader = reader
        self.teletextPage = teletextPage
        for stream in info.streams.filter({ $0.kind == .subtitle }).prefix(Self.trackLimit) {
            guard let track = stream.track, stream.isDecodable else { continue }
            slots[stream.id] = Slot(track: track.id, stream: stream, waits: track.isBitmapSubtitle)
        }
    }

    /// Takes a packet if it belongs to a subtitle track; returns whether it did.
    mutating func take(_ packet: Packet) -> Bool {
        guard let slot = slots[packet.stream] else {
            if let time = packet.dts ?? packet.pts {
                position = time
                if reader == .playing { cues.advance(to: time) }
            }
            return false
        }
        if slot.stream.codecName == "dvb_teletext" { note(TeletextPage.headers(in: packet.bytes(limit: 16 << 10))) }
        if slot.waits, !selected.contains(packet.stream) {
            slot.tail.append(packet)
        } else {
            decode(packet, slot)
        }
        return true
    }

    /// Selects the tracks of bitmaps from now on. Their kept packets are decoded now.
    mutating func select(_ streams: Set<StreamID>) {
        guard streams != selected else { return }
        let added = streams.subtracting(selected), removed = selected.subtracting(streams)
        selected = streams
        for index in added {
            guard let slot = slots[index], slot.waits else { continue }
            for packet in slot.tail.take() { decode(packet, slot) }
        }
        // A decoder that misses packets is no use later.
        for index in removed where slots[index]?.waits == true { slots[index]?.decoder = nil }
    }

    private mutating func note(_ found: [TeletextPage]) {
        for page in found where pages[page.number] == nil || page.isSubtitle && pages[page.number] == false {
            pages[page.number] = page.isSubtitle
            hasNewPages = true
        }
    }

    /// All pages of teletext that were met, where there are more than when this was asked before; else nil.
    mutating func newPages() -> [TeletextPage]? {
        defer { hasNewPages = false }
        return hasNewPages ? pages.map { TeletextPage($0.key, isSubtitle: $0.value) }.sorted() : nil
    }

    /// Shows another page of teletext from now on. Those of the one before are no cues of it.
    mutating func turn(to page: Int?) {
        guard page != teletextPage else { return }
        teletextPage = page
        for slot in slots.values where slot.stream.codecName == "dvb_teletext" {
            slot.decoder = nil
            cues.remove(track: slot.track)
        }
    }

    /// The container is read from elsewhere from now on.
    mutating func reposition() {
        cues.interrupt(at: position)
        position = nil
        for slot in slots.values {
            _ = slot.tail.take()
            slot.decoder?.flush()
        }
    }

    private func decode(_ packet: Packet, _ slot: Slot) {
        do throws(MediaError) {
            if slot.decoder == nil {
                slot.decoder = try SubtitlePackets(slot.stream, teletextPage: teletextPage, room: room)
            }
            guard let found = try slot.decoder?.decode(packet) else { return }
            if !found.replaced.isEmpty { cues.remove(track: slot.track, startingAt: found.replaced) }
            for subtitle in found.subtitles { cues.add(subtitle, track: slot.track, from: reader) }
        } catch {
            Self.log.warning("track \(slot.track.number): \(error)")
        }
    }
}

/// The last packets of a track that is not decoded: a minute of them, 4 MB at most.
struct PacketTail {
    private static let span = TimeSpan.seconds(60)
    private static let byteLimit = 4 << 20
    private var packets: [Packet] = []
    private var byteCount = 0

    /// Keeps a packet and lets old ones go.
    mutating func append(_ packet: Packet) {
        packets.append(packet)
        byteCount += packet.byteCount
        var surplus = 0
        while surplus < packets.count - 1, byteCount > Self.byteLimit || isOld(packets[surplus], before: packet) {
            byteCount -= packets[surplus].byteCount
            surplus += 1
        }
        packets.removeFirst(surplus)
    }

    private func isOld(_ packet: Packet, before newest: Packet) -> Bool {
        guard let time = packet.pts ?? packet.dts, let end = newest.pts ?? newest.dts else { return packets.count > 256 }
        return end - time > Self.span
    }

    /// Hands over what was kept.
    mutating func take() -> [Packet] {
        defer { self = PacketTail() }
        return packets
    }
}
