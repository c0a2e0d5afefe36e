import AetherCore
import Foundation
import Glibc

/// A sound card that makes no noise: a private PulseAudio server with one null sink, which paces in real time, and an ALSA
/// configuration whose `default` leads to it. The server ends with its owner, and with this process however that ends.
public final class NullSink: Sendable {
    /// One server for all tests of this process, or why there is none.
    public static let shared = Result { try NullSink() }

    /// The reason that a skipped test gives.
    public static let missing = "no pulseaudio here: scripts/setup.sh test installs it"

    /// Whether the programs are there.
    public static let isAvailable = ["pulseaudio", "parec"].allSatisfy { name in
        (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
            .contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
    }

    /// To be laid over the environment of a program that shall play here.
    public let environment: [String: String]
    private let folder: TemporaryFolder
    private let server, listener: Pty

    /// Starts a server and waits until it is ready.
    public init() throws {
        folder = try TemporaryFolder()
        let socket = folder.path("socket")
        try Data("</usr/share/alsa/alsa.conf>\npcm.!default { type pulse }\nctl.!default { type pulse }\n".utf8)
            .write(to: folder.url.appending(path: "asound.conf"))
        environment = [
            "PULSE_SERVER": "unix:\(socket)", "PULSE_COOKIE": folder.path("cookie"), "HOME": folder.path(""),
            "XDG_RUNTIME_DIR": folder.path(""), "ALSA_CONFIG_PATH": folder.path("asound.conf"),
        ]
        // PulseAudio takes SIGHUP for a wish to see its state; the shell around it turns the loss of its terminal (our
        // end, even by a crash) into the end of the server.
        let script = """
            trap 'kill "$server"; exit 0' HUP TERM
            pulseaudio "$@" & server=$!
            wait "$server"
            """
        server = try Pty(
            [
                "sh", "-c", script, "null-sink", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no",
                "--disallow-exit", "--log-target=stderr", "--log-level=info",
                "--load=module-null-sink sink_name=null0 rate=48000 channels=2",
                "--load=module-native-protocol-unix socket=\(socket) auth-anonymous=1",
            ], environment: environment)
        guard server.waitForText("startup complete", within: .seconds(60)) else {
            throw Pty.Failure(description: "pulseaudio did not start: \(server.text.suffix(500))")
        }
        // A null sink to which nobody listens renders 2 s of silence ahead and then takes no samples until they are over. So
        // somebody listens as long as it lives, and nobody plays before those two seconds (192000 bytes) have come out.
        listener = try Pty(
            [
                "sh", "-c",
                "parec -d null0.monitor --latency-msec=20 --raw --format=s16le --rate=48000 --channels=1 | "
                    + "{ head -c 200000 >/dev/null; echo settled; cat >/dev/null; }",
            ], environment: environment)
        guard listener.waitForText("settled", within: .seconds(60)) else {
            throw Pty.Failure(description: "parec did not start: \(listener.text.suffix(500))")
        }
    }

    deinit {
        server.signal(SIGTERM)
        _ = server.waitForEnd(within: .seconds(5))
    }

    /// Records what the sink plays (48 kHz, one channel) while the body runs.
    public func capture(_ body: () throws -> Void) throws -> Capture {
        let file = folder.path(UUID().uuidString)
        let recorder = try Pty(
            [
                "parec", "-v", "-d", "null0.monitor", "--latency-msec=20", "--raw", "--format=s16le", "--rate=48000",
                "--channels=1", file,
            ],
            environment: environment)
        guard recorder.waitForText("Stream successfully created") else {
            throw Pty.Failure(description: "parec did not start: \(recorder.text.suffix(500))")
        }
        try body()
        // The samples that were played last are on their way: the recorder has them when it has another second.
        let wanted = NullSink.bytes(in: file) + 2 * Capture.rate
        let end = SystemTime().now() + .seconds(60)
        while NullSink.bytes(in: file) < wanted, SystemTime().now() < end { _ = recorder.waitForClose(within: .milliseconds(50)) }
        recorder.signal(SIGTERM)
        _ = recorder.waitForEnd(within: .seconds(5))
        let bytes = try Data(contentsOf: URL(filePath: file))
        return Capture(
            samples: stride(from: 0, to: bytes.count - 1, by: 2).map {
                Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
            })
    }

    private static func bytes(in file: String) -> Int {
        var status = stat()
        return stat(file, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Samples that the sink played.
    public struct Capture: Sendable {
        /// Samples per second.
        public static let rate = 48000
        /// One channel of 16-bit samples.
        public let samples: [Int16]

        /// The length from the first to the last sample louder than the given share of full scale, in seconds.
        public func heardSeconds(above share: Double) -> Double {
            let threshold = Int(share * 32768)
            guard let first = samples.firstIndex(where: { abs(Int($0)) > threshold }),
                let last = samples.lastIndex(where: { abs(Int($0)) > threshold })
            else { return 0 }
            return Double(last - first + 1) / Double(Capture.rate)
        }
    }
}
