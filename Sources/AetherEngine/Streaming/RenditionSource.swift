import AetherCore
import AetherFormats
import AetherMedia

/// One track of a source in segments: runs of its renditions, one behind the other, each with a demuxer of its own. Its axis is that of the
/// manifest.
final class RenditionSource: PacketSource {
    private struct Open: ~Copyable {
        var demuxer: Demuxer
        let reader: SegmentReader
        /// The same without encryption.
        let clear: DecryptingReader
        let shift: TimeSpan
    }
    /// Where it goes on.
    private enum Next {
        /// At the segment that covers a time.
        case time(Ticks)
        /// At the segment that begins there, by lists that are rounded differently.
        case border(Ticks)
        case number(Int64)
    }
    private(set) var description: SourceDescription
    private let catalog: StreamCatalog
    private let options: OpenOptions
    private let index: Int
    private let interrupt: Interrupt
    /// Its clock is the presentation's: the others take their places from it.
    private let isLead: Bool
    /// The group whose words name its track; nil where the segments speak for themselves.
    private let group: Group?
    private var rendition: Rendition.ID
    private var present: Open?
    private var next: Next
    /// Waits for the lead: the continuity of which nobody knows the place.
    private var unknown: Int64?
    /// The formats that runs have, by what tells them apart.
    private var formats: [SegmentRun.Form: Int] = [:]
    private var selected: Set<StreamID>?
    private var told: (revision: Int, window: SourceWindow)
    /// Nobody has sent it elsewhere.
    private var isFresh = true
    /// Of the runs before.
    private var passed: (bytes: Int64, damage: Int) = (0, 0)
    private var steering = SteeringWatch()
    /// Segments in a row that could not be had.
    private var failures = 0
    /// Why the last of them could not.
    private var failure: MediaError?
    /// So many are passed by; a server that is gone fails each of them.
    private static let failureLimit = 3
    private static let log = Log.module("demux")

    /// A source of which nothing is asked before it is read: its track is as the manifest says. `index` numbers it among the sources that are
    /// read together; the one with number 0 leads.
    init(
        _ rendition: Rendition.ID, of group: Group?, index: Int, _ catalog: StreamCatalog, options: OpenOptions,
        interrupt: Interrupt
    ) {
        (self.catalog, self.options, self.index, self.interrupt) = (catalog, options, index, interrupt)
        (self.rendition, self.group, isLead) = (rendition, group, index == 0)
        next = .time(.zero)
        let stated = group.map { group in
            StreamInfo(
                stated: catalog.presentation.rendition(rendition)?.codecs.first, of: group, id: StreamID(source: index, number: 0)
            )
        }
        description = SourceDescription(SourceInfo(stated: stated.map { [$0] } ?? []), traits: catalog.fetch.traits)
        told = (description.revision, description.window)
    }

    /// Opens the first run of the source that leads, so that its tracks are known. Blocks. Throws as `Demuxer`.
    func open(as variant: Variant.ID) throws(MediaError) {
        let (window, start) = try catalog.begin(rendition)
        next = .time(Ticks(start))
        while present == nil { _ = try enterNext() }
        let length = window.liveEdge == nil ? window.seekable.map { $0.upperBound - $0.lowerBound } : nil
        description.info = description.info.placed(from: window.seekable?.lowerBound ?? .zero, duration: length)
        (description.window, description.start) = (window, start)
        description.variants = SourceVariants(list: catalog.variants, active: variant)
        told = (description.revision, window)
    }

    var window: SourceWindow { description.window }
    var bytesFetched: Int64 { passed.bytes + (present?.demuxer.bytesFetched ?? 0) }
    var damageCount: Int { passed.damage + (present?.demuxer.damageCount ?? 0) }
    var isHeldUp: Bool { unknown.map { !catalog.timeline.knows($0) } ?? false }

    func select(_ streams: Set<StreamID>) {
        selected = streams
        guard let numbering = present?.demuxer.numbering else { return }
        present?.demuxer.select(Set(streams.compactMap { numbering.index(of: $0) }))
    }

