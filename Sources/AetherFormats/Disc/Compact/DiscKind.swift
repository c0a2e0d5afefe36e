/// The kinds of compact disc that are played.
public enum DiscKind: Sendable, Equatable {
    /// Music.
    case audio
    /// MPEG-1.
    case video
    /// MPEG-2.
    case superVideo

    /// The name that people know.
    public var name: String {
        switch self {
        case .audio: "Audio CD"
        case .video: "Video CD"
        case .superVideo: "Super Video CD"
        }
    }
}
