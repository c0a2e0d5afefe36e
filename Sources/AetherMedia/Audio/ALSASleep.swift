import AetherCore
import CALSA
import Glibc

/// A wait in poll(2) for a wake handle and, where it is of use, for a PCM.
struct ALSASleep {
    /// The wake handle was signalled.
    let isWoken: Bool
    /// The PCM reports an error; its state tells which.
    let isDeviceInTrouble: Bool

    /// Sleeps for at most a span. Throws `.audioDevice` where that cannot be; `name` is the device's.
    init(
        _ pcm: OpaquePointer, isDeviceUsed: Bool, wake: WakeHandle, atMost span: TimeSpan, name: String
    ) throws(MediaError) {
        var descriptors = [pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)]
        let count = isDeviceUsed ? Int(max(0, min(64, snd_pcm_poll_descriptors_count(pcm)))) : 0
        if count > 0 {
            descriptors += [pollfd](repeating: pollfd(), count: count)
            let result = descriptors.withUnsafeMutableBufferPointer { buffer in
                buffer.baseAddress.map { snd_pcm_poll_descriptors(pcm, $0 + 1, UInt32(count)) } ?? -EINVAL
            }
            if result < 0 { throw .alsa("wait for audio device", name: name, result) }
        }
        // Rounded up, or the last millisecond would be spent spinning. At most an hour: poll takes 32 bits.
        let milliseconds = Int32(clamping: min(3_600_000, span.nanoseconds / 1_000_000 + 1))
        let result = Glibc.poll(&descriptors, nfds_t(descriptors.count), milliseconds)
        if result < 0 && errno != EINTR { throw .alsa("wait for audio device", name: name, -errno) }
        var events: UInt16 = 0
        if result > 0, count > 0 {
            let translated = descriptors.withUnsafeMutableBufferPointer { buffer in
                buffer.baseAddress.map { snd_pcm_poll_descriptors_revents(pcm, $0 + 1, UInt32(count), &events) } ?? -EINVAL
            }
            if translated < 0 { throw .alsa("wait for audio device", name: name, translated) }
        }
        isDeviceInTrouble = events & UInt16(POLLERR | POLLNVAL) != 0
        isWoken = result > 0 && descriptors[0].revents & Int16(POLLIN) != 0
    }
}
