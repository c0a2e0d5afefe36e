import AetherCore
import AetherMedia

/// The device over time: given back in a long rest, replaced when it is lost.
extension AudioWork {
    /// The moment at which an idle device is given back.
    var restUntil: HostTime? {
        mutating get {
            lease.note(isHeard: renderer?.isRunning ?? false, now: stage.time.now())
            return renderer?.isOpen ?? false ? lease.expiry : nil
        }
    }

    mutating func releaseDevice() {
        guard renderer?.isOpen ?? false, lease.isOver(at: stage.time.now()) else { return }
        Self.log.info("\(renderer?.deviceName ?? ""): given back until it is needed")
        renderer?.release()
    }

    /// Takes a device that was given back; where it has changed meanwhile, audio begins anew on it.
    mutating func retakeDevice() throws(MediaError) {
        guard !(renderer?.isOpen ?? true) else { return }
        guard try renderer?.reopen() == false else { return }
        renderer = nil
        try feed.reopenDevice(into: &renderer)
    }

    /// A lost device is replaced by the next one; a stream that cannot be decoded is given up.
    mutating func recover(from error: MediaError) {
        guard error.code == .audioDevice, phase == .feeding else { return fail(error) }
        breakJoint()
        // One that stands although it can be opened would stand again.
        let isStuck = renderer?.isStuck ?? false, place = feed.roster.position
        renderer = nil
        if isStuck { feed.roster.giveUp(error, at: nil) } else { feed.roster.lose(error, at: stage.time.now()) }
        do throws(MediaError) {
            try feed.reopenDevice(into: &renderer)
            if isStuck { feed.watchStanding(place) }
        } catch {
            fail(error)
        }
    }

    private mutating func fail(_ error: MediaError) {
        Self.log.error("\(error)")
        breakJoint()
        phase = .finished
        let now = stage.time.now()
        if let anchor = stage.synchronizer.anchor(epoch: epoch) {
            // Video goes on from the point last heard, on the monotonic clock.
            let line = ClockAnchor(media: anchor.time(at: now), host: now, rate: anchor.rate == 0 ? 0 : feed.tempo)
            stage.synchronizer.anchor(line, epoch: epoch)
        }
        renderer = nil
        stage.report(.lost(.audio, epoch, error))
    }
}