    func choose(_ variant: MediaVariant.ID, behind point: MediaTime) throws(MediaError) -> MediaTime? {
        guard let chosen = catalog.presentation.variants.first(where: { $0.id == variant }) else { return nil }
        guard chosen.rendition != rendition else {
            description.variants?.active = variant
            return nil
        }
        _ = try catalog.segments(of: chosen.rendition)
        let segments = try catalog.segments(of: rendition)
        rendition = chosen.rendition
        description.variants?.active = variant
        description.revision += 1
        guard let number = segments.number(at: Ticks(point)), let border = segments.segment(number)?.end else { return nil }
        if let reader = present?.reader, reader.run.start(of: reader.number) < border {
            // No more than this segment was read.
            reader.endAfterSegment()
            return nil
        }
        close()
        next = .border(border)
        return border.time
    }

    // MARK: - Reading

    func read(run: Epoch) throws(MediaError) -> SourceEvent {
        isFresh = false
        while true {
            if isLead { description.mark(catalog.marksByNow()) }
            if description.revision != told.revision {
                told.revision = description.revision
                return .described(description)
            }
            if description.window != told.window {
                told.window = description.window
                return .window(description.window)
            }
            if present == nil {
                if let event = try enterNext() { return event }
                continue
            }
            try steering.follow(present?.reader, catalog, isLead: isLead)
            do throws(MediaError) {
                guard let packet = try present?.demuxer.read(epoch: run) else { continue }
                failures = 0
                packet.shift(by: present?.shift ?? .zero)
                // The next period begins there, with frames of its own.
                if let end = present?.reader.run.first.bounds?.end, let time = packet.pts, time >= end.time { continue }
                return .packet(packet)
            } catch {
                if error.code == .interrupted { throw error }
                try leave(after: error)
            }
        }
    }

    /// Closes the run that has ended, and says where reading goes on.
    private func leave(after error: MediaError) throws(MediaError) {
        guard let reader = present?.reader else { return }
        let run = reader.run, last = reader.number, missing = present?.clear.missing
        close()
        if let missing { throw catalog.locked(missing) }
        if let failure = reader.failure {
            return try pass(failure.number, of: run, error: reason(of: error, reader))
        }
        if error.code != .endOfMedia {
            Self.log.warning("segment \(last): \(error)")
            passed.damage += 1
        }
        goOn(behind: last, of: run)
    }

    /// Another rendition has other numbers: there the time behind the segment is where it goes on.
    private func goOn(behind number: Int64, of run: SegmentRun) {
        let isOwn = run.rendition == rendition && !run.isSingle
        next = isOwn ? .number(number + 1) : .border(run.end(of: number))
    }

    private func close() {
        passed = (bytesFetched, damageCount)
        present?.reader.close()
        present = nil
    }

    /// A segment cannot be had: it is looked for at its rendition's other addresses and at other renditions, and else passed by.
    private func pass(_ number: Int64, of run: SegmentRun, error: MediaError) throws(MediaError) {
        Self.log.warning("segment \(number): \(error)")
        let (start, end) = (run.start(of: number), run.end(of: number))
        var search = StreamCatalog.Search(catalog.presentation.rendition(run.rendition).map { catalog.place(of: $0) } ?? 0)
        while !run.isSingle, let other = catalog.substitute(from: start, to: end, of: rendition, &search) {
            do throws(MediaError) {
                try enter(other)
                if other.rendition == run.rendition { catalog.avoid(rendition) }
                return
            } catch {
                if error.code == .interrupted { throw error }
            }
        }
        if interrupt.isRaised { throw MediaError(.interrupted, "read", subject: catalog.name) }
        (failures, failure) = (failures + 1, error)
        passed.damage += 1
        if start < end { catalog.pass(start..<end) }
        if failures > Self.failureLimit { throw error }
        goOn(behind: number, of: run)
    }

