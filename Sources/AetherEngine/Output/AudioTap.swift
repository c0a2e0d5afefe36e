/// A stretch of audio as it is played, for meters and spectra: mono, 48 kHz.
public struct AudioTapBuffer: Sendable {
    /// −1 … 1 and somewhat beyond, before the volume.
    public let samples: [Float]
    /// The time of the first sample, in seconds on the source axis. Buffers come up to a second before that.
    public let sourceTime: Double
    /// The buffer does not join the one before it: the beginning, a seek, a hole.
    public let discontinuity: Bool

    /// A stretch.
    public init(samples: [Float], sourceTime: Double, discontinuity: Bool) {
        self.samples = samples
        self.sourceTime = sourceTime
        self.discontinuity = discontinuity
    }
}
