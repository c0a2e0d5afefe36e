public import AetherCore

/// Live FFmpeg objects, counted: all must be zero again after a session was stopped.
public enum MediaBalance {
    /// Packets that are kept as libav made them.
    public static let packets = Counter()
    /// Memory of all others.
    public static let payloadBlocks = Counter()
    /// Frames of video and audio.
    public static let frames = Counter()
    /// Pieces of memory that large frames are decoded into, in use or waiting to be.
    public static let frameMemory = Counter()
    /// Format, codec, scaler, resampler and filter contexts.
    public static let contexts = Counter()
}
