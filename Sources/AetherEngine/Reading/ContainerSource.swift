import AetherCore
import AetherFormats
import AetherMedia

/// One container as a source of packets, or several that were glued together, one behind the other. Its times are led onto one axis, and an
/// end that is not the source's is told apart from its own.
final class ContainerSource: PacketSource {
    var description: SourceDescription
    /// Of the part that is read.
    var demuxer: Demuxer
    /// Its times on the axis of the first part: what is added to them.
    var partShift = TimeSpan.zero
    /// nil for what has no bytes of ours.
    var glued: GluedParts?
    /// Where the first part begins, by its own times.
    let origin: MediaTime
    /// The end of the latest frame of all, on the axis of the first part.
    var front: MediaTime
    let name: String
    let options: OpenOptions
    let index: Int
    let interrupt: Interrupt
    /// The streams that are delivered; nil for all.
    var selected: Set<StreamID>?
    /// Added to all times: what brings the start of a source beside the opened one to that one's.
    let shift: TimeSpan
    private var fold: TimelineFold
    /// The packet behind a discontinuity that was told.
    private var waiting: Packet?
    /// Where it stands before it was first sent anywhere; nil from then on.
    private var start: MediaTime?
    /// The source was not sent elsewhere, so that what it reached tells how much of it there is.
    private(set) var isContinuous = true
    private var hasPackets = false
    /// The end of the latest packet of all, after the start of the source.
    private var reached = TimeSpan.zero
    /// Damage up to the last packet.
    var knownDamage = 0
    /// Of the parts before the present one.
    var passed: (bytes: Int64, damage: Int) = (0, 0)
    /// The end of a file that is being written; nil for one that is complete.
    private var growth: GrowingExtent?
    private var toldWindow: SourceWindow
    private var packetsUntilLook = 0
    /// Packets between two looks at the size of a file that grows: a second has about a hundred.
    private static let packetsBetweenLooks = 32
    private static let log = Log.module("demux")

    /// Opens a container. `nameLanguages`: languages in which names of chapters are wanted, best first. Blocks. Throws as `Demuxer`.
    convenience init(
        _ input: MediaInput, options: OpenOptions, nameLanguages: [String] = [], interrupt: Interrupt
    ) throws(MediaError) {
        try self.init(input, options: options, index: 0, nameLanguages: nameLanguages, interrupt: interrupt)
    }

    /// Opens one that is read beside others: `index` numbers it, `start` is the start of the first.
    convenience init(
        _ input: MediaInput, options: OpenOptions, beside start: MediaTime, index: Int, as added: AddedSource,
        interrupt: Interrupt
    ) throws(MediaError) {
        try self.init(input, options: options, index: index, alignedTo: start, as: added, interrupt: interrupt)
        guard !description.info.streams.isEmpty else {
            throw MediaError(.noDecodableStream, "add", subject: input.name, reason: "it has no audio that can be decoded")
        }
    }

    private init(
        _ input: MediaInput, options: OpenOptions, index: Int, alignedTo opened: MediaTime? = nil, as added: AddedSource? = nil,
        nameLanguages: [String] = [], interrupt: Interrupt
    ) throws(MediaError) {
        glued = GluedParts(input)
        let own = glued.map { MediaInput.reader($0.reader, name: input.name) } ?? input
        let demuxer = try Demuxer(own, options: options, source: index, interrupt: interrupt)
        (self.options, self.index, self.interrupt) = (options, index, interrupt)
        (origin, front) = (demuxer.info.startTime, demuxer.info.startTime)
        var info = EditionReading(demuxer).described(VideoCrops.described(demuxer), languages: nameLanguages)
        shift = opened.map { Self.alignment(of: info.startTime, to: $0) } ?? .zero
        if shift != .zero { info = info.shifted(by: shift) }
        if let added { info = added.described(info) }
        start = demuxer.info.startTime
        fold = TimelineFold(mayLeap: demuxer.info.timesMayLeap)
        name = input.name
        if let extent = demuxer.extent, extent.isGrowing {
            growth = GrowingExtent(
                start: info.startTime, duration: info.duration, isMeasured: info.family == .mpegTS, size: extent.size)
            demuxer.follow()
        }
        description = SourceDescription(info, traits: demuxer.traits)
        self.demuxer = demuxer
        toldWindow = description.window
        try describeParts()
    }

    /// The distance from the start of one source to another's. Sources that begin within half a second of each other share their axis: a codec's
    /// delay and the reordering of frames shift a start by less, and a broadcast's clock by hours.
    static func alignment(of start: MediaTime, to opened: MediaTime) -> TimeSpan {
        (opened - start).magnitude <= .milliseconds(500) ? .zero : opened - start
    }

    var bytesFetched: Int64 { passed.bytes + demuxer.bytesFetched }
    var damageCount: Int { passed.damage + demuxer.damageCount + (lostSectors?() ?? 0) }
    /// Sectors of a disc that its drive could not read.
    var lostSectors: (() -> Int)?

    func select(_ streams: Set<StreamID>) {
        selected = streams
        demuxer.select(Set(streams.compactMap { demuxer.numbering.index(of: $0) }))
    }

