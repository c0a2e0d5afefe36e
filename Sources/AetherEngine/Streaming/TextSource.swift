import AetherCore
import AetherFormats
import AetherMedia
import AetherSources

/// A rendition of subtitles: each segment is a document, WebVTT or TTML, or fragments of MP4 with such.
final class TextSource: PacketSource {
    let description: SourceDescription
    private let catalog: StreamCatalog
    private let rendition: Rendition.ID
    private let stream: StreamID
    private let interrupt: Interrupt
    private let index: Int
    private let room = SubtitleRoom()
    private var followed: Range<Int64> = 0..<0
    private var place: Place = .time(.zero)
    /// How often the server of the list had begun to count anew.
    private var era: Int64?
    /// The revision of the catalog of which all was read.
    private var readRevision: Int?
    private var isAtEnd: Bool { readRevision == catalog.revision }
    private(set) var bytesFetched: Int64 = 0
    private(set) var damageCount = 0
    private static let log = Log.module("subtitles")
    /// The subtitles of a feature of two hours are 100 KB.
    private static let limit = 4 << 20

    private enum Place {
        case time(Ticks)
        case number(Int64)

        var segment: SegmentPlace {
            switch self {
            case .time(let time): .time(time)
            case .number(let number): .number(number)
            }
        }
    }

    /// Nothing is asked before it is read. `index` numbers it among the sources that are read together.
    init(_ rendition: Rendition.ID, of group: Group, index: Int, _ catalog: StreamCatalog, interrupt: Interrupt) {
        (self.catalog, self.rendition, self.interrupt, self.index) = (catalog, rendition, interrupt, index)
        stream = StreamID(source: index, number: 0)
        let codec = catalog.presentation.rendition(rendition)?.codecs.first
        description = SourceDescription(
            SourceInfo(stated: [StreamInfo(stated: codec, of: group, id: stream)]), traits: catalog.fetch.traits)
    }

    var window: SourceWindow { SourceWindow() }

    func select(_ streams: Set<StreamID>) {}

    func seek(to plan: SeekPlan, video: StreamID?) throws(MediaError) -> Bool {
        (place, readRevision) = (.time(Ticks(plan.demuxTarget)), nil)
        return true
    }

    /// Documents of half a minute are listed when they are over: video in segments of seconds is not held up for that.
    var awaitsMore: Bool { isAtEnd && !catalog.isDue(rendition) }

    /// Keeps what is about to leave the server's list before it was read.
    func look() throws(MediaError) {
        guard let past = catalog.kept else { return }
        if catalog.isDue(rendition) { try catalog.catchUp(rendition) }
        let segments = try catalog.segments(of: rendition)
        guard segments.numbers != followed else { return }
        followed = segments.numbers
        let next = place.segment.number(in: segments) ?? segments.numbers.lowerBound
        past.follow(segments, of: rendition, source: index, reading: next, by: catalog.fetch)
    }

    /// The segments; those of a server that has begun to count anew are read from the first one on.
    private func segments() throws(MediaError) -> any SegmentIndex {
        let segments = try catalog.segments(of: rendition), era = catalog.era(of: rendition)
        if let former = self.era, former != era { place = .number(.min) }
        self.era = era
        return segments
    }

    /// The cues of the next segment. One that cannot be had is passed by; a playlist that cannot is the end of the track.
    func read(run: Epoch) throws(MediaError) -> SourceEvent {
        // Asked for before it is due, there is nothing else to read: then it is waited for.
        if isAtEnd { try catalog.isDue(rendition) ? catalog.catchUp(rendition) : catalog.renew(rendition) }
        let segments = try segments()
        let number: Int64 =
            switch place {
            case .number(let exact): max(exact, segments.numbers.lowerBound)
            case .time(let time): segments.number(at: time) ?? segments.numbers.lowerBound
            }
        let kept = catalog.kept(by: index)?.run(from: place.segment, before: segments, in: rendition)?.first
        guard let segment = kept ?? segments.segment(number) else {
            guard catalog.isGrowing(rendition) else { throw MediaError(.endOfMedia, "read subtitles") }
            readRevision = catalog.revision
            return .reached(segments.end.time)
        }
        readRevision = nil
        place = .number(segment.number + 1)
        if segment.isGap { return .reached(segment.end.time) }
        do throws(IOReaderError) {
            let bytes = try bytes(of: segment)
            bytesFetched += Int64(bytes.count)
            return .cues(cues(bytes, segment), track: TrackID(stream), upTo: segment.end.time)
        } catch {
            if error == .cancelled {
                place = .number(segment.number)
                throw MediaError(.interrupted, "read subtitles", subject: catalog.name)
            }
            Self.log.warning("subtitles, segment \(segment.number): \(error)")
            return .reached(segment.end.time)
        }
    }

