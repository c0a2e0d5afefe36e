import AetherEngine
import Synchronization

/// Keeps the last seconds of what the engine's tap gives, so that the display can look up what is heard now. Any thread; never blocks.
final class TapRecorder: Sendable {
    private let buffers = Mutex<[AudioTapBuffer]>([])
    /// The tap is ahead of the ear by what the device and its queue hold, a second at most; 3 s hold that at double speed.
    private static let span = 3.0

    func take(_ buffer: AudioTapBuffer) {
        buffers.withLock { buffers in
            // After a seek what was recorded belongs to another place.
            if buffer.discontinuity {
                buffers.removeAll { abs($0.sourceTime - buffer.sourceTime) > Self.span || $0.sourceTime >= buffer.sourceTime }
            }
            buffers.append(buffer)
            let oldest = buffer.sourceTime - Self.span
            buffers.removeAll { $0.sourceTime < oldest || $0.samples.isEmpty }
            if buffers.count > 1024 { buffers.removeFirst(buffers.count - 1024) }
        }
    }

    func forget() { buffers.withLock { $0 = [] } }

    /// The `count` samples that end at a point in seconds of the source; nil when nothing of that is known.
    func samples(_ count: Int, endingAt end: Double) -> [Float]? {
        let begin = end - Double(count) / Spectrum.sampleRate
        let recent = buffers.withLock { buffers in
            buffers.filter { $0.sourceTime < end && $0.sourceTime + Double($0.samples.count) / Spectrum.sampleRate > begin }
        }
        guard !recent.isEmpty else { return nil }
        var result = [Float](repeating: 0, count: count)
        for buffer in recent {
            let offset = Int(((buffer.sourceTime - begin) * Spectrum.sampleRate).rounded())
            for index in max(0, -offset)..<max(max(0, -offset), min(buffer.samples.count, count - offset)) {
                result[offset + index] = buffer.samples[index]
            }
        }
        return result
    }
}
