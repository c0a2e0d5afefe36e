import AetherCore
import AetherFormats
import AetherMedia
import AetherSources

/// The presentation of a source in segments, with the playlists of its renditions as far as they were asked for. Lives on the thread that
/// reads; its calls block on servers until the interrupt is raised, and then throw `.interrupted`.
final class StreamCatalog {
    var presentation: Presentation
    let fetch: StreamFetch
    /// Where the clocks of its continuities lie.
    var timeline = SegmentTimeline()
    /// The document's name, safe to display.
    let name: String
    /// Its language: the short name, and the one for people.
    let format: (name: String, longName: String)
    let time: any TimeSource
    private let variables: [String: String]
    /// For encrypted media: those that a person gave, and those of licences.
    private(set) var keys: ContentKeys
    var failover = SegmentFailover()
    /// Advertisements, missing parts and other events.
    var marks = StreamMarks()
    /// Who says which server is to be used; nil before anybody was asked.
    var steering: PathwaySteering?
    /// Rises where another server is to be used than before.
    var steeringRevision = 0
    /// Where the playlists came from.
    private var origins: [Rendition.ID: StreamAddress] = [:]
    private(set) var lists: [Rendition.ID: HLSSegmentList] = [:]
    private var refreshes: [Rendition.ID: PlaylistRefresh] = [:]
    /// Of a dynamic manifest of DASH; nil for others.
    private(set) var broadcast: StreamBroadcast?
    private var lookedAt: HostTime?
    static let log = Log.module("net")

