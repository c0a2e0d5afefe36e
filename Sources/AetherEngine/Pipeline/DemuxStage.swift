import AetherCore
import AetherMedia

/// Thread `demux`: opens the source, reads packets into the lanes, decodes subtitle packets into cues, and repositions at each
/// new epoch. It owns the format context; nobody else touches it.
struct DemuxStage {
    let input: MediaInput
    let options: OpenOptions
    let pipeline: Pipeline
    let cues: CueStore
    /// The page of teletext to show; nil for the subtitles'.
    var teletextPage: Int?
    /// Languages in which names of chapters are wanted, best first.
    var nameLanguages: [String] = []
    let counters: SessionCounters
    let report: @Sendable (StageEvent) -> Void
    private static let log = Log.module("demux")

    func run() {
        do throws(MediaError) {
            var demuxer = try Demuxer(input, options: options, interrupt: pipeline.interrupt)
            let info = EditionReading(demuxer).described(FilmShape.described(demuxer), languages: nameLanguages)
            report(.opened(info))
            var subtitles = SubtitleHarvest(info: info, cues: cues, teletextPage: teletextPage)
            loop(&demuxer, &subtitles)
        } catch {
            report(.openFailed(error))
        }
    }

    private enum Work {
        case stop
        case reposition(Epoch, SeekPlan, video: Int?)
        /// The cache serves the epoch: reading goes on where it is.
        case goOn(Epoch)
        /// Other tracks of pictures are watched.
        case watch(Set<Int>)
        case read
        case blocked
    }

    /// How the reading went.
    private struct Reading {
        /// Something was given to the decoders.
        var hasPackets = false
        /// Reading goes on from where it began: nobody has sent the demuxer elsewhere.
        var isContinuous = true
        /// The end of the latest packet of all, after the start of the source.
        var reached = TimeSpan.zero
        var hasBrokenOff = false
    }

    private func loop(_ demuxer: inout Demuxer, _ subtitles: inout SubtitleHarvest) {
        // The control task answers `.opened` by beginning the first epoch; epoch 0 reads nothing.
        var epoch = Epoch(), run = Epoch()
        var selected: Set<Int>?
        var watched: Set<Int> = []
        var position: MediaTime? = demuxer.info.startTime
        var reportedBlocked = false
        var fold = TimelineFold(mayLeap: demuxer.info.timesMayLeap)
        var reading = Reading()
        while true {
            switch nextWork(after: epoch, run: run, watched: watched, reportedBlocked: reportedBlocked) {
            case .stop:
                return
            case .goOn(let next):
                epoch = next
                reportedBlocked = false
            case .watch(let streams):
                watched = streams
                subtitles.select(streams)
                report(.cuesChanged)
            case .reposition(let next, let plan, let video):
                (epoch, run) = (next, next)
                reportedBlocked = false
                select(&selected, &demuxer)
                if reposition(&demuxer, to: plan, &fold, video: video, from: position) {
                    subtitles.reposition()
                    reading.isContinuous = false
                    if reading.hasBrokenOff { report(.brokeOff(nil)) }
                    reading.hasBrokenOff = false
                }
                position = nil
            case .blocked:
                reportedBlocked = true
                pipeline.change { if $0.epoch == epoch { $0.isBlockedFull = true } }
                report(.blocked(epoch))
            case .read:
                reportedBlocked = false
                select(&selected, &demuxer)
                read(&demuxer, &subtitles, &fold, &reading, run: run)
            }
        }
    }

    /// Tells the demuxer which streams are wanted, when that has changed.
    private func select(_ selected: inout Set<Int>?, _ demuxer: inout Demuxer) {
        let wanted = pipeline.state.read { $0.wantedStreams }
        guard wanted != selected else { return }
        selected = wanted
        demuxer.select(wanted)
    }

    private func nextWork(after epoch: Epoch, run: Epoch, watched: Set<Int>, reportedBlocked: Bool) -> Work {
        let interrupt = pipeline.interrupt
        let work: Work? = pipeline.state.wait { state in
            if state.isStopped { return .stop }
            if state.epoch != epoch {
                if state.run == run { return .goOn(state.epoch) }
                interrupt.clear()
                return .reposition(state.epoch, state.plan, video: state.activeVideo)
            }
            if state.watchedSubtitles != watched { return .watch(state.watchedSubtitles) }
            if epoch == Epoch() { return nil }
            if state.wantsPackets { return .read }
            let starving = state.activeStreams.contains { state.isEmpty(stream: $0) && !state.isExhausted(stream: $0) }
            return starving && !reportedBlocked ? .blocked : nil
        }
        return work ?? .stop
    }

