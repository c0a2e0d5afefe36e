import AetherMedia

/// The way of a stream of video: copied, encoded anew, or refused. Pure.
enum VideoChoice: Equatable {
    /// Its packets are served as they are.
    case copied
    /// So they are, and a person should know what some clients lack.
    case copiedWith(notice: String)
    /// It is made into H.264.
    case transcoded
    /// HLS cannot carry it.
    case refused(reason: String)

    /// Codecs that HLS carries in MP4 and that its clients decode.
    private static let carried: Set = ["h264", "hevc", "av1", "vp9"]

    /// `format`: FFmpeg's name of the pixel format, nil where it is not known; `transcodes`: a person has asked for it.
    init(codec: String, pixelFormat format: String?, transcodes: Bool) {
        let isPlain = codec != "h264" || format.map { ["yuv420p", "yuvj420p", "nv12", "gray"].contains($0) } ?? true
        switch (Self.carried.contains(codec), isPlain) {
        case (true, true): self = .copied
        case (true, false) where !transcodes:
            self = .copiedWith(notice: "H.264 as \(format ?? "?") plays in few clients; --transcode makes it into usual H.264")
        case (false, _) where !transcodes:
            self = .refused(reason: "HLS cannot carry its video (\(codec)); --transcode makes it into H.264")
        default: self = .transcoded
        }
    }

    init(_ stream: StreamInfo, transcodes: Bool) {
        self.init(codec: stream.codecName, pixelFormat: stream.pixelFormat, transcodes: transcodes)
    }
}