    /// All of a segment, behind its init section.
    private func bytes(of segment: Segment) throws(IOReaderError) -> [UInt8] {
        guard let run = SegmentRun(rendition, SingleSegment(segment), from: segment.number) else { return [] }
        let reader = SegmentReader(run, fetch: catalog.fetch, kept: catalog.kept(by: index))
        interrupt.attach(reader)
        defer {
            interrupt.detach(reader)
            reader.close()
        }
        let clear = try catalog.fetch.clear(reader, run.first, keys: catalog.keys, options: OpenOptions()).reader
        let bytes = try clear.bytes(limit: Self.limit)
        if let failure = reader.failure { throw failure.error }
        return bytes
    }

    private func cues(_ bytes: [UInt8], _ segment: Segment) -> [DecodedSubtitle] {
        // A document in MP4 can be seen in the bytes; its sample says for how long it is good, and where its images are.
        if Container(head: bytes) == .isoBMFF { return demuxed(bytes, segment) }
        let text = SubtitleBytes.withoutEndlessLines(SubtitleBytes.printable(bytes))
        if let file = WebVTTFile(text) {
            let cues = SubtitleFile.Stream(file).subtitles, shift = shift(WebVTTClock(text), segment, first: cues.first?.start)
            return cues.map { $0.moved(by: shift) }
        }
        if let document = TTMLDocument(text) {
            let shift = shift(nil, segment, first: nil)
            return document.subtitles().map { $0.moved(by: shift) }
        }
        return demuxed(bytes, segment)
    }

    /// The span that brings the times of a document onto the axis, of which the first cue is at `first`. One that says nothing counts as the
    /// playlist does.
    private func shift(_ clock: WebVTTClock?, _ segment: Segment, first: MediaTime?) -> TimeSpan {
        if let offset = segment.mediaOffset { return offset.span }
        guard let clock, let first else { return .zero }
        // Of the first cue it is known where it lies: the moment that the clock names may be a day before that.
        let stamp = MediaTime(ticks: clock.ticks, in: TimeBase(1, 90_000)) + (first - clock.local)
        return place(of: stamp, in: segment, isTransportStream: true).map { $0 - first } ?? .zero
    }

    /// The place of a stamp by the clock of its segment, else by one that brings it near the segment.
    private func place(of stamp: MediaTime, in segment: Segment, isTransportStream: Bool = false) -> MediaTime? {
        let near = segment.start.time, timeline = catalog.timeline
        return timeline.time(of: stamp, continuity: segment.continuity, near: near, isTransportStream: isTransportStream)
            ?? timeline.time(of: stamp, near: near, isTransportStream: isTransportStream)
    }

    /// Fragments of MP4 whose samples are documents.
    private func demuxed(_ bytes: [UInt8], _ segment: Segment) -> [DecodedSubtitle] {
        var found: [DecodedSubtitle] = []
        do throws(MediaError) {
            var demuxer = try Demuxer(
                .reader(MemoryReader(bytes), name: catalog.name), options: OpenOptions(analysis: .full), interrupt: interrupt)
            guard let info = demuxer.info.streams.first(where: { $0.kind == .subtitle }) else { return [] }
            var packets = try SubtitlePackets(info, room: room)
            let first = demuxer.info.startTime
            let shift = segment.mediaOffset?.span ?? place(of: first, in: segment).map { $0 - first } ?? .zero
            // libavformat does not say how long samples of fragments are: each lasts until the next one, the last to the segment's end.
            var open: [DecodedSubtitle] = []
            defer { found += open.compactMap { $0.ending(by: segment.end.time) } }
            while true {
                let packet = try demuxer.read(epoch: Epoch())
                guard packet.stream == info.id else { continue }
                let start = (packet.pts ?? packet.dts).map { $0 + shift } ?? segment.end.time
                found += open.compactMap { $0.ending(by: start) }
                open = try packets.decode(packet).subtitles.map { $0.moved(by: shift) }
            }
        } catch {
            if error.code != .endOfMedia {
                damageCount += 1
                Self.log.warning("subtitles, segment \(segment.number): \(error)")
            }
        }
        return found
    }
}

/// One segment alone.
private struct SingleSegment: SegmentIndex {
    private let only: Segment

    init(_ segment: Segment) { only = segment }

    var numbers: Range<Int64> { only.number..<only.number + 1 }
    func segment(_ number: Int64) -> Segment? { number == only.number ? only : nil }
    func number(at time: Ticks) -> Int64? { only.number }
    var start: Ticks { only.start }
    var end: Ticks { only.end }
}

extension DecodedSubtitle {
    /// The part of it that ends at a time at the latest; nil where none is left.
    fileprivate func ending(by limit: MediaTime) -> DecodedSubtitle? {
        let end = min(end ?? limit, limit)
        guard body != nil, start < end else { return nil }
        return DecodedSubtitle(
            start: start, end: end, body: body, placement: placement, markup: markup, isReplacedByNext: isReplacedByNext)
    }

    fileprivate func moved(by span: TimeSpan) -> DecodedSubtitle {
        guard span != .zero else { return self }
        return DecodedSubtitle(
            start: start + span, end: end.map { $0 + span }, body: body, placement: placement, markup: markup,
            isReplacedByNext: isReplacedByNext)
    }
}
