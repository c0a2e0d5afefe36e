import CFFmpeg

/// The families of containers that are told apart by their nature; all others are read alike.
public enum Container: Sendable, Equatable {
    case matroska
    /// MP4, QuickTime, 3GP and the like.
    case isoBMFF
    case mpegTS
    case other

    /// Reads libavformat's short name, for example "mov,mp4,m4a,3gp,3g2,mj2".
    public init(formatName name: String) {
        self =
            switch name {
            case _ where name.hasPrefix("matroska"): .matroska
            case _ where name.hasPrefix("mov,"): .isoBMFF
            case _ where name.hasPrefix("mpegts"): .mpegTS
            default: .other
            }
    }

    /// The file has an index of key frames, so that a seek finds the right one without reading around it.
    public var isIndexed: Bool { self == .matroska || self == .isoBMFF }
}

extension Container {
    /// The family of an open context.
    init(of context: UnsafeMutablePointer<AVFormatContext>) {
        self.init(formatName: FFmpegText.string(context.pointee.iformat?.pointee.name))
    }
}
