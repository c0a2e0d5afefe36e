import AetherCore
import AetherMedia
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine

/// Hours of playing in seconds, each in a process of its own, whose memory is counted at the end. AETHER_HOURS in the environment: so many hours and not
/// some minutes, of AETHER_SEED and the seeds behind it.
@Suite(.serialized) struct SimulatedPlayTests {
    private static func number(_ name: String) -> Double? { ProcessInfo.processInfo.environment[name].flatMap { Double($0) } }

    /// A process of its own cannot be heard: AETHER_SIMULATION_LOG names the file that takes its words.
    private static var log: ((String) -> Void)? {
        let path = ProcessInfo.processInfo.environment["AETHER_SIMULATION_LOG"]
        guard let path, let file = fopen(path, "a") else { return nil }
        setlinebuf(file)
        return { fputs($0 + "\n", file) }
    }

    /// Two minutes with two tracks of audio and one of subtitles.
    private static func bytes() throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let words = (0..<60).map { number in
            let (minute, second) = (number / 30, number * 2 % 60)
            let span = String(format: "00:%02d:%02d,000 --> 00:%02d:%02d,500", minute, second, minute, second + 1)
            return "\(number + 1)\n\(span)\nLine \(number)\n"
        }
        try Data(words.joined(separator: "\n").utf8).write(to: URL(filePath: folder.path("w.srt")))
        let path = folder.path("film.mkv")
        let made = try Fixtures.run(
            "ffmpeg",
            [
                "-v", "error", "-nostdin", "-fflags", "+bitexact", "-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=120", "-f",
                "lavfi", "-i",
                "sine=r=8000:d=120", "-f", "lavfi", "-i", "sine=f=880:r=8000:d=120", "-i", folder.path("w.srt"), "-map", "0",
                "-map", "1",
                "-map", "2", "-map", "3", "-c:v", "libx264", "-preset", "veryfast", "-g", "50", "-threads", "1", "-pix_fmt",
                "yuv420p", "-c:a",
                "pcm_s16le", path,
            ])
        try #require(made.status == 0)
        return [UInt8](try Data(contentsOf: URL(filePath: path)))
    }

    private static func play(_ seed: UInt64, seconds: Double, _ bytes: [UInt8]) -> SimulatedPlay.Outcome {
        var play = SimulatedPlay(bytes, seed: seed, length: .seconds(seconds), log: log)
        let outcome = play.run()
        log?("seed \(seed): \(outcome)")
        return outcome
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func whatMustHoldHoldsWhateverHappens(_ seed: UInt64) async {
        await #expect(processExitsWith: .success) { [seed = seed as UInt64] in
            let bytes = try SimulatedPlayTests.bytes()
            let hours = SimulatedPlayTests.number("AETHER_HOURS"), first = UInt64(SimulatedPlayTests.number("AETHER_SEED") ?? 0)
            let outcome = SimulatedPlayTests.play(first + seed, seconds: hours.map { $0 * 3600 } ?? 300, bytes)
            #expect(outcome.faults == [])
            #expect(outcome.frames > 1000 && outcome.wishes > 20 && outcome.loads >= 1)
            #expect(MediaBalance.packets.current == 0 && MediaBalance.payloadBlocks.current == 0)
            #expect(MediaBalance.frames.current == 0 && MediaBalance.contexts.current == 0)
            SimulatedPlayTests.log?("\(MediaBalance.packets.current) packets, \(MediaBalance.frames.current) frames are left")
            let far = outcome.distances.filter { abs($0.key) > 10 }.values.reduce(0, +),
                all = outcome.distances.values.reduce(0, +)
            #expect(far * 100 <= all, "\(outcome.distances.sorted { $0.key < $1.key })")
        }
    }

    @Test func theSameSeedIsTheSameRun() async {
        await #expect(processExitsWith: .success) {
            let bytes = try SimulatedPlayTests.bytes()
            let first = SimulatedPlayTests.play(9, seconds: 120, bytes), second = SimulatedPlayTests.play(9, seconds: 120, bytes)
            #expect(first == second)
            #expect(SimulatedPlayTests.play(10, seconds: 120, bytes).course != first.course)
        }
    }
}
