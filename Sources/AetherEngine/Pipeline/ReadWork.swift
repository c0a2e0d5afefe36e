import AetherCore
import AetherMedia

/// The state of the thread `demux` while a source is read.
struct ReadWork: ~Copyable {
    private enum Work {
        case stop
        case reposition(Epoch, SeekPlan, video: StreamID?)
        /// The cache serves the epoch: reading goes on where it is.
        case goOn(Epoch)
        /// Other bitmap subtitle tracks are watched.
        case watch(Set<StreamID>)
        /// Another page of teletext.
        case turn(Int?)
        /// Other streams are wanted, though nothing may be read now.
        case select
        /// Another quality is to be read.
        case vary(VariantPin)
        /// Another source is to be read beside the ones that there are.
        case add(AddedSource)
        /// The source stood by, and is played from now on.
        case keepPast(TimeSpan)
        /// A recording of all that is read begins, or ends.
        case record(Recorder?)
        case read
        case blocked
        /// Nothing is to be read, and the source grows: its end is looked at once a second.
        case look
    }
    private let stage: ReadStage
    private let source: JoinedSource
    private var subtitles: SubtitleHarvest
    private var programmes: ProgrammeHarvest
    /// The control task answers `.opened` by beginning the first epoch; epoch 0 reads nothing.
    private var epoch = Epoch(), run = Epoch()
    private var selected: Set<StreamID>?
    /// The revision of the lanes that streams were selected for.
    private var lanes = 0
    private var watched: Set<StreamID> = []
    private var recorder: Recorder?
    /// The recording gets the packets that are read here; else it has them, or bytes, from below.
    private var feedsRecorder = false
    private var variant: VariantPin?
    /// The past that is to be kept once the source is played; nil: it is kept already.
    private var pastSpan: TimeSpan?
    private var hasReportedBlocked = false
    private var hasBrokenOff = false
    /// As it was told last; nil for a source whose description says all.
    private var window: SourceWindow?
    /// More comes while it plays, by what was known when it was opened.
    private let beginsLive: Bool
    /// Something was given to the decoders.
    private var hasPackets = false
    /// The control task was told that the end that was asked for was read.
    private var hasToldStop = false
    private static let log = Log.module("demux")
    private var pipeline: Pipeline { stage.pipeline }

    init(stage: ReadStage, source: JoinedSource) {
        (self.stage, self.source) = (stage, source)
        (beginsLive, pastSpan) = (source.window.isLive, stage.pastSpan)
        programmes = ProgrammeHarvest(source.description.info)
        subtitles = SubtitleHarvest(info: source.description.info, cues: stage.cues, teletextPage: stage.teletextPage)
    }

    mutating func loop() {
        while true {
            switch nextWork() {
            case .stop: return recorder?.close() ?? ()
            case .record(let next): record(next)
            case .keepPast(let span):
                pastSpan = nil
                source.keep(for: span)
            case .goOn(let next):
                epoch = next
                hasReportedBlocked = false
            case .watch(let streams):
                watched = streams
                subtitles.select(streams)
                select()
                stage.report(.cuesChanged)
            case .turn(let page):
                subtitles.turn(to: page)
                pipeline.state.update { $0.teletextPage = page }
                stage.report(.teletextTurned)
            case .select: select()
            case .add(let added):
                if add(added) { stage.report(.described(source.description)) }
            case .vary(let wanted): vary(wanted)
            case .reposition(let next, let plan, let video):
                (epoch, run) = (next, next)
                hasReportedBlocked = false
                select()
                reposition(to: plan, video: video)
            case .blocked:
                hasReportedBlocked = true
                pipeline.state.update { [epoch] in $0.block(epoch) }
                stage.report(.blocked(epoch))
            case .look:
                look()
            case .read:
                hasReportedBlocked = false
                select()
                read()
            }
        }
    }

