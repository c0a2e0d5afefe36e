import AetherCore
import AetherMedia

extension PlaybackControl {
    /// A receiver decodes by itself: what it plays has none of our settings of audio.
    func obstacle(to command: PlayerCommand) -> String? {
        guard isPassedThrough, case .set(let change) = command, let words = change.setting.obstacleOfReceiver else { return nil }
        return "the receiver decodes the audio: " + words
    }

    /// Says how far the source has come. It never goes back: a second connection is no new start.
    mutating func reach(_ next: StartupCheckpoint) {
        guard next > checkpoint else { return }
        checkpoint = next
        // All decoders are open by now.
        if next == .presenting { (ProcessBox.current as? any MediaBox)?.endSpares() }
        let progress = StartupProgress(generation: UInt64(loadNumber), checkpoint: next)
        publish { $0.snapshot.startupProgress = progress }
    }

    /// The next time playing goes on with more in hand; a server that is too slow is said once.
    mutating func ranDry(_ epoch: Epoch) {
        guard epoch == machine.epoch, machine.isRunning, !machine.isStarved else { return }
        guard let session else { return }
        session.pipeline.change { $0.buffer = $0.buffer.afterDryness }
        let now = time.now()
        guard machine.reconnecting == nil, let bytes = session.networkFigures?.bytes,
            let media = session.synchronizer.time(at: now)
        else { return pace.forget() }
        if let shortage = pace.ranDry(now, media: media, bytes: bytes, rate: machine.settings.rate) { notice(shortage.sentence) }
    }
}

extension StartupCheckpoint {
    /// The step of a request, as a step of the source.
    init(_ step: ConnectionStep) {
        switch step {
        case .resolving: self = .resolving
        case .connecting: self = .connecting
        case .waiting: self = .waiting
        }
    }
}
