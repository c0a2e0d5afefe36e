import AetherCore
import AetherTestSupport

/// Short films for seeking: 60 frames of 160x32, each saying its number as `NumberedFilm`'s do, a key frame every 12.
enum SeekVideo: String, CaseIterable, Sendable {
    case h264, h264Open, hevc, hevcOpen

    static let count = 60
    private static let blocks =
        "nullsrc=s=160x32:r=25:d=2.4,geq=lum='235*mod(floor(N/pow(2\\,floor(X/16)))\\,2)':cb=128:cr=128,format=yuv420p"

    private var codec: [String] {
        switch self {
        case .h264: ["-c:v", "libx264", "-x264-params", "keyint=12:bframes=4:b-pyramid=normal:b-adapt=0:scenecut=0"]
        case .h264Open:
            ["-c:v", "libx264", "-x264-params", "keyint=12:bframes=4:b-pyramid=normal:b-adapt=0:scenecut=0:open-gop=1"]
        case .hevc: ["-c:v", "libx265", "-x265-params", "keyint=12:bframes=4:b-adapt=0:scenecut=0:open-gop=0:log-level=none"]
        case .hevcOpen: ["-c:v", "libx265", "-x265-params", "keyint=12:bframes=4:b-adapt=0:scenecut=0:open-gop=1:log-level=none"]
        }
    }

    /// How the frames are packed.
    enum Packing: String, CaseIterable, Sendable {
        case mp4, mov, fragments, mkv, ts, nut
        /// MP4 that begins in the middle of a GOP by its edit list.
        case cut
        /// Frames alone.
        case raw

        /// Frames at the beginning that are decoded and not shown.
        var hidden: Int { self == .cut ? 17 : 0 }
    }

    /// Made once.
    func clip(_ packing: Packing) throws -> String {
        let film = try Fixtures.clip(
            ["-f", "lavfi", "-i", Self.blocks, "-frames:v", "\(Self.count)"] + codec + ["-preset", "fast", "-threads", "1"],
            ext: "mp4")
        let copy = ["-i", film, "-c", "copy"]
        switch packing {
        case .mp4: return film
        case .mov, .mkv, .ts, .nut: return try Fixtures.clip(copy, ext: packing.rawValue)
        case .fragments: return try Fixtures.clip(copy + ["-movflags", "frag_keyframe+empty_moov"], ext: "mp4")
        case .cut: return try Fixtures.clip(["-ss", "0.68"] + copy, ext: "mp4")
        case .raw: return try Fixtures.clip(copy, ext: rawValue.hasPrefix("hevc") ? "h265" : "h264")
        }
    }
}
