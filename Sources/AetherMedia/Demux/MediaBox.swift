public import AetherCore

/// A place apart for code that takes hostile bytes apart: what its objects answer was checked, and may still be anything that a file could say.
/// Any thread.
public protocol MediaBox: DecodingBox {
    /// Whether a source that cannot be opened in it is refused, and not opened in this process.
    var isStrict: Bool { get }

    /// Whether it works on this machine. Blocks until that is known.
    func isSound() -> Bool

    /// Opens a source. `bytes` gives them; they are asked for in the calls of the demuxer, on its thread. Blocks. Throws as `Demuxer`.
    func openSource(_ bytes: BoxedBytes, name: String, options: OpenOptions) throws(MediaError) -> any BoxedDemuxing
}
