import AetherTestSupport
import Testing

/// `--sandbox`: the same frames, and a player that plays.
@Suite(.enabled(if: Programs.control != nil && Programs.player != nil, "\(Programs.missing)"))
struct SandboxTests {
    private static func clip(_ ext: String, _ codec: [String]) throws -> String {
        try Fixtures.clip(
            ["-f", "lavfi", "-i", "testsrc2=s=96x54:r=20:d=1", "-f", "lavfi", "-i", "sine=440:r=48000:d=1", "-g", "10"] + codec,
            ext: ext)
    }

    @Test(arguments: [("mkv", ["-c:v", "libx264"]), ("ts", ["-c:v", "mpeg2video"]), ("avi", ["-c:v", "mpeg4"])])
    func framesAreTheSame(_ ext: String, _ codec: [String]) throws {
        let clip = try Self.clip(ext, codec), control = try #require(Programs.control)
        let plain = try Command([control, "play", "--sink", "hash", "--untimed", clip])
        let boxed = try Command([control, "play", "--sandbox", "--sink", "hash", "--untimed", clip])
        #expect(plain.status == 0 && boxed.status == 0, "\(boxed.standardError)")
        #expect(boxed.standardOutput == plain.standardOutput && boxed.standardOutput.split(separator: "\n").count == 20)
    }

    @Test func playerPlaysInTheBox() throws {
        let clip = try Self.clip("mkv", ["-c:v", "libx264"])
        let played = try Command([
            #require(Programs.player), "--sandbox", "--plain", "--no-audio", "--no-config", "--no-history", "--no-mpris", clip,
        ])
        #expect(played.status == 0, "\(played.standardError)")
    }

    @Test func whatHasToBeFetchedByLibavformatIsRefused() throws {
        let refused = try Command([#require(Programs.control), "play", "--sandbox", "udp://127.0.0.1:9"])
        #expect(refused.status == 2)
        #expect(refused.standardError.contains("cannot be read in a box (--sandbox)"), "\(refused.standardError)")
    }
}
