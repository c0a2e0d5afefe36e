import AetherCore
import AetherMedia

/// Several sources of packets on one timeline: the one that was opened, and audio or video that lies in files of its own. Each has its own
/// run and its own end. Read is the one that is least far, so that all are read equally far ahead.
final class JoinedSource: PacketSource {
    private struct Part {
        let source: any PacketSource
        /// nil: all are delivered.
        var streams: Set<StreamID>?
        /// The decode time that it was read to in this run.
        var reached: MediaTime?
        var hasEnded = false
        /// The source is sent to the place of the first one, once that is known.
        var follows = false
        /// The source was chosen in the middle of the run.
        var isLate = false

        var isRead: Bool { !hasEnded && streams.map { !$0.isEmpty } ?? true }
    }
    private var parts: [Part]
    private var plan = SeekPlan(target: .zero, landing: .exact)
    /// Read ahead of its turn: it has told where the parts that follow begin.
    private var waiting: SourceEvent?
    private var revision = 0
    /// The window that was told last while the opened source was not read.
    private var toldWindow: SourceWindow?
    /// Where sources that are chosen next begin, if that lies before what was read.
    var joinPoint: MediaTime?
    /// The part whose key frames say where reading begins.
    private var lead = 0
    /// Decoders of audio need what comes before to be right: 80 ms for Opus, two frames for AAC and MP3.
    private static let preroll = TimeSpan.milliseconds(100)
    private static let log = Log.module("demux")

    /// Joins sources; the first is the one that was opened, which the description speaks of.
    convenience init(_ first: any PacketSource) { self.init([first]) }

    /// Joins sources that were opened together.
    init(_ sources: [any PacketSource]) {
        parts = sources.map { Part(source: $0) }
        // They are read from when they are chosen.
        for index in parts.indices.dropFirst() { (parts[index].streams, parts[index].follows) = ([], true) }
    }

    /// Reads another source beside the ones that there are, from where they are.
    func add(_ source: any PacketSource) {
        parts.append(Part(source: source, streams: [], follows: true))
        revision += 1
    }

    /// A source that was chosen while the others are far ahead has not caught up with them.
    var catchesUp: Bool {
        guard let lead = parts[lead].reached else { return false }
        return parts.contains { part in
            part.isRead && part.isLate && !part.source.awaitsMore && (part.follows || part.reached.map { $0 < lead } ?? true)
        }
    }

    /// The streams that a recording has beside those that are played. Of a source whose tracks are fetched one by one, none.
    var recordable: Set<StreamID> {
        let info = parts[0].source.description.info
        guard !info.isSegmented else { return [] }
        return Set(info.streams.filter { [.video, .audio, .subtitle].contains($0.kind) }.map(\.id))
    }

    /// How many sources there are.
    var count: Int { parts.count }

    var description: SourceDescription {
        var whole = parts[0].source.description
        whole.revision += revision
        for part in parts.dropFirst() {
            let other = part.source.description
            whole.revision += other.revision
            whole.info.streams += other.info.streams
            whole.formats.merge(other.formats) { $1 }
        }
        return whole
    }

    func keyFrames(of stream: StreamID) -> (times: [KeyFramePlace], isNominal: Bool)? {
        parts.indices.contains(stream.source) ? parts[stream.source].source.keyFrames(of: stream) : nil
    }

    /// The opened source is all that is read.
    var isSingle: Bool { parts.dropFirst().allSatisfy { !$0.isRead } }

    /// The one that was opened.
    var opened: any PacketSource { parts[0].source }
    var window: SourceWindow { parts[0].source.window }
    /// Of all that are read.
    func look() throws(MediaError) {
        try parts[0].source.look()
        for part in parts.dropFirst() where part.isRead { try part.source.look() }
    }
    func keep(for span: TimeSpan) { parts[0].source.keep(for: span) }
    var bytesFetched: Int64 { parts.reduce(0) { $0 + $1.source.bytesFetched } }
    var damageCount: Int { parts.reduce(0) { $0 + $1.source.damageCount } }

    func select(_ streams: Set<StreamID>) { select(streams, begun: []) }

    /// Of streams that have `begun` nothing is held, though they may have been read before: they were left and chosen again meanwhile.
    func select(_ streams: Set<StreamID>, begun: Set<StreamID>) {
        for index in parts.indices {
            let own = streams.filter { $0.source == index }
            let isAnew = !own.isEmpty && own.isSubset(of: begun)
            guard own != parts[index].streams || isAnew else { continue }
            // A part whose streams were not selected stands where it was left.
            if index > 0, !own.isEmpty, isAnew || parts[index].streams?.isEmpty ?? false {
                (parts[index].follows, parts[index].hasEnded, parts[index].isLate) = (true, false, true)
                parts[index].reached = nil
            }
            parts[index].streams = own
            parts[index].source.select(own)
        }
    }