    private func nextWork() -> Work {
        let interrupt = pipeline.interrupt
        let (epoch, run, watched, variant, recorder, lanes, pastSpan) = (epoch, run, watched, variant, recorder, lanes, pastSpan)
        let hasReportedBlocked = hasReportedBlocked, page = subtitles.teletextPage
        let deadline = window?.isLive ?? beginsLive ? stage.time.now() + .seconds(1) : nil
        let catchesUp = source.catchesUp
        let work: Work? = pipeline.state.wait(for: [.intent, .packetRoom, .turns], until: deadline) { state in
            if state.intent.isStopped { return .stop }
            if state.intent.epoch != epoch {
                if state.packets.run == run { return .goOn(state.intent.epoch) }
                interrupt.clear()
                return .reposition(state.intent.epoch, state.intent.plan, video: state.intent.activeVideo)
            }
            if !state.intent.addedSources.isEmpty { return .add(state.intent.addedSources.removeFirst()) }
            if let wanted = state.intent.variant, wanted != variant { return .vary(wanted) }
            if state.intent.watchedSubtitles != watched { return .watch(state.intent.watchedSubtitles) }
            if state.intent.teletextPage != page { return .turn(state.intent.teletextPage) }
            if let pastSpan, state.intent.standby == nil { return .keepPast(pastSpan) }
            if epoch == Epoch() { return nil }
            if state.packets.cache.revision != lanes { return .select }
            if state.intent.recorder !== recorder { return .record(state.intent.recorder) }
            if state.wantsPackets || catchesUp { return .read }
            return state.isStarving && !hasReportedBlocked ? .blocked : nil
        }
        return work ?? (deadline == nil ? .stop : .look)
    }

    /// Opens a source beside the others. Returns whether it is read from now on; else the person is told why.
    @discardableResult
    mutating func add(_ added: AddedSource) -> Bool {
        do throws(MediaError) {
            let other = try stage.openBeside(added, source.count, source.description.info.startTime)
            source.add(other)
            return true
        } catch {
            if error.code == .interrupted { return false }
            Self.log.warning("\(error)")
            stage.report(.notice(translated("cannot add \(added.name): \(error.reason)")))
            return false
        }
    }

    /// Tells the source which streams are wanted, when that has changed.
    private mutating func select() {
        var (wanted, revision) = pipeline.state.read { ($0.wantedStreams, $0.packets.cache.revision) }
        if let recorder, recorder.progress.isRunning { wanted.formUnion(source.recordable) }
        wanted.formUnion(programmes.streams)
        guard wanted != selected || revision != lanes else { return }
        (selected, lanes) = (wanted, revision)
        let news = pipeline.state.update { $0.takeLaneNews() }
        if let join = news.join { source.joinPoint = join }
        source.select(wanted, begun: news.begun)
    }

    /// Records from the packets on that are held of what is on screen, and of all tracks from those on that are read next.
    private mutating func record(_ next: Recorder?) {
        recorder?.close()
        (recorder, feedsRecorder) = (next, false)
        select()
        guard let next else { return }
        if next.order.isAsIs {
            if source.isSingle, isNew(next.order.start), stage.tap.attach(next, to: source.description.info) { return }
            stage.report(.notice(translated("the source's own bytes are not available: its packets are recorded")))
        }
        if let past = (source.opened as? TimeShiftSource)?.past(from: next.order.start) {
            return next.begin(source.description, past: past)
        }
        feedsRecorder = true
        next.begin(source.description, held: pipeline.state.read { $0.held(for: next.order) })
    }

    /// Whether a recording that begins there wants what is read from now on. What is played lies behind the edge by what is queued.
    private func isNew(_ start: MediaTime?) -> Bool {
        guard let start, let edge = source.window.held.flatMap({ _ in source.window.liveEdge }) else { return true }
        return edge - start < .seconds(5)
    }

    /// Goes over to another quality. The packets that the decoders take before its entry stay. At once: those of the other one take their place when
    /// they have come as far as the decoder is.
    private mutating func vary(_ wanted: VariantPin) {
        variant = wanted
        let (lane, hasVideo) = pipeline.state.read { state in
            ((state.intent.activeVideo ?? state.intent.activeAudio).flatMap { state.lanes[$0] }, state.intent.activeVideo != nil)
        }
        let (turn, point) = wanted.entry(
            next: lane?.next, newest: lane?.newest, oldest: source.window.seekable?.lowerBound, hasVideo: hasVideo)
        do throws(MediaError) {
            let border = try source.choose(wanted.id, behind: point, turn)
            if let border {
                pipeline.state.update { state in
                    if turn == .atOnce { state.replaceAhead(from: border) } else { state.dropAhead(from: border) }
                }
            }
            stage.report(.described(source.description))
        } catch {
            if error.code == .interrupted { return }
            Self.log.warning("\(error)")
            stage.report(.notice(translated("cannot change to this quality: \(error.reason)")))
            stage.report(.described(source.description))
        }
    }

