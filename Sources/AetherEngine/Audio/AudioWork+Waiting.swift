import AetherCore
import AetherMedia

/// The conditions that wake the audio thread while its device needs nothing.
extension AudioWork where Device: ~Copyable {
    /// Sleeps until the epoch, the stream or the session changes.
    mutating func waitForIntent(_ intent: AudioIntent) {
        let changed: Bool? = stage.pipeline.state.wait(until: restUntil) { state -> Bool? in
            state.isStopped || state.epoch != intent.epoch || state.activeAudio != intent.stream
                || state.soundRevision != intent.revision ? true : nil
        }
        if changed == nil { releaseDevice() }
    }

    /// Sound is ready but for its device: says so, and sleeps until somebody wants to hear it.
    mutating func waitForPlay() {
        if !isPrimed { stage.report(.primed(.audio, epoch, feed.expected ?? .zero)) }
        let mine = epoch, before = revision, stream = stream
        _ = stage.pipeline.state.wait { state -> Bool? in
            state.isStopped || state.epoch != mine || state.activeAudio != stream || state.soundRevision != before
                || state.mayOpenDevice ? true : nil
        }
    }

    /// Sleeps until the stream has a packet or has ended, intent changes, or the deadline.
    func waitForPackets(until deadline: HostTime?) {
        guard let stream else { return }
        let mine = epoch, ended = feed.hasEnded
        let before = currentIntent(), started = revision
        _ = stage.pipeline.state.wait(until: deadline) { state -> Bool? in
            if state.isStopped || state.epoch != mine || state.activeAudio != stream || state.soundRevision != started {
                return true
            }
            if state.clockRuns != before.clockRuns || state.settings.rate != before.settings.rate { return true }
            if ended { return nil }
            return !state.isEmpty(stream: stream) || state.isExhausted(stream: stream) ? true : nil
        }
    }

    /// After running dry: sleeps until the reserve is queued, or all there will be.
    func waitForReserve() {
        guard let stream else { return }
        let mine = epoch, before = revision
        _ = stage.pipeline.state.wait { state -> Bool? in
            if state.isStopped || state.epoch != mine || state.activeAudio != stream || state.soundRevision != before {
                return true
            }
            return state.hasReserve(stream: stream) ? true : nil
        }
    }

    /// Primed and quiet: sleeps until playing begins or anything else is wanted.
    mutating func waitWhileQuiet(_ intent: AudioIntent, mayDecode: Bool) {
        if mayDecode {
            waitForPackets(until: nil)
            return
        }
        let mine = epoch
        let changed: Bool? = stage.pipeline.state.wait(until: restUntil) { state -> Bool? in
            state.isStopped || state.epoch != mine || state.activeAudio != intent.stream || state.soundRevision != intent.revision
                || state.clockRuns || state.settings.rate != intent.settings.rate ? true : nil
        }
        if changed == nil { releaseDevice() }
    }
}
