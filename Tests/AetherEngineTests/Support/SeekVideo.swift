import AetherCore
import AetherTestSupport
import Foundation
import Testing

/// Short films for seeking: 60 frames of 160x32, each saying its number as `NumberedFilm`'s do, a key frame every 12.
enum SeekVideo: String, CaseIterable, Sendable {
    case h264, h264Open, hevc, hevcOpen
    /// Open GOPs, the last of which is a key frame, a P-frame and the B-frames between: frames 54 to 59.
    case h264OpenShort

    static let count = 60
    private static let blocks =
        "nullsrc=s=160x32:r=25:d=2.4,geq=lum='235*mod(floor(N/pow(2\\,floor(X/16)))\\,2)':cb=128:cr=128,format=yuv420p"

    private var codec: [String] {
        switch self {
        case .h264: ["-c:v", "libx264", "-x264-params", "keyint=12:bframes=4:b-pyramid=normal:b-adapt=0:scenecut=0"]
        case .h264Open:
            ["-c:v", "libx264", "-x264-params", "keyint=12:bframes=4:b-pyramid=normal:b-adapt=0:scenecut=0:open-gop=1"]
        case .h264OpenShort:
            ["-c:v", "libx264", "-x264-params", "keyint=54:bframes=4:b-pyramid=strict:b-adapt=0:scenecut=0:open-gop=1"]
        case .hevc: ["-c:v", "libx265", "-x265-params", "keyint=12:bframes=4:b-adapt=0:scenecut=0:open-gop=0:log-level=none"]
        case .hevcOpen: ["-c:v", "libx265", "-x265-params", "keyint=12:bframes=4:b-adapt=0:scenecut=0:open-gop=1:log-level=none"]
        }
    }

    /// How the frames are packed.
    enum Packing: String, CaseIterable, Sendable {
        case mp4, mov, fragments, mkv, ts, nut
        /// MP4 that begins in the middle of a GOP by its edit list.
        case cut
        /// MP4 whose edit list begins with a frame that is shown before a key frame and decoded after it.
        case cutLeading
        /// Frames alone.
        case raw

        /// Frames at the beginning that are decoded and not shown.
        var hidden: Int { self == .cut ? 17 : self == .cutLeading ? 23 : 0 }
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
        case .cutLeading: return try Self.edited(film, hiding: packing.hidden)
        case .cut: return try Fixtures.clip(["-ss", "0.68"] + copy, ext: "mp4")
        case .raw: return try Fixtures.clip(copy, ext: rawValue.hasPrefix("hevc") ? "h265" : "h264")
        }
    }

    /// The MP4 with its one edit begun later by so many frames: muxers hide no more of them than they must.
    private static func edited(_ film: String, hiding frames: Int) throws -> String {
        var bytes = try Data(contentsOf: URL(filePath: film))
        let name = try #require(bytes.range(of: Data("elst".utf8)))
        // Version, flags and count have 8 bytes; then come the duration in milliseconds and the time in ticks of 1/12800 s.
        for (place, change) in [(8, -40 * frames), (12, 512 * frames)] {
            let field = name.upperBound + place..<name.upperBound + place + 4
            let value = bytes[field].reduce(0) { $0 << 8 | Int($1) } + change
            bytes.replaceSubrange(field, with: withUnsafeBytes(of: UInt32(value).bigEndian, Array.init))
        }
        let path = "\(film)-from-\(frames).mp4"
        try bytes.write(to: URL(filePath: path), options: .atomic)
        return path
    }
}
