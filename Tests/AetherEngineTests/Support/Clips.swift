import AetherCore
import AetherTestSupport

/// The small films the engine is run with: 96 x 64, 25 frames a second, a key frame each second unless it says otherwise.
enum Clips {
    private static func picture(_ seconds: Double) -> [String] { ["-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=\(seconds)"] }
    private static func sound(_ seconds: Double, frequency: Int = 440) -> [String] {
        ["-f", "lavfi", "-i", "sine=f=\(frequency):r=48000:d=\(seconds)"]
    }
    private static let video = [
        "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-g", "25", "-threads", "1",
    ]
    private static let audio = ["-c:a", "flac"]

    static func film(_ seconds: Double = 4, sound length: Double? = nil) throws -> String {
        try Fixtures.clip(picture(seconds) + sound(length ?? seconds) + video + audio, ext: "mkv")
    }

    /// A key frame every 5 s, as files of the web have.
    static func distantKeys(_ ext: String) throws -> String {
        try Fixtures.clip(
            picture(16) + sound(16) + video + ["-g", "125", "-keyint_min", "125", "-c:a", ext == "mp4" ? "aac" : "flac"],
            ext: ext)
    }

    /// As MPEG-TS, which has no index and begins at 1.4 s.
    static func broadcast() throws -> String { try Fixtures.clip(picture(4) + sound(4) + video + ["-c:a", "aac"], ext: "ts") }

    /// Eight seconds as a recorder writes them, readable while it writes: without an index, without a length.
    static func recording(_ ext: String) throws -> String {
        let live =
            ext == "mp4" ? ["-movflags", "empty_moov+frag_keyframe+default_base_moof"] : ext == "mkv" ? ["-live", "1"] : []
        let audio = ["-c:a", ext == "mkv" ? "flac" : "aac"]
        return try Fixtures.clip(picture(8) + sound(8) + video + audio + live, ext: ext)
    }

    /// As MPEG-TS, without audio.
    static func silentBroadcast(_ seconds: Double = 4) throws -> String {
        try Fixtures.clip(picture(seconds) + video, ext: "ts")
    }

    static func silentVideo(_ seconds: Double = 2) throws -> String { try Fixtures.clip(picture(seconds) + video, ext: "mp4") }

    /// Without sound, and readable from a pipe.
    static func silentStream(_ seconds: Double = 4) throws -> String { try Fixtures.clip(picture(seconds) + video, ext: "mkv") }

    /// Pictures of uneven length, some of seconds, with references among the B-frames.
    static func unevenFilm() throws -> String {
        let uneven = ["-vf", "select='not(mod(n\\,3))+lt(mod(n\\,40)\\,7)-between(n\\,60\\,110)'", "-fps_mode", "vfr"]
        return try Fixtures.clip(
            picture(6) + uneven + ["-pix_fmt", "yuv420p", "-c:v", "libx264", "-bf", "4", "-b-pyramid", "normal"]
                + ["-x264-params", "b-adapt=0:keyint=60:scenecut=0", "-threads", "1"], ext: "mkv")
    }

    /// As MPEG-TS, where the stamp of one picture lies 100 s ahead.
    static func damagedStamp() throws -> String {
        try Fixtures.clip(
            picture(2) + video + ["-bf", "0", "-bsf:v", "setts=pts=PTS+if(eq(N\\,20)\\,9000000)"], ext: "ts")
    }

    static func tone(_ seconds: Double = 2) throws -> String { try Fixtures.clip(sound(seconds) + audio, ext: "flac") }

    /// One stream begins three seconds after the other.
    static func late(sound isSoundLate: Bool) throws -> String {
        let inputs = isSoundLate ? picture(4) + ["-itsoffset", "3"] + sound(1) : ["-itsoffset", "3"] + picture(1) + sound(4)
        return try Fixtures.clip(inputs + video + audio, ext: "mkv")
    }

    /// Fields of 50 a second woven into 25 pictures: as MPEG-2, H.264 (MBAFF) or DV. Its n-th field shows the n-th picture of the source.
    static func interlaced(_ codec: String, seconds: Double = 2, from start: Double = 0) throws -> String {
        let size = codec == "dvvideo" ? "720x576" : "192x128"
        let weave = codec == "dvvideo" ? "tinterlace=interleave_bottom,setfield=bff" : "tinterlace=interleave_top,setfield=tff"
        let how: [String: [String]] = [
            "mpeg2video": ["-c:v", "mpeg2video", "-qscale:v", "2", "-g", "12", "-bf", "2"],
            "libx264": ["-c:v", "libx264", "-preset", "ultrafast", "-qp", "10", "-x264opts", "tff=1", "-bf", "2", "-g", "25"],
            "dvvideo": ["-c:v", "dvvideo", "-pix_fmt", "yuv420p"],
        ]
        return try Fixtures.clip(
            ["-f", "lavfi", "-i", "testsrc2=s=\(size):r=50:d=\(seconds)", "-vf", "\(weave),format=yuv420p"]
                + (how[codec] ?? []) + ["-flags", "+ilme+ildct", "-threads", "1"]
                + (codec == "dvvideo" ? [] : ["-muxdelay", "0", "-muxpreload", "0", "-output_ts_offset", "\(start)"]),
            ext: codec == "dvvideo" ? "dv" : "ts")
    }

    /// The same without fields, as another part of that broadcast.
    static func progressivePart(from start: Double) throws -> String {
        try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "testsrc2=s=192x128:r=25:d=1", "-pix_fmt", "yuv420p", "-c:v", "mpeg2video", "-qscale:v", "2",
                "-g", "12",
            ]
                + ["-bf", "2", "-threads", "1", "-muxdelay", "0", "-muxpreload", "0", "-output_ts_offset", "\(start)"], ext: "ts")
    }

    /// Two sound tracks.
    /// A second picture, upright and slower.
    static func twoPictures() throws -> String {
        try Fixtures.clip(
            picture(6) + ["-f", "lavfi", "-i", "testsrc=s=64x96:r=10:d=6"] + sound(6)
                + ["-map", "0", "-map", "1", "-map", "2"] + video + audio, ext: "mkv")
    }

    static func bilingual() throws -> String {
        try Fixtures.clip(
            picture(6) + sound(6) + sound(6, frequency: 880) + [
                "-map", "0", "-map", "1", "-map", "2", "-metadata:s:a:0", "language=eng",
            ]
                + ["-metadata:s:a:1", "language=ger"] + video + audio, ext: "mkv")
    }
}
