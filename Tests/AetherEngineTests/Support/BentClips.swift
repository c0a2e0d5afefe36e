import AetherTestSupport
import Foundation

/// Films of 96 x 64 at 25 frames a second whose times are wrong in one way each.
enum BentClips {
    private static func picture(_ seconds: Double) -> [String] { ["-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=\(seconds)"] }
    private static func sound(_ seconds: Double) -> [String] { ["-f", "lavfi", "-i", "sine=f=440:r=48000:d=\(seconds)"] }
    private static let video = [
        "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-g", "25", "-threads", "1",
    ]

    /// A piece of a broadcast whose clock begins at so many seconds.
    static func broadcast(_ seconds: Double, from start: Double, withSound: Bool = true) throws -> String {
        try Fixtures.clip(
            picture(seconds) + (withSound ? sound(seconds) : []) + video + (withSound ? ["-c:a", "mp2"] : [])
                + ["-muxdelay", "0", "-muxpreload", "0", "-output_ts_offset", "\(start)"], ext: "ts")
    }

    /// As a broadcast, with the stamps of pictures rewritten.
    static func broadcast(_ seconds: Double, restamped body: (Int, TransportStream.Stamps) -> TransportStream.Stamps) throws
        -> [UInt8]
    {
        var stream = try TransportStream(try broadcast(seconds, from: 10))
        stream.restamp(pictures: true, body)
        return stream.bytes
    }

    /// Broadcasts one behind the other.
    static func glued(_ parts: [String]) throws -> [UInt8] {
        try parts.flatMap { [UInt8](try Data(contentsOf: URL(filePath: $0))) }
    }

    /// Cut without decoding in the middle of a group of pictures: an edit list leaves out what comes before.
    static func cut(from start: Double) throws -> String {
        let whole = try Fixtures.clip(picture(4) + sound(4) + video + ["-c:a", "aac"], ext: "mp4")
        return try Fixtures.clip(["-ss", "\(start)", "-i", whole, "-c", "copy"], ext: "mp4")
    }

    /// The times begin before zero, and the header counts from there. MPEG audio, whose priming ffmpeg does not write: that of AAC is a
    /// delay to ffmpeg 7.1, by which the picture comes 16 ms early.
    static func negative() throws -> String {
        try Fixtures.clip(
            picture(3) + sound(3) + video + ["-c:a", "mp2", "-output_ts_offset", "-2", "-avoid_negative_ts", "disabled"],
            ext: "mkv")
    }

    /// Sound in the first second and from the twentieth on.
    static func sparseAudio() throws -> String {
        try Fixtures.clip(
            picture(24) + sound(24) + ["-af", "aselect='lt(t,1)+gt(t,20)'"] + video + ["-c:a", "flac"], ext: "mkv")
    }

    /// No times but those of decoding.
    static func decodingTimesOnly() throws -> String {
        try Fixtures.clip(picture(3) + sound(3) + video + ["-c:a", "mp2"], ext: "avi")
    }

    /// No times at all.
    static func bare() throws -> String { try Fixtures.clip(picture(2) + video, ext: "h264") }
}