    /// The first epoch of a source that is read from its start needs no seek, which a pipe could not do. Returns whether the source was
    /// moved.
    private func reposition(
        _ demuxer: inout Demuxer, to plan: SeekPlan, _ fold: inout TimelineFold, video: Int?, from position: MediaTime?
    ) -> Bool {
        let target = fold.begin(at: plan.demuxTarget)
        if let position, target <= position { return false }
        do throws(MediaError) {
            try demuxer.seek(to: target, stream: video)
            // Asked for only now: Matroska's index is read by the first seek.
            let snapped = Self.snapped(
                plan, sourceTarget: target, keys: video.flatMap { demuxer.keys(around: target, stream: $0) })
            if snapped != plan { try demuxer.seek(to: fold.begin(at: snapped.demuxTarget), stream: video) }
        } catch {
            if error.code == .interrupted { return true }
            Self.log.warning("\(error)")
            report(.notice("cannot seek here"))
        }
        return true
    }

    /// A plan, led to the key frame behind its target where the index has one that it may land on and the one before cannot be had: what
    /// `PacketCache.snapped` does for what is held. `keys` are times of the source, where the plan's point is `sourceTarget`.
    static func snapped(_ plan: SeekPlan, sourceTarget: MediaTime, keys: (before: MediaTime, next: MediaTime)?) -> SeekPlan {
        guard let keys else { return plan }
        let offset = plan.demuxTarget - sourceTarget
        return plan.snapped(keyBefore: keys.before + offset, keyAfter: keys.next + offset)
    }

    private func read(
        _ demuxer: inout Demuxer, _ subtitles: inout SubtitleHarvest, _ fold: inout TimelineFold, _ reading: inout Reading,
        run: Epoch
    ) {
        do throws(MediaError) {
            let packet = try demuxer.read(epoch: run)
            counters.bytesFetched.set(Int(demuxer.bytesFetched))
            if let time = packet.dts ?? packet.pts {
                reading.reached = max(reading.reached, time + (packet.duration ?? .zero) - demuxer.info.startTime)
                let former = fold.seams
                packet.shift(by: fold.offset(stream: packet.streamIndex, time: time, isDecodeTime: packet.dts != nil))
                if fold.seams != former { pipeline.state.update { [known = fold.known] in $0.seams = known } }
            }
            if !subtitles.take(packet) {
                reading.hasPackets = true
                counters.packetBytes.add(packet.byteCount)
                pipeline.state.update { $0.append(packet) }
            }
            noteDamage(demuxer.damageCount)
        } catch {
            if error.code == .interrupted { return }
            // Before the lanes end: who plays the last of them knows how the source ended.
            if let failure = end(of: demuxer, after: error, reading) {
                reading.hasBrokenOff = true
                report(.brokeOff(failure))
            }
            pipeline.state.update { $0.endLanes(run) }
            if error.code == .endOfMedia { report(.readToEnd) }
        }
    }

    /// Says once that something is damaged.
    private func noteDamage(_ count: Int) {
        let known = counters.damage.current
        guard count > known else { return }
        counters.damage.set(count)
        if known == 0 { report(.notice("a damaged part of the file was skipped")) }
    }

    /// Why an end is not that of the source, said to the person once; nil where it is.
    private func end(of demuxer: borrowing Demuxer, after error: MediaError, _ reading: Reading) -> MediaError? {
        let known = counters.damage.current
        // One sentence is enough: that parts are damaged goes without saying now.
        counters.damage.set(max(demuxer.damageCount, error.code == .endOfMedia ? 0 : 1))
        var reason = ""
        if error.code != .endOfMedia {
            Self.log.error("\(error)")
            reason = "the source broke off: \(error.reason.isEmpty ? "read error" : error.reason)"
        } else if demuxer.damageCount > known || demuxer.isCut(reached: reading.isContinuous ? reading.reached : nil) {
            reason = "the file is incomplete: it breaks off before its end"
        }
        guard !reason.isEmpty else { return nil }
        if !reading.hasPackets, reading.isContinuous, demuxer.info.container.hasPrefix("mov,"), !demuxer.info.isSeekable {
            reason = "its index lies at its end, and this source can be read from start to end only"
        } else {
            report(.notice(reason))
        }
        return MediaError(.readFailed, "play all of", subject: input.name, cause: error.cause, reason: reason)
    }
}
