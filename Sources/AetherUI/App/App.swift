import AetherCore
import AetherEngine
import AetherRender
import AetherTerminal
import Foundation
import Glibc

/// The program: options in, outcome out.
public enum App {
    /// The version of program, man pages and engine.
    public static let version = "0.1.0"

    /// Plays what the options say and returns when that is over, with the terminal as it was found. Call on the main thread before
    /// any other thread exists (signals are blocked here and inherited). Trouble is one line on standard error.
    public static func run(_ options: PlayerOptions) -> PlayerOutcome {
        let environment = ProcessInfo.processInfo.environment
        do {
            if let path = options.log { try openLog(path) }
            let signals = try Signals()
            let playlist = try Playlist(arguments: options.files, loops: options.loop)
            let probe = ProbeEnvironment(environment)
            if options.plain || isatty(STDOUT_FILENO) == 0 || probe.lacksCursorAddressing {
                if options.renderer != .auto, !options.plain {
                    let why = isatty(STDOUT_FILENO) == 0 ? "standard output is no terminal" : "TERM=\(probe.term) cannot address the cursor"
                    SystemText.complain("cannot draw with \(options.renderer.rawValue): \(why)")
                    return .exit(.terminalUnsuitable)
                }
                var plain = PlainApp(options: options, playlist: playlist, signals: signals)
                return plain.run()
            }
            let theme = try ThemeLibrary.load(
                options.theme, directories: ThemeLibrary.directories(environment: environment, installPrefix: installPrefix))
            return try ScreenStart(options: options, playlist: playlist, signals: signals, probe: probe, theme: theme).run()
        } catch let error as MediaError {
            SystemText.complain(error.description)
            return .exit(.cannotOpen)
        } catch let error as ThemeError {
            SystemText.complain(error.description)
            return .exit(.usage)
        } catch {
            SystemText.complain("\(error)")
            return .exit(.terminalUnsuitable)
        }
    }

    private static func openLog(_ path: String) throws(MediaError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw MediaError(.cannotOpen, "write the log to", subject: path, cause: -errno, reason: SystemText.error(errno))
        }
        Log.shared.write(to: descriptor, level: .info)
    }

    /// PREFIX when the program lies in PREFIX/bin.
    private static var installPrefix: String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        guard count > 0 else { return nil }
        let path = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let parts = path.split(separator: "/")
        guard parts.count >= 2, parts[parts.count - 2] == "bin" else { return nil }
        return "/" + parts.dropLast(2).joined(separator: "/")
    }
}
