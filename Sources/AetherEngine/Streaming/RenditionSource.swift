import AetherCore
import AetherFormats
import AetherMedia

/// One track of a source in segments: runs of its renditions, one behind the other, each with a demuxer of its own. Its axis is that of the
/// manifest.
final class RenditionSource: PacketSource {
    private(set) var description: SourceDescription
    let catalog: StreamCatalog
    private let options: OpenOptions, index: Int
    private let interrupt: Interrupt
    /// Its clock is the presentation's: the others take their places from it.
    private let isLead: Bool
    private(set) var rendition: Rendition.ID
    /// Chooses among the variants; nil: the person does.
    private var adapter: StreamAdapter?
    private var present: OpenRun?
    private var next: SegmentPlace
    /// Waits for the lead: the continuity of which the place is unknown.
    private var unknown: Int64?
    private var formats: RunFormats
    private var selected: Set<StreamID>?
    private var watch: DescriptionWatch
    /// The source was not sent elsewhere.
    private var isFresh = true
    private var passed: (bytes: Int64, damage: Int) = (0, 0), steering = SteeringWatch()
    private var losses = SegmentLosses(), resets: ResetWatch
    /// Where the run has ended that was read whole, and behind which reading goes on; nil where it goes on elsewhere.
    private var end: RunEnd?
    /// Read instead of the rendition whose list stands still; nil where that one is read.
    private var standIn: Rendition.ID?
    /// The list that was looked at last: how often its server had begun to count anew, and where it ended.
    private var listed: (rendition: Rendition.ID, era: Int64, end: Ticks)?
    /// The revision of the catalog, and the numbers of the list, that were followed last.
    private var followed: (revision: Int, numbers: Range<Int64>) = (-1, 0..<0)
    private static let log = Log.module("demux"), endOfMedia = MediaError(.endOfMedia, "read packet")

    /// A source of which nothing is asked before it is read: its track is as the manifest says. `index` numbers it among the sources that are
    /// read together; the one with number 0 leads.
    init(
        _ rendition: Rendition.ID, of group: Group?, index: Int, _ catalog: StreamCatalog, options: OpenOptions,
        interrupt: Interrupt
    ) {
        (self.catalog, self.options, self.index, self.interrupt) = (catalog, options, index, interrupt)
        (self.rendition, isLead, formats) = (rendition, index == 0, RunFormats(source: index, group: group))
        (next, resets) = (.time(.zero), ResetWatch(isLead: index == 0))
        description = SourceDescription(
            formats.stated(catalog.presentation.rendition(rendition)?.codecs.first), traits: catalog.fetch.traits)
        watch = DescriptionWatch(description)
    }

    /// Opens the first run of the source that leads, so that its tracks are known. `isMuted`: audio beside its video is none of them, because another
    /// source has it. Blocks. Throws as `Demuxer`.
    func open(
        as variant: Variant.ID, captions: [TrackInfo] = [], adapter: StreamAdapter? = nil, isMuted: Bool = false
    ) throws(MediaError) {
        let (_, start) = try catalog.begin(rendition), variants = catalog.variants
        adapter?.begin(variants, active: variant)
        self.adapter = adapter
        next = .time(Ticks(start))
        while present == nil { _ = try enterNext() }
        if isMuted, !description.info.decodable(.video).isEmpty { description.info.streams.removeAll { $0.kind == .audio } }
        if let length = present?.lengthOfWholeFile { catalog.presentation.setLength(ofWholeFiles: length) }
        let window = catalog.window(of: rendition)
        let length = window.liveEdge == nil ? window.seekable.map { $0.upperBound - $0.lowerBound } : nil
        description.info = description.info.placed(
            from: window.start, duration: length, format: catalog.format, title: catalog.presentation.title)
        (description.start, description.captions) = (start, captions)
        take(window)
        description.variants = SourceVariants(list: variants, active: variant, isAdaptive: adapter?.isChoosing ?? false)
        watch = DescriptionWatch(description)
    }

