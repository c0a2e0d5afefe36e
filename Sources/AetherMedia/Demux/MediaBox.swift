public import AetherCore

/// A place apart for code that takes hostile bytes apart: what its objects answer was checked, and may still be anything that a file could say.
/// Any thread.
public protocol MediaBox: DecodingBox {
    /// Whether a source that cannot be opened in it is refused, and not opened in this process.
    var isStrict: Bool { get }

    /// Seconds of CPU that its processes have taken so far, those that have ended included. Reads a small file for each.
    var cpuSeconds: Double { get }

    /// Ends processes that were started ahead and that nobody has used: 4 MiB each. What is opened later starts its own, in some milliseconds. Never
    /// blocks.
    func endSpares()

    /// Whether it works on this machine. Blocks until that is known.
    func isSound() -> Bool

    /// Opens a source. `bytes` gives them; they are asked for in the calls of the demuxer, on its thread. Blocks. Throws as `Demuxer`.
    func openSource(_ bytes: BoxedBytes, name: String, options: OpenOptions) throws(MediaError) -> any BoxedDemuxing
}
