import AetherCore
import AetherFormats
import AetherMedia
import AetherSources

/// The presentation of a source in segments, with the playlists of its renditions as far as they were asked for. Lives on the thread that
/// reads; its calls block on servers until the interrupt is raised, and then throw `.interrupted`.
final class StreamCatalog {
    var presentation: Presentation { didSet { revision &+= 1 } }
    /// Rises with each change of that, such as further segments.
    private(set) var revision = 0
    let fetch: StreamFetch
    /// Where the clocks of its continuities lie.
    var timeline = SegmentTimeline()
    /// Where the document came from, and its name, safe to display.
    let root: StreamAddress, name: String
    /// Its language: the short name, and the one for people.
    let format: (name: String, longName: String)
    let time: any TimeSource
    /// The playlists of HLS.
    private(set) var reading: PlaylistReading
    /// For encrypted media: those that a person gave, and those of licences.
    private(set) var keys: ContentKeys
    let profile: LiveJoinProfile
    var failover = SegmentFailover()
    /// Advertisements, missing parts and other events.
    var marks = StreamMarks()
    /// Who says which server is to be used; nil before anybody was asked.
    var steering: PathwaySteering?
    /// Rises where another server is to be used than before.
    var steeringRevision = 0
    private(set) var playlists: [Rendition.ID: GrowingPlaylist] = [:]
    /// Renditions whose index could not be read: each file is one segment until something else of them is asked for.
    var unindexed: Set<Rendition.ID> = []
    /// Of a dynamic manifest of DASH; nil for others.
    private(set) var broadcast: StreamBroadcast?
    private var lookedAt: HostTime?
    /// The clock and the container of the run that leads.
    private var latest: (continuity: Int64, family: Container)?
    /// The segment that should have been there, and how often it was asked for again.
    var late: (rendition: Rendition.ID, number: Int64, tries: Int)?
    /// Something of it was read: what fails from now on may be an outage.
    var hasPlayed = false
    /// All servers were tried, and are asked once more with patience.
    var isLastResort = false
    /// Keeps the past of a broadcast; nil: nothing is kept.
    private(set) var kept: KeptSegments?
    /// Makes that once a list slides; nil: nothing is to be kept.
    var keeping: (() -> KeptSegments)?
    /// The renditions whose complete lists were read once more because their addresses had expired.
    var refreshed: Set<Rendition.ID> = []
    static let log = Log.module("net")

    /// Reads a manifest. `wall` is the own clock at this moment, in nanoseconds since 1970; nil: the machine's. Throws `.notMedia` or `.unsupported` with the reason where nothing of it can be played.
    init(
        _ document: StreamDocument, fetch: StreamFetch, keys: ContentKeys = ContentKeys(),
        profile: LiveJoinProfile = .lowLatency, time: any TimeSource, wall: Int64? = nil
    ) throws(MediaError) {
        (self.fetch, self.keys, self.profile, self.time) = (fetch, keys, profile, time)
        (root, name) = (document.address, MediaLocation.parse(document.address.text).displayName)
        format = document.format
        let address = document.address.text, bytes = fetch.stages.manifest(document.bytes, from: document.address)
        if MPDDocument.begins(bytes) {
            reading = PlaylistReading(fetch: fetch, variables: [:])
            let manifest = try Self.understood(address) { () throws(StreamFault) in
                try MPDDocument(bytes, address: document.address)
            }
            var live = StreamBroadcast(manifest, now: time.now(), wall: wall), read: Presentation
            let moment = live?.moment(time.now())
            read = try Self.understood(address) { () throws(StreamFault) in try Presentation(manifest, now: moment) }
            if live != nil {
                try live?.learn(read.live?.clocks ?? [], date: document.date, fetch, time: time)
                read.advance(to: live?.moment(time.now()) ?? 0)
            }
            (presentation, broadcast) = (read, live)
            marks.take(read.events)
        } else {
            let playlist = try Self.understood(address) { () throws(StreamFault) in
                try HLSPlaylist(bytes, address: document.address)
            }
            switch playlist {
            case .variants(let list):
                presentation = Presentation(list)
                reading = PlaylistReading(fetch: fetch, variables: list.variables)
            case .segments(let list):
                presentation = Presentation(list)
                reading = PlaylistReading(fetch: fetch, variables: [:])
                try Self.understood(address) { () throws(StreamFault) in try list.checkPlayable(hasKeys: !keys.isEmpty) }
                if let id = presentation.renditions.first?.id {
                    take(GrowingPlaylist(list, asked: time.now(), now: time.now()), for: id)
                }
            }
        }
        fetch.stages.change(&presentation)
        if let system = presentation.protection {
            self.keys = try fetch.keys(of: presentation, given: keys)
            try Self.understood(address) { [keys = self.keys, presentation] () throws(StreamFault) in
                try keys.check(presentation, system)
            }
        }
        (reading.hasKeys, reading.takesParts) = (!self.keys.isEmpty, isLowLatency)
    }

