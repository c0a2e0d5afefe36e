import AetherCore
import AetherMedia
import Synchronization

/// The state machine's decisions, carried out: each effect is a change of the pipeline's state.
extension PlaybackSession {
    /// Carries out one effect. Never blocks.
    func perform(_ effect: PlaybackEffect) {
        switch effect {
        case .begin(let epoch, let plan):
            synchronizer.anchor(nil, epoch: epoch)
            pipeline.begin(epoch, plan: mayRetreat(plan))
        case .runAudio(let runs):
            pipeline.change { $0.clockRuns = runs }
        case .runMonotonic(let point, let rate):
            anchorHere(point, rate: rate)
            pipeline.change { $0.clockRuns = true }
        case .holdMonotonic(let point):
            anchorHere(point, rate: 0)
            pipeline.change { $0.clockRuns = false }
        case .keepDistance(let rate): pipeline.change { $0.distanceRate = rate }
        case .set(let change): pipeline.change { $0.settings.apply(change) }
        case .setAudioDevice(let name): pipeline.change { $0.audioDevice = name }
        case .showNextFrame: pipeline.change { $0.stepsWanted += 1 }
        case .selectAudio(let id): pipeline.change { $0.activeAudio = id.stream }
        case .switchAudio(let id):
            let point = synchronizer.time(at: time.now()) ?? .zero
            if let stream = id.stream { pipeline.switchAudio(to: stream, at: point) }
        case .selectVideo(let id): pipeline.change { $0.activeVideo = id.stream }
        case .selectVariant(let id, let turn): pipeline.change { $0.variant = VariantPin(id: id, turn: turn) }
        case .dropAudio:
            pipeline.change { $0.activeAudio = nil }
        case .dropVideo:
            pipeline.change { $0.activeVideo = nil }
        case .setEnd(let end): pipeline.change { $0.plan.end = end }
        case .selectSubtitle(let id):
            let point = synchronizer.time(at: time.now())
            pipeline.change {
                $0.joinPoint = point
                $0.subtitles.track = id
                $0.watchSubtitles()
            }
        case .selectSecondarySubtitle(let id):
            let point = synchronizer.time(at: time.now())
            pipeline.change {
                $0.joinPoint = point
                $0.subtitles.secondary = id
                $0.watchSubtitles()
            }
        case .loadSubtitles(let track):
            loadedSubtitles.withLock { $0.append(track) }
            subtitleRequests.update { $0.waiting.append(.load(track, isWanted: true)) }
        case .removeSubtitles(let id): forget(external: id)
        case .setTeletextPage(let page): pipeline.change { $0.teletextPage = page }
        case .loadAudio(let track):
            loadedAudio.withLock { $0.append(track) }
            pipeline.change { $0.addedSources.append(AddedSource(track: track, isWanted: true)) }
        case .startRecording(let order): record(order)
        case .stopRecording:
            // A reader that waits for a server does not hear of it before that has answered.
            recording.withLock { $0 }?.close()
            pipeline.change { $0.recorder = nil }
        case .redrawCover: pipeline.change { $0.coversWanted += 1 }
        // Which streams those are, `PlaybackControl.enter` says.
        case .notice, .seek, .selectTitle, .menu: break
        }
    }

    /// Allows the audio device to be opened, because playback is wanted.
    func allowDevice() {
        guard pipeline.state.read({ !$0.intent.mayOpenDevice }) else { return }
        pipeline.change { $0.mayOpenDevice = true }
    }

    /// Takes all settings over at once. Never blocks.
    func adopt(_ settings: PlaybackSettings) { pipeline.change { $0.settings = settings } }

    /// A plan with leave to begin further back, where the source can be sent there.
    private func mayRetreat(_ plan: SeekPlan) -> SeekPlan {
        guard let info, info.isSeekable else { return plan }
        let video = pipeline.state.read { $0.intent.activeVideo }
        return plan.mayRetreat(to: info.streams.first { $0.id == video }?.firstPoint ?? info.startTime)
    }

    private func anchorHere(_ point: MediaTime?, rate: Double) {
        let now = time.now()
        let (epoch, landing) = pipeline.state.read { ($0.intent.epoch, $0.output.landing ?? $0.intent.plan.target) }
        let media = point ?? synchronizer.anchor(epoch: epoch)?.time(at: now) ?? landing
        synchronizer.anchor(ClockAnchor(media: media, host: now, rate: rate), epoch: epoch)
    }
}
