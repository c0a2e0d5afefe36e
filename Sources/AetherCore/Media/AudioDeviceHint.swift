/// A playback device by ALSA's word: what its configuration names. Whether it opens is known only when it is opened.
public struct AudioDeviceHint: Sendable, Equatable {
    /// The name for `--audio-device`.
    public let name: String
    /// ALSA's words on it, one line each, safe to display; empty where it has none.
    public let description: [String]

    /// A hint.
    public init(name: String, description: [String]) {
        self.name = name
        self.description = description
    }
}