    static func understood<Value>(
        _ subject: String, _ body: () throws(StreamFault) -> Value
    ) throws(MediaError) -> Value {
        do throws(StreamFault) {
            return try body()
        } catch {
            throw MediaError(error, of: subject)
        }
    }

    /// The qualities to choose among, in the manifest's order.
    var variants: [MediaVariant] { presentation.mediaVariants(hasKeys: !keys.isEmpty) }

    // MARK: - Renditions

    /// The segments of a rendition; its playlist is asked for where that has not been done, at each of its addresses until one gives it.
    func segments(of id: Rendition.ID) throws(MediaError) -> any SegmentIndex {
        try readIndexes(of: id)
        let known = presentation.rendition(id).flatMap { found in found.index.map { ($0, place(of: found), found.addresses) } }
        let former = playlists[id]
        if let (index, place, addresses) = known, former == nil || former?.origin ?? addresses[place] == addresses[place] {
            return former != nil || place == 0 ? index : OtherServer(index, address: place)
        }
        guard let rendition = presentation.rendition(id) else {
            throw MediaError(.notMedia, "play", subject: name, reason: StreamFault(.nothingToPlay).description)
        }
        var failure = MediaError(.notMedia, "play", subject: name, reason: StreamFault(.nothingToPlay).description)
        for address in ranked(rendition) {
            do throws(MediaError) {
                let asked = time.now(), list = try playlist(at: address)
                var playlist =
                    former ?? GrowingPlaylist(list, from: address, beside: neighbour(of: id), asked: asked, now: time.now())
                if former != nil { try playlist.follow(list, from: address, asked: asked, now: time.now()) }
                take(playlist, for: id)
                if let index = presentation.rendition(id)?.index { return index }
            } catch {
                if error.code == .interrupted { throw error }
                failure = error
                failover.ban(address, now: time.now())
            }
        }
        if let known { return known.0 }
        throw failure
    }

    /// The list of another rendition that was read last, of a broadcast whose window slides: it tells where on the axis a further list lies.
    private func neighbour(of id: Rendition.ID) -> HLSSegmentList.Neighbour? {
        let leads = Set(presentation.variants.map(\.rendition))
        let others = presentation.renditions.filter { $0.id != id }.compactMap { other in
            playlists[other.id].flatMap {
                !$0.list.isEnded || $0.list.hasSlid ? (isLead: leads.contains(other.id), list: $0) : nil
            }
        }
        // Texts and stills are often the ones that were read last, in segments of a minute.
        let best = others.filter(\.isLead).isEmpty ? others : others.filter(\.isLead)
        return best.max { $0.list.readAt < $1.list.readAt }?.list.neighbour(now: time.now())
    }

    /// The list of segments at an address. What other lists say about it tells how far it has to be.
    func playlist(at address: StreamAddress) throws(MediaError) -> HLSSegmentList {
        try reading.list(at: address, isLowLatency ? playlists.values.lazy.compactMap { $0.list.reload(of: address) }.first : nil)
    }

    /// Takes a playlist as it was read last.
    func take(_ playlist: GrowingPlaylist, for id: Rendition.ID) {
        playlists[id] = playlist
        presentation.attach(playlist.list, to: id, withParts: hasParts(id))
        if presentation.variants.contains(where: { $0.rendition == id }) { marks.take(playlist.list) }
    }

    // MARK: - Growing lists

    /// Keeps what is read of a list that slides, from now on.
    func beginKeeping(_ id: Rendition.ID) {
        if kept == nil, slides(id) { kept = keeping?() }
    }

    /// How often the server has begun to count the segments of a rendition anew.
    func era(of id: Rendition.ID) -> Int64 { playlists[id]?.list.era ?? 0 }

    /// Whether a rendition may get further segments.
    func isGrowing(_ id: Rendition.ID) -> Bool { broadcast != nil || playlists[id].map { !$0.list.isEnded } ?? false }

    /// Whether a broadcast may say more by now.
    func isDue(_ id: Rendition.ID) -> Bool {
        if broadcast != nil { return lookedAt.map { time.now() - $0 >= .seconds(1) } ?? true }
        return playlists[id]?.refresh.next.map { $0 <= time.now() } ?? false
    }

    /// Lets that in, without waiting for more.
    func catchUp(_ id: Rendition.ID) throws(MediaError) {
        if let live = broadcast { return try advance(live) }
        if isDue(id) { try renew(id, waits: false) }
    }

    /// Whether a segment has left the list.
    func isGone(_ number: Int64, of id: Rendition.ID) throws(MediaError) -> Bool {
        let numbers = try segments(of: id).numbers
        return isGrowing(id) && number < numbers.lowerBound
    }

