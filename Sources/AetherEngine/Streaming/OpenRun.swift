import AetherCore
import AetherFormats
import AetherMedia

/// A run that is being read: the bytes of its segments, the demuxer over them, and where its time stamps lie on the axis.
struct OpenRun: ~Copyable {
    var demuxer: Demuxer
    let reader: SegmentReader
    /// The bytes without encryption.
    let clear: DecryptingReader
    let shift: TimeSpan
    private var progress = RunProgress()
    /// Packets at the borders of segments that only seem to be cut.
    private var seemingDamage = 0
    /// Audio of which packets before a point were delivered by the run before.
    private var goneOn: (streams: Set<StreamID>, from: MediaTime)?
    /// The streams of which packets are delivered, without subtitles, which are sparse.
    private var dense: Set<StreamID> = []

    private init(_ demuxer: consuming Demuxer, _ reader: SegmentReader, _ clear: DecryptingReader, shift: TimeSpan) {
        (self.reader, self.clear, self.shift) = (reader, clear, shift)
        self.demuxer = demuxer
    }

    /// Opens a run, without its init section where the first segment is of a container that needs none. `isLead`: its clock is the
    /// presentation's; `formats` are those of the runs before, of which the last one has ended at `end`. Blocks. Throws with the reader's own reason for what the demuxer could not read.
    static func opened(
        _ run: SegmentRun, _ catalog: StreamCatalog, adapter: StreamAdapter?, options: OpenOptions, source: Int,
        interrupt: Interrupt, isLead: Bool, formats: RunFormats, after end: RunEnd? = nil
    ) throws(MediaError) -> OpenRun {
        func opened(_ run: SegmentRun) throws(MediaError) -> OpenRun? {
            try self.opened(run, catalog, adapter, options, source, interrupt, isLead: isLead, formats, end)
        }
        if let open = try opened(run) { return open }
        if let bare = run.bare(from: run.first.number), let open = try opened(bare) { return open }
        throw MediaError(.notMedia, "play", subject: catalog.name)
    }

    /// nil where the first segment has nothing to do with the init section before it.
    private static func opened(
        _ run: SegmentRun, _ catalog: StreamCatalog, _ adapter: StreamAdapter?, _ options: OpenOptions, _ source: Int,
        _ interrupt: Interrupt, isLead: Bool, _ formats: RunFormats, _ end: RunEnd?
    ) throws(MediaError) -> OpenRun? {
        let reader = SegmentReader(
            run, fetch: catalog.fetch, growth: catalog.growth(of: run), adapter: run.isSingle || run.isKept ? nil : adapter,
            patience: catalog.patience(with: run.rendition), tap: source == 0 ? catalog.fetch.tap : nil,
            kept: catalog.kept(by: source), isComplete: !catalog.isGrowing(run.rendition), time: catalog.time)
        reader.prepare()
        var options = options
        options.segments = formats.knows(run.form) ? .known : .unknown
        let media = try catalog.clear(reader, run.first, options)
        do throws(MediaError) {
            let demuxer = try Demuxer(
                .reader(media.reader, name: catalog.name), options: media.options, source: source, interrupt: interrupt)
            if reader.odd == run.first.number { return nil }
            let shift = catalog.shift(of: demuxer.info, run, head: reader.head, isLead: isLead, after: end)
            catalog.hasPlayed = true
            return OpenRun(demuxer, reader, media.reader, shift: shift)
        } catch {
            if error.code != .interrupted, reader.odd == run.first.number { return nil }
            throw media.reader.missing.map { catalog.locked($0) }
                ?? reader.reason(of: error, in: catalog.name, isFirst: formats.isEmpty)
        }
    }

    /// Damaged places that reading went on after.
    var damageCount: Int { demuxer.damageCount - seemingDamage }

    /// Segments of MPEG-TS that were made one by one count their packets anew: the last frame before a border seems to have lost its end then. What
    /// has lost more than that ends well before the border.
    private mutating func judgeCut(at time: MediaTime) {
        guard demuxer.lastPacketIsCut, demuxer.info.family == .mpegTS, reader.number > reader.run.first.number else { return }
        let border = reader.run.start(of: reader.number).time
        if (time - border).magnitude <= Self.borderWidth { seemingDamage += 1 }
    }
    /// Lists are rounded, and audio is cut elsewhere than video.
    private static let borderWidth = TimeSpan.milliseconds(500)