    /// A report on the run that is open, else on the next one, which is opened. Blocks. Throws as reading does.
    func report() throws(MediaError) -> (ProbeReport, [StreamInfo])? {
        while present == nil { _ = try enterNext() }
        return try present?.report()
    }

    var window: SourceWindow { description.window }
    private func take(_ window: SourceWindow) {
        description.window = window
        adapter?.note(edge: window.liveEdge)
    }

    func keep(for span: TimeSpan) { catalog.kept?.keep(for: span) }

    var bytesFetched: Int64 { passed.bytes + (present?.demuxer.bytesFetched ?? 0) }
    var damageCount: Int { passed.damage + (present?.damageCount ?? 0) }
    var isHeldUp: Bool { unknown.map { !catalog.timeline.knows($0) } ?? false }

    func select(_ streams: Set<StreamID>) {
        selected = streams
        present?.select(streams)
    }

    func choose(_ variant: MediaVariant.ID?, behind point: MediaTime, _ turn: VariantTurn) throws(MediaError) -> MediaTime? {
        adapter?.pin(variant)
        description.variants?.isAdaptive = variant == nil
        description.revision += 1
        return try variant.flatMap { id throws(MediaError) in try change(to: id, behind: point, turn) }
    }

    /// The border from which on the variant's packets come once more; nil where they follow on what was read.
    private func change(to variant: MediaVariant.ID, behind point: MediaTime, _ turn: VariantTurn = .atBorder) throws(MediaError)
        -> MediaTime?
    {
        let former = rendition, segments = try catalog.segments(of: former)
        try enter(variant)
        guard rendition != former else { return nil }
        // Kept segments are played as they are: the other quality begins where the server's list does.
        if catalog.kept(by: index)?.run(from: .time(Ticks(point)), before: segments, in: former) != nil { return nil }
        guard let segment = segments.number(at: Ticks(point)).flatMap({ segments.segment($0) }) else { return nil }
        let border = turn == .atOnce ? segment.start : segment.end
        if turn == .atBorder, present?.holds(before: border) ?? false {
            present?.reader.endAfterSegment()
            return nil
        }
        close()
        next = .border(border)
        return border.time
    }

    private func enter(_ id: Variant.ID) throws(MediaError) {
        guard let variant = catalog.presentation.variants.first(where: { $0.id == id }) else { return }
        if variant.rendition != rendition {
            catalog.retryIndexes(of: variant.rendition)
            standIn = nil
        }
        _ = try catalog.segments(of: variant.rendition)
        rendition = variant.rendition
        description.variants?.active = variant.id
        description.revision += 1
    }

    /// Carries out a choice of the adapter. Returns where packets come once more from; nil where they follow on what was read, or on what the
    /// demuxer holds yet.
    private func take(_ decision: Adaptation.Decision) throws(MediaError) -> MediaTime? {
        let former = description.variants?.active
        do throws(MediaError) {
            switch decision.entry {
            case .none: return nil
            case .replacing(let ahead):
                let point = (adapter?.next ?? description.window.seekable?.lowerBound ?? .zero) + ahead
                return try change(to: decision.variant, behind: point)
            case .behind, .abandoning: try enter(decision.variant)
            }
        } catch {
            if error.code == .interrupted { throw error }
            Self.log.warning("\(error)")
            if let former { adapter?.goBack(to: former) }
        }
        return nil
    }

    // MARK: - Reading