    /// Waits until the list of a rendition may say more, and asks for it; `waits` false: asks for what there is by now.
    func renew(_ id: Rendition.ID, waits: Bool = true) throws(MediaError) {
        if broadcast != nil { return try renewManifest(for: id) }
        guard var playlist = playlists[id], let address = presentation.rendition(id).flatMap(address(of:)) else { return }
        do throws(MediaError) {
            try playlist.renew(at: address, by: reading, beside: neighbour(of: id), waits: waits, time: time)
        } catch {
            if error.code == .interrupted { throw error }
            Self.log.warning("\(error)")
            failover.ban(address, now: time.now())
        }
        take(playlist, for: id)
    }

    /// The growth of the last segment of a run, which lets in further parts; nil where segments are taken whole.
    func growth(of run: SegmentRun) -> SegmentGrowth? {
        guard !run.isSingle, !run.isKept, hasParts(run.rendition), let playlist = playlists[run.rendition],
            !playlist.list.isEnded,
            let address = presentation.rendition(run.rendition).flatMap(address(of:))
        else { return nil }
        return SegmentGrowth(playlist, at: address, by: reading, time: time)
    }

    /// Waits until a broadcast has a further segment or says more, and lets it in.
    private func renewManifest(for id: Rendition.ID) throws(MediaError) {
        guard let live = broadcast, let timing = presentation.live else { return broadcast = nil }
        let index = presentation.rendition(id)?.index as? PeriodChain
        let moment = live.due(after: index?.nextAvailability(), timing, now: time.now())
        try fetch.wait(until: moment)
        try advance(live)
    }

    /// Reads the manifest again where that is due, and goes on to the present moment.
    private func advance(_ present: StreamBroadcast) throws(MediaError) {
        var live = present
        lookedAt = time.now()
        guard let timing = presentation.live else { return broadcast = nil }
        // A moment that is written in the manifest was true when that was read.
        let clocks = timing.clocks.filter { if case .direct = $0.method { false } else { true } }
        try live.learn(clocks, fetch, time: time)
        if live.isAskedFor(time.now()) {
            let former = presentation
            let renewed = try live.renew(timing, fetch, time: time)
            if var renewed {
                fetch.stages.change(&renewed)
                presentation = renewed.following(former)
                marks.take(presentation.events)
                for clone in steering?.clones ?? [] { presentation.add(clone) }
            }
        }
        presentation.advance(to: live.moment(time.now()))
        broadcast = presentation.live == nil ? nil : live
    }

    /// Waits a part of a segment's length where that segment should just have come and has not: encoders are late by some tenths of a second.
    /// False for others, and after four times.
    func waitsForLate(_ number: Int64, of run: SegmentRun) throws(MediaError) -> Bool {
        guard let broadcast, let live = presentation.live, let segment = run.segment(number) else { return false }
        let length = segment.duration.span, age = live.time(of: broadcast.moment(time.now())).span - segment.end.span
        guard age < length.scaled(by: 2) else { return false }
        let tries = late?.rendition == run.rendition && late?.number == number ? late?.tries ?? 0 : 0
        guard tries < 4 else { return false }
        late = (run.rendition, number, tries + 1)
        // Not the first time: encoders are late now and then.
        if tries > 0 { self.broadcast?.doubtClock(time.now()) }
        try fetch.wait(until: time.now() + max(.milliseconds(100), min(.seconds(1), length.scaled(by: 0.25))))
        return true
    }

    /// The address that is used now.
    func address(of rendition: Rendition) -> StreamAddress? {
        rendition.addresses.isEmpty ? nil : rendition.addresses[place(of: rendition)]
    }

    // MARK: - Time

    /// The span that brings the time stamps of a run onto the axis. `head`: the first bytes of its first segment; `end`: where the run before it
    /// has ended, if it goes on there.
    func shift(of info: SourceInfo, _ run: SegmentRun, head: [UInt8], isLead: Bool, after end: RunEnd? = nil) -> TimeSpan {
        let expected = run.first.start.time
        // The manifest says it.
        if let offset = run.first.mediaOffset { return offset.span }
        // Packed audio has no time stamps but the one that its first tag says.
        let stated = PackedAudioTime.ticks(head).map { MediaTime(ticks: $0, in: TimeBase(1, 90_000)) }
        // Another container within a continuity has another clock as a rule, whatever the playlist marks.
        let isOther = isLead && latest?.continuity == run.first.continuity && latest?.family != info.family
        if isLead { latest = (run.first.continuity, info.family) }
        let reading = timeline.begin(
            stamp: stated ?? info.startTime, continuity: run.first.continuity, expected: expected,
            length: isOther ? .zero : run.first.duration.span, isPrimary: isLead,
            isTransportStream: stated != nil || info.family == .mpegTS,
            following: end?.start(of: info, listed: run.first.start), isRestart: end?.isRestart ?? false)
        switch reading {
        case .at(let place), .leap(let place): return place - info.startTime
        case .unknown: return expected - info.startTime
        }
    }
}
