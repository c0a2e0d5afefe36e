import Synchronization

/// A stretch of sound as it is played, for meters and spectra: mono, 48 kHz.
public struct AudioTapBuffer: Sendable {
    /// −1 … 1 and somewhat beyond, before the volume.
    public let samples: [Float]
    /// When the first sample is heard, in seconds on the source axis. Buffers come up to a second before that.
    public let sourceTime: Double
    /// It does not join the buffer before it: the beginning, a seek, a hole.
    public let discontinuity: Bool

    /// A stretch.
    public init(samples: [Float], sourceTime: Double, discontinuity: Bool) {
        self.samples = samples
        self.sourceTime = sourceTime
        self.discontinuity = discontinuity
    }
}

/// Those who want to hear what is played: each has a stream of its own. Any thread; never blocks.
final class TapAudience: Sendable {
    private struct State {
        var count = 0
        var listeners: [Int: AsyncStream<AudioTapBuffer>.Continuation] = [:]
    }
    /// Who does not listen misses the oldest: 64 buffers are 1.5 s of MP3.
    private static let limit = 64
    private let state = Mutex(State())

    /// Whether anybody listens: nobody else pays for the conversion.
    var isHeard: Bool { state.withLock { !$0.listeners.isEmpty } }

    /// Another listener's stream, from now on.
    func listen() -> AsyncStream<AudioTapBuffer> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: AudioTapBuffer.self, bufferingPolicy: .bufferingNewest(Self.limit))
        let number = state.withLock { state in
            state.count += 1
            state.listeners[state.count] = continuation
            return state.count
        }
        continuation.onTermination = { [weak self] _ in self?.leave(number) }
        return stream
    }

    func tell(_ buffer: AudioTapBuffer) {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(buffer) }
    }

    private func leave(_ number: Int) { _ = state.withLock { $0.listeners.removeValue(forKey: number) } }
}