    private mutating func reposition(to plan: SeekPlan, video: StreamID?) {
        do throws(MediaError) {
            guard try source.seek(to: plan, video: video) else { return }
        } catch {
            if error.code != .interrupted {
                Self.log.warning("\(error)")
                stage.report(.notice(translated("cannot seek here")))
            }
        }
        subtitles.reposition()
        if feedsRecorder { recorder?.beginRun() }
        if hasBrokenOff { stage.report(.brokeOff(nil)) }
        hasBrokenOff = false
    }

    private mutating func read() {
        do throws(MediaError) {
            take(try source.read(run: run))
            stage.counters.bytesFetched.set(Int(source.bytesFetched))
            noteDamage()
        } catch {
            if error.code == .interrupted { return }
            // One sentence is enough: that parts are damaged goes without saying now.
            stage.counters.damage.set(max(source.damageCount, error.code == .endOfMedia ? 0 : 1))
            // Before the lanes end: who plays the last of them knows how the source ended.
            if error.code != .endOfMedia { breakOff(error) }
            pipeline.state.update { [run] in $0.endLanes(run) }
            recorder?.close()
            if error.code == .endOfMedia { stage.report(.readToEnd) }
        }
    }

    private mutating func take(_ event: SourceEvent) {
        switch event {
        case .packet(let packet):
            // A recording has no stream of tables.
            if programmes.take(packet) {
                if let news = programmes.news() { stage.report(.programmes(news)) }
                return
            }
            if feedsRecorder { recorder?.take(packet) } else { stage.tap.passed(packet.dts ?? packet.pts, below: false) }
            if subtitles.take(packet) {
                if let pages = subtitles.newPages() { stage.report(.teletextPages(pages)) }
                return
            }
            hasPackets = true
            stage.counters.packetBytes.add(packet.byteCount)
            let stop = pipeline.state.update { state in
                state.append(packet)
                return state.intent.stop
            }
            // Behind the end that was asked for nothing more is played: there is time for the next source.
            if let stop, !hasToldStop, let time = packet.dts ?? packet.pts, time >= stop {
                hasToldStop = true
                stage.report(.readToEnd)
            }
        case .reached: break
        case .cues(let found, let track, _):
            for subtitle in found { stage.cues.add(subtitle, track: track) }
            stage.report(.cuesChanged)
        case .discontinuity(let part, let seams):
            pipeline.state.update { $0.note(seams, of: part) }
            if part == 0, window?.isLive ?? beginsLive { stage.report(.sourceReset) }
        case .reset: stage.report(.sourceReset)
        case .described(let description):
            // Before the packets that have the new format.
            pipeline.state.update { $0.note(description.formats) }
            if feedsRecorder { recorder?.describe(description) }
            stage.report(.described(description))
        case .window(let window):
            tell(window)
        case .expired(let oldest):
            stage.report(.notice(translated("the stream no longer holds this point: playback goes on at its oldest")))
            stage.report(.expired(to: oldest))
        case .again(let border):
            pipeline.state.update { $0.dropAhead(from: border) }
        case .end(let part, let failure):
            if let failure { end(part, failure) }
            pipeline.state.update { [run] in $0.endLanes(run, source: part) }
        }
    }

    private mutating func look() {
        do throws(MediaError) {
            try source.look()
        } catch {
            if error.code != .interrupted { Self.log.warning("\(error)") }
        }
        tell(source.window)
    }

    private mutating func tell(_ window: SourceWindow) {
        guard window != self.window else { return }
        self.window = window
        stage.report(.window(window))
    }

    /// One of several sources has ended before its end. Subtitles that cannot be had are said, and break nothing off.
    private mutating func end(_ part: Int, _ failure: MediaError) {
        let own = source.description.info.streams.filter { $0.source == part }
        guard !own.isEmpty, own.allSatisfy({ $0.kind == .subtitle }) else { return breakOff(failure) }
        stage.report(.notice(translated("subtitles: \(failure.reason)")))
    }

    private mutating func breakOff(_ failure: MediaError) {
        hasBrokenOff = true
        // Where nothing was read at all, playing ends with the same sentence.
        // Of a file that has changed it is said when it is read anew.
        if hasPackets, !failure.isOfChangedFile { stage.report(.notice(failure.reason)) }
        stage.report(.brokeOff(failure))
    }

    /// Says once that something is damaged.
    private func noteDamage() {
        let count = source.damageCount, known = stage.counters.damage.current
        guard count > known else { return }
        stage.counters.damage.set(count)
        if known == 0 { stage.report(.notice(translated("a damaged part of the file was skipped"))) }
    }
}