    func read(run: Epoch) throws(MediaError) -> SourceEvent {
        isFresh = false
        while true {
            try look()
            if isLead { description.mark(catalog.marksByNow()) }
            if let event = watch.event(description) { return event }
            if resets.take() { return .reset }
            if let decision = adapter?.takeDecision(), let border = try take(decision) { return .again(from: border) }
            if present == nil {
                if let event = try enterNext() { return event }
                continue
            }
            try steering.follow(present?.reader, catalog, isLead: isLead)
            do throws(MediaError) {
                let packet = try present?.read(epoch: run)
                losses.end()
                catalog.isLastResort = false
                if !catalog.refreshed.isEmpty { catalog.refreshed.remove(rendition) }
                guard let packet else { continue }
                return .packet(packet)
            } catch {
                if error.code == .interrupted { throw error }
                guard let start = present?.startOfGivenUp else {
                    try leave(after: error)
                    continue
                }
                if let decision = adapter?.takeDecision() { _ = try take(decision) }
                close()
                next = .border(start)
                return .again(from: start.time)
            }
        }
    }

    /// Closes the run that has ended, and says where reading goes on.
    private func leave(after error: MediaError) throws(MediaError) {
        guard let reader = present?.reader else { return }
        let run = reader.run, last = reader.number, missing = present?.clear.missing
        let end = reader.failure == nil && error.code == .endOfMedia ? present?.end : nil
        close()
        self.end = end
        if let odd = reader.odd {
            if reader.isRestart { return goOn(behind: odd - 1, of: run, from: run.start(of: odd)) }
            return try goOn(with: odd, of: run)
        }
        if reader.failure == nil, error.code == .endOfMedia { formats.successor = last + 1 }
        if let missing { throw catalog.locked(missing) }
        if let failure = reader.failure {
            let reason = reader.reason(of: error, in: catalog.name, isFirst: formats.isEmpty)
            return try pass(failure.number, of: run, error: reason)
        }
        if error.code != .endOfMedia {
            Self.log.warning("segment \(last): \(error)")
            passed.damage += 1
        }
        goOn(behind: last, of: run, from: reader.end(of: last))
    }

    /// Another rendition has other numbers: there the time behind the segment is where it goes on.
    private func goOn(behind number: Int64, of run: SegmentRun, from end: Ticks) {
        next = run.rendition == rendition && !run.isSingle && !run.isKept ? .number(number + 1) : .border(end)
    }

    /// A segment is of another container than those before it, or than its init section.
    private func goOn(with odd: Int64, of run: SegmentRun) throws(MediaError) {
        guard run.isSingle || run.rendition == rendition, let bare = run.bare(from: odd) else {
            return goOn(behind: odd - 1, of: run, from: run.start(of: odd))
        }
        do throws(MediaError) {
            try enter(bare)
        } catch {
            if error.code == .interrupted || error.code == .unsupported { throw error }
            try pass(odd, of: bare, error: error)
        }
    }

    private func close() {
        adopt()
        passed = (bytesFetched, damageCount)
        present?.reader.close()
        present = nil
        (formats.successor, end) = (nil, nil)
    }

    /// A segment cannot be had: it is looked for at its rendition's other addresses and at other renditions, and else passed by.
    private func pass(_ number: Int64, of run: SegmentRun, error: MediaError) throws(MediaError) {
        Self.log.warning("segment \(number): \(error)")
        (next, end) = (.number(number), nil)
        if run.isKept {
            if let segment = run.segment(number) { catalog.kept(by: index)?.drop(segment, of: run.rendition) }
            return next = .border(run.end(of: number))
        }
        if catalog.isDue(rendition) { try letIn { () throws(MediaError) in try catalog.catchUp(rendition) } }
        if next != .number(number) { return }
        let lost = LostSegment(number: number, run: run, error: error)
        if let place = try lost.placeInOwnList(of: rendition, in: catalog) { return next = place }
        if try lost.isReplaced(for: rendition, in: catalog, { other throws(MediaError) in try enter(other) }) { return }
        if interrupt.isRaised { throw MediaError(.interrupted, "read", subject: catalog.name) }
        if let place = try lost.placeOfLastTry(for: rendition, in: catalog) { return next = place }
        losses.add(error)
        passed.damage += 1
        if lost.start < lost.end { catalog.pass(lost.start..<lost.end) }
        // A broadcast whose server is away is waited for.
        if losses.areTooMany, !catalog.isGrowing(rendition) { throw error }
        goOn(behind: number, of: run, from: lost.end)
    }

