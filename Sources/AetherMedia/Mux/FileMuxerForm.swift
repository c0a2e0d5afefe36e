import CFFmpeg

/// A form of file that packets can be put into as they are.
public enum FileMuxerForm: String, Sendable, CaseIterable {
    case matroska, mp4, mpegTS

    /// The form that a file's name says by its ending, in any case; nil for an ending of none of them.
    public init?(path: String) {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        switch name[name.index(after: dot)...].lowercased() {
        case "mkv", "mka", "webm": self = .matroska
        case "mp4", "m4v", "m4a", "mov": self = .mp4
        case "ts", "m2ts", "mts": self = .mpegTS
        default: return nil
        }
    }

    /// The usual ending of its files' names, without the dot.
    public var pathExtension: String {
        switch self {
        case .matroska: "mkv"
        case .mp4: "mp4"
        case .mpegTS: "ts"
        }
    }

    /// libavformat's name of the muxer.
    var muxerName: String {
        switch self {
        case .matroska: "matroska"
        case .mp4: "mp4"
        case .mpegTS: "mpegts"
        }
    }

    /// Codecs of a transport stream. libavformat puts any other into it as private data, which no player reads.
    private static let transportCodecs: Set<String> = [
        "mpeg1video", "mpeg2video", "mpeg4", "h264", "hevc", "mp1", "mp2", "mp3", "aac", "aac_latm", "ac3", "eac3", "dts",
        "truehd",
        "opus", "dvb_subtitle", "dvb_teletext", "hdmv_pgs_subtitle",
    ]

    /// Whether a stream can lie in such a file as it is.
    public func holds(_ stream: StreamInfo) -> Bool {
        switch stream.kind {
        case .video, .audio, .subtitle: break
        case .attachment, .attachedPicture: return self == .matroska && stream.kind == .attachment
        case .data, .other: return false
        }
        guard let format = av_guess_format(muxerName, nil, nil) else { return false }
        if self == .mpegTS { return Self.transportCodecs.contains(stream.codecName) }
        return avformat_query_codec(format, stream.parameters.pointer.pointee.codec_id, FF_COMPLIANCE_NORMAL) == 1
    }
}
