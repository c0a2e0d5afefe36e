public import AetherSources

/// A source to play.
public enum MediaSource: Sendable {
    /// A path, a URL, or standard input.
    case location(MediaLocation)
    /// Bytes that the host brings; the name is shown and helps the probe.
    case custom(any IOReader, name: String)
}