    /// Lets in what a broadcast has got meanwhile: where playing is far behind, or stands, its list is not read to the end.
    func look() throws(MediaError) {
        adopt()
        let isKept = catalog.kept != nil && selected.map { !$0.isEmpty } ?? isLead
        guard isLead || isKept else { return }
        if catalog.isDue(rendition) { try letIn { () throws(MediaError) in try catalog.catchUp(rendition) } }
        if isKept { try follow() }
    }

    /// Keeps what is about to leave the server's list before it was read.
    private func follow() throws(MediaError) {
        // Asked for each packet: lists change once in a segment.
        guard catalog.revision != followed.revision else { return }
        let segments = try segments()
        let isSame = segments.numbers == followed.numbers
        followed = (catalog.revision, segments.numbers)
        if isSame { return }
        let run = present?.reader.run
        let reading = run?.rendition == rendition && run?.isKept == false ? present?.reader.number : nil
        let number = reading ?? next.number(in: segments) ?? segments.numbers.lowerBound
        catalog.kept?.follow(segments, of: rendition, source: index, reading: number, by: catalog.fetch)
    }

    /// Takes what was learnt of the playlist while a segment was read in parts.
    private func adopt() {
        guard let run = present?.reader.run, let playlist = present?.reader.growth?.takeNews() else { return }
        catalog.take(playlist, for: run.rendition)
        if isLead, run.rendition == rendition { take(catalog.window(of: rendition)) }
    }

    /// The segments of the rendition. Where a server has begun to count anew, or another one counts otherwise, reading goes on behind the former ones.
    private func segments() throws(MediaError) -> any SegmentIndex {
        let former = listed, segments = try catalog.segments(of: rendition), era = catalog.era(of: rendition)
        listed = (rendition, era, segments.end)
        if let former, former.rendition == rendition, former.era != era {
            // What stood in may have come further.
            if standIn != nil, case .border(let time) = next, time > former.end {} else { next = .border(former.end) }
            resets.beginAnew()
        }
        return segments
    }

    private func letIn(_ update: () throws(MediaError) -> Void) throws(MediaError) {
        _ = try segments()
        try update()
        _ = try segments()
        if isLead { take(catalog.window(of: standIn ?? rendition)) }
    }

    /// Opens the run that is next. Returns an event where it cannot be read at once.
    private func enterNext() throws(MediaError) -> SourceEvent? {
        try look()
        let segments = try segments()
        if let run = catalog.kept(by: index)?.run(from: next, before: segments, in: rendition) {
            try begin(run)
            return nil
        }
        let number = next.number(in: segments)
        if case .number(let wanted) = next, isLead, wanted < segments.numbers.lowerBound, !segments.numbers.isEmpty {
            next = .number(segments.numbers.lowerBound)
            return .expired(to: segments.start.time)
        }
        if try enterInstead(of: number.flatMap { segments.segment($0) }) { return nil }
        guard let run = SegmentRun(rendition, segments, from: number ?? segments.numbers.lowerBound) else {
            // Where nothing could be had at all, the end is no end.
            if !catalog.isGrowing(rendition) { throw formats.isEmpty ? losses.reason ?? Self.endOfMedia : Self.endOfMedia }
            if isLead, try enterStandIn(behind: segments.end) { return nil }
            // The broadcast is over, by the list that goes on.
            if let standIn, !catalog.isGrowing(standIn) { throw Self.endOfMedia }
            try letIn { () throws(MediaError) in try catalog.renew(standIn ?? rendition) }
            return nil
        }
        standIn = nil
        let continuity = run.first.continuity
        if !isLead, run.first.mediaOffset == nil, !catalog.timeline.knows(continuity), unknown != continuity {
            unknown = continuity
            return .reached(run.first.start.time)
        }
        try begin(run)
        return nil
    }