    var window: SourceWindow {
        guard var growth, let extent = demuxer.extent else { return toldWindow }
        let front = origin + shift + reached
        growth.take(size: extent.size, reached: front, fetched: isContinuous ? demuxer.bytesFetched : nil)
        let start = description.info.startTime
        return SourceWindow(
            seekable: description.info.isSeekable ? start...max(start, growth.end) : nil,
            liveEdge: extent.isGrowing ? growth.end : nil)
    }

    /// The window where it has moved by half a second since it was told, or has come to stand.
    private func movedWindow() -> SourceWindow? {
        guard growth != nil else { return nil }
        packetsUntilLook -= 1
        guard packetsUntilLook < 0 else { return nil }
        packetsUntilLook = Self.packetsBetweenLooks
        let window = window, former = toldWindow.liveEdge
        if let edge = window.liveEdge, let former, (edge - former).magnitude < .milliseconds(500) { return nil }
        return tell(window)
    }

    private func tell(_ window: SourceWindow) -> SourceWindow {
        if let end = window.liveEdge ?? window.seekable?.upperBound { growth?.close(at: end) }
        (toldWindow, description.window) = (window, window)
        return window
    }

    /// The window of a file that was being written and has been read to its end: nothing more comes.
    private func lastWindow() -> SourceWindow? {
        guard growth != nil else { return nil }
        growth = nil
        let start = description.info.startTime
        let end = isContinuous ? start + reached : toldWindow.liveEdge ?? start + reached
        return tell(SourceWindow(seekable: description.info.isSeekable ? start...max(start, end) : nil))
    }

    func read(run: Epoch) throws(MediaError) -> SourceEvent {
        if description.window != toldWindow, growth == nil { return .window(tell(description.window)) }
        if let window = movedWindow() { return .window(window) }
        if let packet = waiting {
            waiting = nil
            if packet.epoch == run { return .packet(packet) }
        }
        let packet: Packet
        do throws(MediaError) {
            packet = try demuxer.read(epoch: run)
        } catch {
            if error.code == .interrupted { throw error }
            if error.code == .endOfMedia, try goOn() { return .described(description) }
            if let window = lastWindow() { return .window(window) }
            throw end(after: error)
        }
        hasPackets = true
        // A wish for the start from here on has to be carried out.
        if demuxer.info.isSeekable { start = nil }
        knownDamage = demuxer.damageCount
        packet.shift(by: partShift)
        guard let time = packet.dts ?? packet.pts else { return .packet(packet) }
        reached = max(reached, time + (packet.duration ?? .zero) - origin)
        front = max(front, (packet.pts ?? time) + (packet.duration ?? .zero))
        let former = fold.seams
        packet.shift(by: fold.offset(stream: packet.stream, time: time, isDecodeTime: packet.dts != nil) + shift)
        guard fold.seams != former else { return .packet(packet) }
        waiting = packet
        return .discontinuity(source: packet.stream.source, fold.known)
    }

    /// The first run of a source that is read from its start needs no seek, which a pipe could not do.
    func seek(to plan: SeekPlan, video: StreamID?) throws(MediaError) -> Bool {
        waiting = nil
        defer { start = nil }
        let target = fold.begin(at: plan.demuxTarget - shift)
        if let start, target <= start { return false }
        isContinuous = false
        front = target
        try enterPart(at: target)
        let stream = video.flatMap { demuxer.numbering.index(of: $0) }
        try demuxer.seek(to: target - partShift, stream: stream)
        // Asked for only now: Matroska's index is read by the first seek.
        let keys = stream.flatMap { demuxer.keys(around: target - partShift, stream: $0) }
        let snapped = Self.snapped(plan, sourceTarget: target - partShift, keys: keys)
        if snapped != plan { try demuxer.seek(to: fold.begin(at: snapped.demuxTarget - shift) - partShift, stream: stream) }
        return true
    }

    /// A plan, led to the key frame behind its target where the index has one that it may land on and the one before cannot be had: what
    /// `PacketCache.snapped` does for what is held. `keys` are times of the source, where the plan's point is `sourceTarget`.
    static func snapped(_ plan: SeekPlan, sourceTarget: MediaTime, keys: (before: MediaTime, next: MediaTime)?) -> SeekPlan {
        guard let keys else { return plan }
        let offset = plan.demuxTarget - sourceTarget
        return plan.snapped(keyBefore: keys.before + offset, keyAfter: keys.next + offset)
    }

    /// The error that tells why reading ended: the source's own end as it is, any other with the reason for a person.
    private func end(after error: MediaError) -> MediaError {
        // The first packet is encrypted, and its key is not there.
        if error.code == .unsupported, !hasPackets {
            return MediaError(.unsupported, "play", subject: name, reason: error.reason)
        }
        let reason: String
        if error.code != .endOfMedia {
            Self.log.error("\(error)")
            reason = "the source broke off: \(error.reason.isEmpty ? "read error" : error.reason)"
        } else if demuxer.damageCount > knownDamage || demuxer.isCut(reached: isContinuous ? reached - ownStart : nil) {
            reason = "the file is incomplete: it breaks off before its end"
        } else {
            return error
        }
        let needsSeek = !hasPackets && isContinuous && demuxer.info.family == .isoBMFF && !demuxer.info.isSeekable
        return MediaError(
            .readFailed, "play all of", subject: name, cause: error.cause,
            reason: needsSeek ? "its index lies at its end, and this source can be read from start to end only" : reason)
    }
}