    func choose(_ variant: MediaVariant.ID?, behind point: MediaTime, _ turn: VariantTurn = .atBorder) throws(MediaError)
        -> MediaTime?
    {
        let border = try parts[0].source.choose(variant, behind: point, turn)
        if let border { (parts[0].reached, parts[0].hasEnded) = (border, false) }
        return border
    }

    func read(run: Epoch) throws(MediaError) -> SourceEvent {
        // One source, as nearly all files are: nothing to choose, and nothing to allocate for each packet.
        if parts.count == 1, parts[0].isRead { return try read(0, run: run) }
        if parts.contains(where: { $0.isRead && $0.follows }), let news = try sendFollowers(run: run) { return news }
        if let event = waiting {
            waiting = nil
            return event
        }
        if let moved = try movedWindow() { return .window(moved) }
        guard let next else { throw MediaError(.endOfMedia, "read packet") }
        return try read(next, run: run)
    }

    /// The window of a broadcast whose opened source is not read, as where only the audio beside its video is played: it moves all the same.
    private func movedWindow() throws(MediaError) -> SourceWindow? {
        guard !parts[0].isRead, window.isLive else { return nil }
        try parts[0].source.look()
        defer { toldWindow = window }
        return window == toldWindow ? nil : window
    }

    /// The part whose turn it is: of those that need not wait, else of all, the one that is least far. Nothing is allocated: it is asked for
    /// each packet.
    private var next: Int? {
        var open: Int?, free: Int?
        for index in parts.indices where parts[index].isRead {
            let reached = parts[index].reached
            if open.map({ isLess(reached, parts[$0].reached) }) ?? true { open = index }
            guard free.map({ isLess(reached, parts[$0].reached) }) ?? true else { continue }
            if !parts[index].source.isHeldUp, !parts[index].source.awaitsMore { free = index }
        }
        return free ?? open
    }

    func seek(to plan: SeekPlan, video: StreamID?) throws(MediaError) -> Bool {
        (self.plan, waiting, joinPoint) = (plan, nil, nil)
        lead = video.flatMap { parts.indices.contains($0.source) ? $0.source : nil } ?? 0
        for index in parts.indices {
            (parts[index].reached, parts[index].hasEnded, parts[index].follows) = (nil, false, index != lead)
            parts[index].isLate = false
        }
        return try parts[lead].source.seek(to: plan, video: video)
    }

    private func isLess(_ a: MediaTime?, _ b: MediaTime?) -> Bool {
        guard let a, let b else { return a == nil && b != nil }
        return a < b
    }

    /// The next step of one source. Its end is the end of all where the others have ended.
    private func read(_ index: Int, run: Epoch) throws(MediaError) -> SourceEvent {
        do throws(MediaError) {
            let event = try parts[index].source.read(run: run)
            switch event {
            case .packet(let packet):
                if let time = packet.dts ?? packet.pts { parts[index].reached = max(parts[index].reached ?? time, time) }
                return event
            case .reached(let time), .cues(_, _, upTo: let time):
                parts[index].reached = max(parts[index].reached ?? time, time)
                return event
            case .described: return .described(description)
            // Packets are on the axis already: that one source's times begin anew is no matter of the others.
            case .discontinuity: return event
            // The window is that of the opened source.
            case .window, .expired, .reset: return index == 0 ? event : try read(index, run: run)
            case .again(let point):
                parts[index].reached = point
                return event
            case .end: return event
            }
        } catch {
            if error.code == .interrupted { throw error }
            parts[index].hasEnded = true
            guard parts.contains(where: \.isRead) else { throw error }
            return .end(source: index, error.code == .endOfMedia ? nil : error)
        }
    }

    /// Sends the sources that follow to where the others are; for that the first packet of the leading one is read ahead of its turn.
    /// Returns what else that one had to tell.
    private func sendFollowers(run: Epoch) throws(MediaError) -> SourceEvent? {
        let reached = parts.filter { $0.isRead && !$0.follows }.compactMap(\.reached).min()
        var place = reached
        if place == nil, waiting == nil, parts[lead].isRead, !parts[lead].follows {
            let event = try read(lead, run: run)
            guard case .packet(let packet) = event else { return event }
            waiting = event
            place = packet.dts ?? packet.pts
        }
        // In the middle of a run where the others are, at its beginning no later than the plan wants it.
        var target = reached ?? min(place ?? plan.demuxTarget, plan.demuxTarget)
        // Where the others have ended, how far they are is unknown.
        if let joinPoint { target = place == nil ? joinPoint : min(target, joinPoint) }
        joinPoint = nil
        for index in parts.indices where parts[index].isRead && parts[index].follows {
            do throws(MediaError) {
                _ = try parts[index].source.seek(to: SeekPlan(target: target - Self.preroll, landing: .exact), video: nil)
            } catch {
                if error.code == .interrupted { throw error }
                Self.log.warning("\(error)")
                parts[index].hasEnded = true
            }
            parts[index].follows = false
        }
        return nil
    }
}