    /// Reads a manifest. Throws `.notMedia` or `.unsupported` with the reason where nothing of it can be played.
    init(
        _ document: StreamDocument, fetch: StreamFetch, keys: ContentKeys = ContentKeys(), time: any TimeSource
    ) throws(MediaError) {
        (self.fetch, self.keys, self.time) = (fetch, keys, time)
        (name, format) = (MediaLocation.parse(document.address.text).displayName, document.format)
        let address = document.address.text, bytes = fetch.stages.manifest(document.bytes, from: document.address)
        if MPDDocument.begins(bytes) {
            variables = [:]
            let manifest = try Self.understood(address) { () throws(StreamFault) in
                try MPDDocument(bytes, address: document.address)
            }
            var live = StreamBroadcast(manifest, now: time.now()), read: Presentation
            let moment = live?.moment(time.now())
            read = try Self.understood(address) { () throws(StreamFault) in try Presentation(manifest, now: moment) }
            if live != nil {
                try live?.learn(read.live?.clocks ?? [], fetch, time: time)
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
                (presentation, variables) = (Presentation(list), list.variables)
            case .segments(let list):
                (presentation, variables) = (Presentation(list), [:])
                try Self.understood(address) { () throws(StreamFault) in try list.checkPlayable(hasKeys: !keys.isEmpty) }
                if let id = presentation.renditions.first?.id { take(list, for: id, asked: time.now()) }
            }
        }
        fetch.stages.change(&presentation)
        if let system = presentation.protection {
            self.keys = try fetch.keys(of: presentation, given: keys)
            try Self.understood(address) { [keys = self.keys, presentation] () throws(StreamFault) in
                try keys.check(presentation, system)
            }
        }
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
        let known = presentation.rendition(id).flatMap { found in found.index.map { ($0, place(of: found), found.addresses) } }
        if let (index, place, addresses) = known, lists[id] == nil || origins[id] ?? addresses[place] == addresses[place] {
            return lists[id] != nil || place == 0 ? index : OtherServer(index, address: place)
        }
        let pending = presentation.pendingIndexes(of: id)
        if !pending.isEmpty { return try indexed(pending, of: id) }
        guard let rendition = presentation.rendition(id) else {
            throw MediaError(.notMedia, "play", subject: name, reason: StreamFault(.nothingToPlay).description)
        }
        var failure = MediaError(.notMedia, "play", subject: name, reason: StreamFault(.nothingToPlay).description)
        for address in ranked(rendition) {
            do throws(MediaError) {
                let asked = time.now(), list = try playlist(at: address)
                let former = lists[id].flatMap { $0.isEnded ? nil : $0 }
                take(try former.map { former throws(MediaError) in try follow(list, former) } ?? list, for: id, asked: asked)
                origins[id] = address
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

    /// A list that goes on from another.
    private func follow(_ list: HLSSegmentList, _ former: HLSSegmentList) throws(MediaError) -> HLSSegmentList {
        try Self.understood(list.address.text) { () throws(StreamFault) in try list.following(former) }
    }

    /// The segments of a rendition whose index lies in its media. A file whose index cannot be read is one segment.
    private func indexed(_ pending: [PendingIndex], of id: Rendition.ID) throws(MediaError) -> any SegmentIndex {
        for index in pending {
            var search = index.search
            for address in index.addresses {
                search = index.search
                do throws(IOReaderError) {
                    try fetch.search(&search, in: address)
                    break
                } catch {
                    if error == .cancelled { throw MediaError(.interrupted, "open", subject: name) }
                    Self.log.warning("\(MediaError(.url(address.text), error))")
                }
            }
            presentation.attach(search, to: index)
        }
        guard let index = presentation.rendition(id)?.index else {
            throw MediaError(.notMedia, "play", subject: name, reason: StreamFault(.nothingToPlay).description)
        }
        return index
    }

    func playlist(at address: StreamAddress) throws(MediaError) -> HLSSegmentList {
        let bytes: [UInt8], final: StreamAddress
        do throws(IOReaderError) {
            let found = try fetch.document(address)
            (bytes, final) = (fetch.stages.manifest(found.bytes, from: found.address), found.address)
        } catch {
            throw MediaError(.url(address.text), error)
        }
        let hasKeys = !keys.isEmpty
        return try Self.understood(address.text) { () throws(StreamFault) in
            let list = try HLSPlaylist(bytes, address: final, variables: variables).segmentList()
            try list.checkPlayable(hasKeys: hasKeys)
            return list
        }
    }

    private func take(_ list: HLSSegmentList, for id: Rendition.ID, asked: HostTime) {
        let now = time.now()
        var refresh = refreshes[id] ?? PlaylistRefresh(now: now)
        refresh.arrived(list, after: lists[id], asked: asked, now: now)
        (lists[id], refreshes[id]) = (list, refresh)
        presentation.attach(list, to: id)
        if presentation.variants.contains(where: { $0.rendition == id }) { marks.take(list) }
    }

    // MARK: - Growing lists

    /// How often the server has begun to count the segments of a rendition anew.
    func era(of id: Rendition.ID) -> Int64 { lists[id]?.era ?? 0 }

    /// Whether a rendition may get further segments.
    func isGrowing(_ id: Rendition.ID) -> Bool { broadcast != nil || lists[id].map { !$0.isEnded } ?? false }

    /// Whether a broadcast may say more by now.
    func isDue(_ id: Rendition.ID) -> Bool {
        if broadcast != nil { return lookedAt.map { time.now() - $0 >= .seconds(1) } ?? true }
        return lists[id].map { !$0.isEnded } ?? false && refreshes[id]?.next.map { $0 <= time.now() } ?? false
    }

    /// Lets that in, without waiting for more.
    func catchUp(_ id: Rendition.ID) throws(MediaError) {
        if let live = broadcast { return try advance(live) }
        if isDue(id) { try renew(id) }
    }

    /// Whether a segment has left the list.
    func isGone(_ number: Int64, of id: Rendition.ID) throws(MediaError) -> Bool {
        let numbers = try segments(of: id).numbers
        return isGrowing(id) && number < numbers.lowerBound
    }

    /// Waits until the list of a rendition may say more, and asks for it.
    func renew(_ id: Rendition.ID) throws(MediaError) {
        if broadcast != nil { return try renewManifest(for: id) }
        guard let former = lists[id], let moment = refreshes[id]?.next,
            let address = presentation.rendition(id).flatMap(address(of:))
        else { return }
        try fetch.wait(until: moment)
        let asked = time.now()
        do throws(MediaError) {
            let update = try playlist(at: address)
            if refreshes[id]?.beginsAnew(update, after: former) == true {
                Self.log.warning("\(name): the list of segments begins anew")
                return take(update.beginning(behind: former), for: id, asked: asked)
            }
            guard update.segments.numbers.upperBound >= former.segments.numbers.upperBound || update.isEnded else {
                refreshes[id]?.failed(now: time.now())
                return
            }
            take(try follow(update, former), for: id, asked: asked)
            origins[id] = address
        } catch {
            if error.code == .interrupted { throw error }
            Self.log.warning("\(error)")
            failover.ban(address, now: time.now())
            refreshes[id]?.failed(now: time.now())
        }
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

    /// Nothing new has come for so long that the source seems to stand still.
    func isStalled(_ id: Rendition.ID) -> Bool { refreshes[id]?.state == .stalled }

    private func address(of rendition: Rendition) -> StreamAddress? {
        if steering != nil { return ranked(rendition).first }
        return failover.address(of: rendition, now: time.now()).map { rendition.addresses[$0] }
    }

    // MARK: - Time

    /// The span that brings the time stamps of a run onto the axis. `head`: the first bytes of its first segment.
    func shift(of info: SourceInfo, _ run: SegmentRun, head: [UInt8], isLead: Bool) -> TimeSpan {
        let expected = run.first.start.time
        // The manifest says it.
        if let offset = run.first.mediaOffset { return offset.span }
        // Packed audio has no time stamps but the one that its first tag says.
        let stated = PackedAudioTime.ticks(head).map { MediaTime(ticks: $0, in: TimeBase(1, 90_000)) }
        let stamp = stated ?? info.startTime
        let reading = timeline.begin(
            stamp: stamp, continuity: run.first.continuity, expected: expected, length: run.first.duration.span,
            isPrimary: isLead, isTransportStream: stated != nil || info.family == .mpegTS)
        switch reading {
        case .at(let place), .leap(let place): return place - info.startTime
        case .unknown: return expected - info.startTime
        }
    }
}
