import AetherCore
import AetherMedia

/// The conditions that wake the audio thread while its device needs nothing.
extension AudioWork {
    private var generation: AudioGeneration { AudioGeneration(epoch: epoch, stream: stream, revision: revision) }

    /// Sleeps until the epoch, the stream or the session changes.
    mutating func waitForIntent() {
        let mine = generation
        let changed: Bool? = stage.pipeline.state.wait(for: .intent, until: restUntil) {
            mine.isOutdated(by: $0.intent) ? true : nil
        }
        if changed == nil { releaseDevice() }
    }

    /// Audio is ready but for its device: says so, and sleeps until it is to be heard.
    mutating func waitForPlay() {
        if !isPrimed { stage.report(.primed(.audio, epoch, feed.expected ?? .zero)) }
        let mine = generation
        _ = stage.pipeline.state.wait(for: .intent) { state -> Bool? in
            mine.isOutdated(by: state.intent) || state.intent.mayOpenDevice ? true : nil
        }
    }

    /// Sleeps until the stream has a packet or has ended, intent changes, or the deadline.
    func waitForPackets(until deadline: HostTime?) {
        guard let stream else { return }
        let mine = generation, before = currentIntent(), ended = feed.hasEnded
        let parts: MonitorParts = ended ? .intent : [.intent, .audioPackets, .turns]
        _ = stage.pipeline.state.wait(for: parts, until: deadline) { state -> Bool? in
            if mine.isOutdated(by: state.intent) { return true }
            if state.intent.clockRuns != before.clockRuns || state.intent.rate != before.rate { return true }
            if ended { return nil }
            return !state.packets.isEmpty(stream) || state.packets.isExhausted(stream) ? true : nil
        }
    }

    /// After running dry: sleeps until the reserve is queued, or all there will be.
    func waitForReserve() {
        guard let stream else { return }
        let mine = generation
        _ = stage.pipeline.state.wait(for: [.intent, .packets, .turns]) { state -> Bool? in
            mine.isOutdated(by: state.intent) || state.hasReserve(stream: stream) ? true : nil
        }
    }

    /// Primed and quiet: sleeps until playing begins or anything else is wanted.
    mutating func waitWhileQuiet(_ intent: AudioIntent, mayDecode: Bool) {
        if mayDecode {
            waitForPackets(until: nil)
            return
        }
        let mine = generation
        let changed: Bool? = stage.pipeline.state.wait(for: .intent, until: restUntil) { state -> Bool? in
            let wanted = state.intent
            return mine.isOutdated(by: wanted) || wanted.clockRuns || wanted.rate != intent.rate ? true : nil
        }
        if changed == nil { releaseDevice() }
    }
}