    /// Of the run that is read.
    func report() throws(MediaError) -> (ProbeReport, [StreamInfo]) {
        (try ProbeReport(demuxer, name: ""), demuxer.info.streams)
    }

    /// On the axis.
    var info: SourceInfo { demuxer.info.shifted(by: shift) }

    /// The length that a whole file was found to have where the manifest does not say its end; nil for others.
    var lengthOfWholeFile: Ticks? {
        let first = reader.run.first
        guard first.isWholeFile, first.bounds?.end == nil, let duration = demuxer.info.duration else { return nil }
        return Ticks(duration.nanoseconds, timescale: Ticks.nanoseconds)
    }

    /// Where it has ended, once it was read whole.
    var end: RunEnd {
        func end(_ kind: StreamInfo.Kind) -> MediaTime? {
            let own = demuxer.info.streams.filter { $0.kind == kind }.map { demuxer.numbering.id(of: $0.index) }
            return own.filter(dense.contains).compactMap { progress.end(of: $0) }.max()
        }
        let listed = reader.odd.map { reader.run.start(of: $0) } ?? reader.end(of: reader.number)
        return RunEnd(video: end(.video), audio: end(.audio), listed: listed, isRestart: reader.isRestart)
    }

    /// The start of the segment that was given up for one of another variant; nil: none was.
    var startOfGivenUp: Ticks? { reader.isGivenUp ? reader.run.start(of: reader.number) : nil }

    /// Delivers only packets of these streams from now on.
    mutating func select(_ streams: Set<StreamID>) {
        let numbering = demuxer.numbering
        demuxer.select(Set(streams.compactMap { numbering.index(of: $0) }))
        let own = demuxer.info.streams.filter { $0.kind == .video || $0.kind == .audio }
        dense = streams.intersection(own.map { numbering.id(of: $0.index) })
    }

    /// Goes to the key frame before a time in a whole file. False where one cannot. Blocks.
    mutating func seek(to time: MediaTime) throws(MediaError) -> Bool {
        guard reader.run.first.isWholeFile, demuxer.info.isSeekable else { return false }
        do throws(MediaError) {
            try demuxer.seek(to: max(demuxer.info.startTime, time - shift))
        } catch {
            if error.code == .interrupted { throw error }
            return false
        }
        progress = RunProgress()
        return true
    }

    /// The run before goes on in this one, of the next period: a packet of audio belongs to the period that it begins in. Its segments may
    /// begin before that, and a decoder would give the same samples twice.
    mutating func goOn() {
        guard let start = reader.run.first.bounds?.start else { return }
        let audio = demuxer.info.streams.filter { $0.kind == .audio }.map { demuxer.numbering.id(of: $0.index) }
        goneOn = (Set(audio), start.time - .milliseconds(1))
    }

    /// Whether packets from before a border of segments are still to come: it was not read as far, or no further than the next segment, and the
    /// demuxer holds the last ones. They are lost where it is closed before the end of the segment that it reads.
    func holds(before border: Ticks) -> Bool {
        let start = reader.run.start(of: reader.number)
        return start < border || start == border && !progress.hasPassed(border.time, in: dense)
    }

    /// The next packet, on the axis; nil for one that does not count: of a segment that was given up, or of the next period, which has frames of
    /// its own there. Of the segments before one that was given up the demuxer holds some, which follow yet. Blocks. Throws as `Demuxer`.
    mutating func read(epoch: Epoch) throws(MediaError) -> Packet? {
        let packet = try demuxer.read(epoch: epoch)
        packet.shift(by: shift)
        if let time = packet.pts {
            progress.note(packet.stream, at: time)
            judgeCut(at: time)
        }
        if let start = startOfGivenUp, progress.hasPassed(start.time, in: [packet.stream]) { return nil }
        guard let time = packet.pts else { return packet }
        if let end = reader.run.first.bounds?.end, time >= end.time { return nil }
        if let goneOn, time < goneOn.from, goneOn.streams.contains(packet.stream) { return nil }
        return packet
    }
}

extension SegmentReader {
    /// The reader's own reason for what a demuxer could not read.
    func reason(of error: MediaError, in source: String, isFirst: Bool) -> MediaError {
        if error.code == .interrupted { return error }
        if let failure { return failure.error(of: source, isFirst: isFirst) }
        guard error.code == .notMedia, case .whole = run.first.encryption else { return error }
        return MediaError(StreamFault(.wrongKey), of: source)
    }
}
