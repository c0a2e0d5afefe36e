public import AetherSources

/// Audio that does not lie in the source: a file or a URL, played with it from the same start.
public struct ExternalAudioTrack: Sendable, Equatable {
    /// The file or address.
    public var location: MediaLocation
    /// The name; nil: that of the file.
    public var name: String?
    /// ISO 639; nil: as the file says.
    public var language: String?

    /// A file or URL.
    public init(_ location: MediaLocation, name: String? = nil, language: String? = nil) {
        self.location = location
        self.name = name
        self.language = language
    }
}