    /// Opens the run that is next. Returns an event where it cannot be read at once.
    private func enterNext() throws(MediaError) -> SourceEvent? {
        let segments = try catalog.segments(of: rendition)
        let number: Int64?
        switch next {
        case .number(let exact): number = exact
        case .border(let time): number = segments.number(beginningAt: time)
        case .time(let time): number = time < segments.end ? segments.number(at: time) : segments.numbers.upperBound
        }
        guard let run = SegmentRun(rendition, segments, from: number ?? segments.numbers.lowerBound) else {
            guard catalog.isGrowing(rendition) else {
                // Where nothing could be had at all, the end is no end.
                throw formats.isEmpty ? failure ?? MediaError(.endOfMedia, "read packet") : MediaError(.endOfMedia, "read packet")
            }
            try catalog.renew(rendition)
            if isLead { description.window = catalog.window(of: rendition) }
            return nil
        }
        let continuity = run.first.continuity
        if !isLead, run.first.mediaOffset == nil, !catalog.timeline.knows(continuity), unknown != continuity {
            unknown = continuity
            return .reached(run.first.start.time)
        }
        do throws(MediaError) {
            try enter(run)
        } catch {
            if error.code == .interrupted || error.code == .unsupported { throw error }
            try pass(run.first.number, of: run, error: error)
        }
        return nil
    }

    /// Reads a run from its start from now on. Blocks.
    private func enter(_ run: SegmentRun) throws(MediaError) {
        let reader = SegmentReader(run, fetch: catalog.fetch), media = try catalog.clear(reader, run, options)
        var demuxer: Demuxer
        do throws(MediaError) {
            demuxer = try Demuxer(
                .reader(media.reader, name: catalog.name), options: media.options, source: index, interrupt: interrupt)
        } catch {
            throw media.reader.missing.map { catalog.locked($0) } ?? reason(of: error, reader)
        }
        let shift = catalog.shift(of: demuxer.info, run, head: reader.head, isLead: isLead || unknown == run.first.continuity)
        unknown = nil
        demuxer.numbering = describe(demuxer.info.shifted(by: shift), run.form)
        present = Open(demuxer: demuxer, reader: reader, clear: media.reader, shift: shift)
        if let selected { select(selected) }
    }

    /// Adds the streams of a run to the description, and says how they are called.
    private func describe(_ info: SourceInfo, _ form: SegmentRun.Form) -> StreamNumbering {
        // Number 0 is the format that the manifest states: a decoder that was opened for that is opened anew.
        let number = formats[form] ?? formats.count + (group == nil ? 0 : 1)
        let isFirst = formats.isEmpty
        formats[form] = number
        guard isFirst else { return description.adopt(info, of: index, format: number) }
        if let group, let stated = description.info.streams.first {
            // The one track that the manifest has named, as it really is.
            guard let real = info.streams.first(where: { $0.kind == stated.kind }) else { return StreamNumbering(source: index) }
            let named = real.renamed(group.label.isEmpty ? nil : group.label, language: group.language ?? real.track?.language)
                .named(stated.id)
            description.info.streams = [named]
            description.formats[stated.id] = [stated, named]
            description.revision += 1
            var numbering = StreamNumbering(source: index)
            numbering.formats[real.index] = number
            for stream in info.streams { numbering.numbers[stream.index] = stream.index == real.index ? 0 : stream.index + 1024 }
            return numbering
        }
        description = SourceDescription(info, traits: catalog.fetch.traits)
        return StreamNumbering(source: index)
    }

    /// The reader's own reason for what the demuxer could not read.
    private func reason(of error: MediaError, _ reader: SegmentReader) -> MediaError {
        guard error.code != .interrupted, let failure = reader.failure else { return error }
        // Nothing was played yet.
        if formats.isEmpty { return MediaError(.cannotOpen, "play", subject: catalog.name, reason: failure.words) }
        return MediaError(
            .readFailed, "play all of", subject: catalog.name, reason: "the source broke off: \(failure.words)")
    }

    // MARK: - Seeking

    func seek(to plan: SeekPlan, video: StreamID?) throws(MediaError) -> Bool {
        let target = Ticks(plan.demuxTarget)
        if isFresh, let first = present?.reader.run.first, first.start <= target, target < first.end { return false }
        isFresh = false
        close()
        (unknown, failures, next) = (nil, 0, .time(target))
        guard isLead else { return true }
        // Segments begin with key frames as a rule; where one does not, a further attempt begins a segment before it.
        let segments = try catalog.segments(of: rendition)
        guard let number = segments.number(at: target), let segment = segments.segment(number) else { return true }
        let snapped = plan.snapped(keyBefore: segment.start.time, keyAfter: segments.segment(number + 1)?.start.time)
        next = .number(snapped == plan ? number : number + 1)
        return true
    }
}