    /// Enters a run; where its first segment cannot be had, that one is passed.
    private func begin(_ run: SegmentRun) throws(MediaError) {
        do throws(MediaError) {
            try enter(run)
        } catch {
            if error.code == .interrupted || error.code == .unsupported { throw error }
            try pass(run.first.number, of: run, error: error)
        }
    }

    /// Reads the segment of another rendition where one is not there (EXT-X-GAP). False where it is, or where no rendition has it. Blocks.
    private func enterInstead(of segment: Segment?) throws(MediaError) -> Bool {
        guard isLead, let segment, segment.isGap else { return false }
        let search = StreamCatalog.Search(for: catalog.presentation.rendition(rendition))
        return try catalog.replacement(from: segment.start, to: segment.end, of: rendition, search) { run throws(MediaError) in
            try enter(run)
        } != nil
    }

    /// Reads on in another rendition where the list of this one stands still. False where it does not, or nothing else goes on. Blocks.
    private func enterStandIn(behind listed: Ticks) throws(MediaError) -> Bool {
        var point = listed
        if case .border(let time) = next { point = max(point, time) }
        // A list that goes on where it stood is behind what stood in for it.
        let isBehind = standIn != nil && point > listed
        guard let run = try catalog.standIn(for: rendition, from: point, isBehind: isBehind) else { return false }
        next = .border(point)
        do throws(MediaError) {
            try enter(run)
        } catch {
            if error.code == .interrupted || error.code == .unsupported { throw error }
            Self.log.warning("\(error)")
            catalog.failover.ban(run.rendition, now: catalog.time.now())
            return false
        }
        standIn = run.rendition
        return true
    }

    /// Reads a run from its start from now on. Blocks.
    private func enter(_ run: SegmentRun) throws(MediaError) {
        var open = try OpenRun.opened(
            run, catalog, adapter: adapter, options: options, source: index, interrupt: interrupt,
            isLead: isLead || unknown == run.first.continuity, formats: formats, after: end)
        (unknown, end) = (nil, nil)
        // Periods of DASH are no discontinuities.
        if run.first.mediaOffset == nil { resets.enter(run.first.continuity, isGrowing: catalog.isGrowing(rendition)) }
        if case .time(let target) = next, target > run.first.start { _ = try open.seek(to: target.time) }
        let goesOn = formats.successor == run.first.number
        open.demuxer.numbering = formats.describe(open.info, run, in: &description, traits: catalog.fetch.traits)
        if goesOn { open.goOn() }
        present = consume open
        if let selected { select(selected) }
    }

    // MARK: - Seeking

    func seek(to plan: SeekPlan, video: StreamID?) throws(MediaError) -> Bool {
        let target = Ticks(plan.demuxTarget), first = present?.reader.run.first
        if isFresh, let first, first.start <= target, target < first.end, !first.isWholeFile || target == first.start {
            return false
        }
        isFresh = false
        losses.end()
        catalog.retryIndexes(of: rendition)
        // Nothing is asked of a track that nobody listens to.
        let segments = isLead || first?.isWholeFile == true ? try catalog.segments(of: rendition) : nil
        let number = segments?.number(at: target), segment = number.flatMap { segments?.segment($0) }
        if let segment, segment.isWholeFile, first?.start == segment.start, try present?.seek(to: target.time) ?? false {
            return true
        }
        close()
        (unknown, next, standIn) = (nil, .time(target), nil)
        resets.move()
        formats.move()
        guard isLead, let segments else { return true }
        let kept = catalog.kept(by: index)?.run(from: .time(target), before: segments, in: rendition)?.first
        if let place = SegmentPlace(of: plan, in: segments, kept: kept) { next = place }
        return true
    }
}
