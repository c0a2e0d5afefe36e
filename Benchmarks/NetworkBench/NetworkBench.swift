import AetherCore
import AetherSources
import AetherTestSupport
import Foundation

/// Requests and time to the first frame of films behind http, beside other players, with round trips of 0 and 50 ms.
///
///     aether-bench-network AETHERCTL FILM …
///
/// The server is the tests' own (`TestOrigin`) and answers each request so much later: what a connection costs beside is not in it. Each
/// program ends by itself when it has decoded the first frame.
///
///     aether-bench-network read ADDRESS
///
/// reads a file of a web server or a share to its end as a demuxer does, and says what that cost.
@main struct NetworkBench {
    private struct Player {
        let name: String
        /// Before the address and behind it.
        let words: [String]
        var tail: [String] = []
    }

    private struct Run {
        let seconds: Double
        let requests: Int
        let connections: Int
    }

    private static let repeats = 5

    /// 512 KB a read, as libavformat does over this reader.
    private static func readAll(_ address: String) throws {
        let time = SystemTime(), start = time.now()
        let reader: any IOReader = ShareReader.opens(address) ? try ShareReader(address) : try HTTPReader(address)
        var room = [UInt8](repeating: 0, count: 512 << 10), bytes = 0, first: HostTime?
        while true {
            let count = try room.withUnsafeMutableBytes { try reader.read($0) }
            if count == 0 { break }
            first = first ?? time.now()
            bytes += count
        }
        let opening = ((first ?? start) - start).seconds
        var cpu = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu)
        let used = Double(cpu.tv_sec) + Double(cpu.tv_nsec) / 1e9
        print(
            String(
                format: "%ld bytes in %.3f s, the first of them after %.3f s, %.3f s of CPU", bytes, (time.now() - start).seconds,
                opening, used))
    }

    static func main() throws {
        if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "read" { return try readAll(CommandLine.arguments[2]) }
        guard CommandLine.arguments.count > 2 else {
            print("usage: aether-bench-network AETHERCTL FILM …")
            exit(64)
        }
        let players = [
            Player(name: "aether", words: [CommandLine.arguments[1], "swdecode", "--frames", "3"]),
            Player(
                name: "mpv", words: ["mpv", "--no-config", "--vo=null", "--ao=null", "--frames=1", "--really-quiet", "--ytdl=no"]),
            Player(
                name: "ffmpeg", words: ["ffmpeg", "-v", "quiet", "-nostdin", "-i"], tail: ["-frames:v", "1", "-f", "null", "-"]),
        ]
        print(
            "| film | delay ms | player | requests | connections | first frame s (median of \(repeats)) |\n|---|---|---|---|---|---|"
        )
        for film in CommandLine.arguments.dropFirst(2) {
            let file = URL(filePath: film)
            for delay in [0, 50] {
                for player in players {
                    let runs = try (0..<repeats).map { _ in try measure(player, file, delay: delay) }.sorted {
                        $0.seconds < $1.seconds
                    }
                    let median = runs[repeats / 2]
                    print(
                        "| \(file.lastPathComponent) | \(delay) | \(player.name) | \(median.requests) | \(median.connections) | "
                            + String(format: "%.3f |", median.seconds))
                }
            }
        }
    }

    private static func measure(_ player: Player, _ film: URL, delay: Int) throws -> Run {
        let path = "/film.\(film.pathExtension)"
        let origin = try TestOrigin([path: .file(film.path)])
        let url = origin.address + (delay > 0 ? "/~delay=\(delay)" : "") + path
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = player.words + [url] + player.tail
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        let time = SystemTime(), start = time.now()
        try process.run()
        process.waitUntilExit()
        let seconds = (time.now() - start).seconds
        let requests = origin.requests.count, connections = origin.connectionCount
        return Run(seconds: seconds, requests: requests, connections: connections)
    }
}
