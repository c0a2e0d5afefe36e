import AetherTestSupport
import Foundation
import Testing

/// Devices of ALSA's own making: one that lists its speakers in an order of its own, and takes all at once.
@Suite(.enabled(if: Programs.control != nil, "\(Programs.missing)"))
struct OddDeviceTests {
    @Test func eachChannelGoesToItsSpeakerAndTheEndIsTheEnd() throws {
        let folder = try TemporaryFolder()
        let (config, output) = (folder.path("asound.conf"), folder.path("out.raw"))
        try """
        </usr/share/alsa/alsa.conf>
        pcm.odd { type file file "\(output)" format raw slave.pcm { type null chmap [ "FC,LFE,FL,FR,RL,RR" ] } }
        """.write(toFile: config, atomically: true, encoding: .utf8)
        // Each channel is a level of its own: FL, FR, FC, LFE, BL, BR.
        let clip = try Fixtures.clip(
            ["-f", "lavfi", "-i", "aevalsrc=0.1|0.2|0.3|0.4|0.5|0.6:c=5.1:s=48000:d=1", "-c:a", "pcm_s16le"], ext: "wav")
        let result = try Command(
            [
                "timeout", "60", #require(Programs.control), "play", "--sink", "null", "--audio", "alsa", "--audio-device", "odd",
                clip,
            ],
            environment: ["ALSA_CONFIG_PATH": config])
        #expect(result.status == 0, "\(result.status) \(result.standardError)")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: output))
        let floats = bytes.withUnsafeBytes { raw in
            (0..<raw.count / 4).map { raw.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
        }
        #expect(floats.count == 48_000 * 6)
        let frame = floats.dropFirst(20_000 * 6).prefix(6).map { ($0 * 10).rounded() / 10 }
        #expect(frame == [0.3, 0.4, 0.1, 0.2, 0.5, 0.6])
    }

    /// The rear centre goes to both rear speakers, the sides to theirs, and nothing else is touched.
    @Test func sixPointOneGoesToSidesAndRear() throws {
        let folder = try TemporaryFolder()
        let (config, output) = (folder.path("asound.conf"), folder.path("out.raw"))
        try """
        </usr/share/alsa/alsa.conf>
        pcm.eight { type file file "\(output)" format raw slave.pcm { type null chmap [ "FL,FR,RL,RR,FC,LFE,SL,SR" ] } }
        """.write(toFile: config, atomically: true, encoding: .utf8)
        // FL, FR, FC, LFE, BC, SL, SR.
        let clip = try Fixtures.clip(
            ["-f", "lavfi", "-i", "aevalsrc=0.1|0.2|0.3|0.4|0.5|0.6|0.7:c=6.1:s=48000:d=1", "-c:a", "pcm_s16le"], ext: "wav")
        let result = try Command(
            [
                "timeout", "60", #require(Programs.control), "play", "--sink", "null", "--audio", "alsa", "--audio-device",
                "eight",
                clip,
            ],
            environment: ["ALSA_CONFIG_PATH": config])
        #expect(result.status == 0, "\(result.status) \(result.standardError)")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: output))
        let floats = bytes.withUnsafeBytes { raw in
            (0..<raw.count / 4).map { raw.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
        }
        #expect(floats.count == 48_000 * 8)
        let frame = floats.dropFirst(20_000 * 8).prefix(8).map { ($0 * 100).rounded() / 100 }
        #expect(frame == [0.1, 0.2, 0.35, 0.35, 0.3, 0.4, 0.6, 0.7])
    }

    /// A server's sink has taken the last samples when its stream runs dry, and plays them a moment later.
    @Test(.enabled(if: NullSink.isAvailable, "\(NullSink.missing)")) func theLastSampleIsHeard() throws {
        let clip = try Fixtures.clip(
            ["-f", "lavfi", "-i", "aevalsrc=if(eq(n\\,24000)+eq(n\\,47999)\\,0.9\\,0.05):s=48000:d=1", "-c:a", "pcm_s16le"],
            ext: "wav")
        // A server of its own: what other tests play would be heard here, too.
        let sink = try NullSink()
        for _ in 0..<3 {
            let capture = try sink.capture {
                let result = try Command(
                    ["timeout", "60", #require(Programs.control), "play", "--sink", "null", "--audio", "alsa", clip],
                    environment: sink.environment)
                #expect(result.status == 0, "\(result.status) \(result.standardError)")
            }
            let loud = capture.samples.indices.filter { capture.samples[$0] > 20_000 }
            // Further apart where the machine let the queue run dry in between.
            #expect(loud.count == 2 && loud.last.map { $0 - loud[0] >= 23_999 } == true, "\(loud)")
        }
    }
}
