import AetherCore
import CALSA
import Glibc

/// Underruns, suspended machines, and devices that are gone.
extension ALSADevice {
    /// The margin beyond its delay for which a device that has run dry is left alone: positions are true to a millisecond or two.
    private static var tailMargin: TimeSpan { .milliseconds(3) }
    /// No device holds more than this behind an empty ring.
    private static var longestTail: TimeSpan { .seconds(2) }

    /// The status of a device whose ring is empty while its last samples are on their way: a server's sink has taken them and not
    /// played them. To prepare it anew now would cut them off: 2 ms of a null sink, more where a sink has a latency of its own. nil when all
    /// was heard.
    var unheardTail: AudioDeviceStatus? {
        guard isStarted, let lastDelay else { return nil }
        let now = time.now()
        let held = min(format.duration(frames: lastDelay.frames), Self.longestTail)
        let left = held - (now - lastDelay.host)
        guard left + Self.tailMargin > .zero else { return nil }
        return AudioDeviceStatus(delayFrames: max(1, format.frames(in: left)), availableFrames: 0, host: now, isRunning: true)
    }

    /// POLLERR says only that something is wrong; the state says what.
    func recoverFromState(_ pcm: OpaquePointer) throws(MediaError) {
        switch snd_pcm_state(pcm) {
        case SND_PCM_STATE_XRUN: try recover(pcm, -EPIPE, "wait for audio device")
        case SND_PCM_STATE_SUSPENDED: try recover(pcm, -ESTRPIPE, "wait for audio device")
        default: throw .alsa("wait for audio device", name: name, -ENODEV)
        }
    }

    /// Brings the device back to prepared and empty, or throws when it is lost.
    func recover(_ pcm: OpaquePointer, _ result: Int32, _ operation: String) throws(MediaError) {
        switch result {
        case -EPIPE: xrunCount += 1
        case -ESTRPIPE:
            xrunCount += 1
            var attempts = 0
            while snd_pcm_resume(pcm) == -EAGAIN, attempts < ALSADevice.resumeAttempts {
                // Bounded: 10 × 20 ms. The card, not a thread, is awaited, and it has no descriptor for this.
                _ = Glibc.poll(nil, 0, 20)
                attempts += 1
            }
        case -EINTR: return
        default: throw .alsa(operation, name: name, result)
        }
        isStarted = false
        lastDelay = nil
        // Also after a resume: what a card plays then of its old buffer is unknown, so it starts empty like after an underrun.
        snd_pcm_drop(pcm)
        let prepared = snd_pcm_prepare(pcm)
        if prepared < 0 { throw .alsa(operation, name: name, prepared) }
    }
}
