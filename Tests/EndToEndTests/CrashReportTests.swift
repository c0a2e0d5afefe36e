import AetherCore
import AetherTestSupport
import Foundation
import Glibc
import Testing

/// A crash leaves a report, for the person alone, and the next start says so once.
@Suite(.enabled(if: Programs.player != nil && Programs.demo != nil, "\(Programs.missing)"), .serialized)
struct CrashReportTests {
    /// Plays the demo under a name that nobody shall read, and crashes it by this signal.
    private func crash(_ number: Int32, state: String, folder: TemporaryFolder) throws -> Session {
        let clip = folder.path("a very private name.mkv")
        if !FileManager.default.fileExists(atPath: clip) {
            try FileManager.default.createSymbolicLink(atPath: clip, withDestinationPath: #require(Programs.demo))
        }
        let session = try Session(["--no-audio", "--no-history", clip], environment: ["XDG_STATE_HOME": state])
        try #require(session.waitForStill(), "no picture: \(session.standardError)")
        session.pty.send(" ")
        #expect(session.waitForQuiet())
        session.pty.signal(number)
        #expect(session.pty.waitForEnd() == .killed(number))
        return session
    }

    @Test(arguments: [SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL])
    func aCrashIsWrittenDownForThePersonAlone(_ number: Int32) throws {
        let folder = try TemporaryFolder()
        let session = try crash(number, state: folder.path("state"), folder: folder)
        try session.expectRestored()
        let path = folder.path("state/aether-tui/crash.txt")
        let report = try String(contentsOfFile: path, encoding: .utf8)
        #expect(report.hasPrefix("aether-tui "))
        #expect(report.contains("FFmpeg ") && report.contains("libavcodec ") && report.contains("Linux "))
        #expect(report.contains("\nSignal \(number) (SIG"))
        #expect(report.contains("\nThread aether-tui\n"))
        let events = report.matches(of: /(?m)^\x20\x20[0-9]+\.[0-9]{3}\x20\x20(?<name>.+)$/).map { String($0.output.name) }
        #expect(events.first == "load" && events.contains("pause"), "\(events)")
        let backtrace = try #require(report.components(separatedBy: "\nBacktrace:\n").last).split(separator: "\n")
        #expect(backtrace.count >= 3 && backtrace.allSatisfy { $0.contains("[0x") }, "\(backtrace)")
        #expect(!report.contains("private") && !report.contains("demo.mkv"), "names of files")
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o7777 == 0o600)
        #expect(stat(folder.path("state/aether-tui"), &status) == 0 && status.st_mode & 0o7777 == 0o700)
    }

    @Test func theNextStartSaysSoOnce() throws {
        let folder = try TemporaryFolder()
        _ = try crash(SIGSEGV, state: folder.path("state"), folder: folder)
        func start() throws -> [Substring] {
            try Command(
                [#require(Programs.player), "--no-history", folder.path("nothing.mkv")],
                environment: ["XDG_STATE_HOME": folder.path("state")]
            ).errorLines
        }
        let told = try start()
        let path = folder.path("state/aether-tui/crash.txt")
        #expect(told.first == "aether-tui: the last run crashed; what is known of it is in \(path), and was sent nowhere")
        #expect(try start().allSatisfy { !$0.contains("crash") })
        #expect(try String(contentsOfFile: path, encoding: .utf8).hasSuffix("\nThe person was told.\n"))
    }

    /// Somebody else's link in the place of the report leads nowhere.
    @Test func aLinkIsNotFollowed() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("state/aether-tui"), withIntermediateDirectories: true)
        try "precious".write(toFile: folder.path("precious"), atomically: true, encoding: .utf8)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("state/aether-tui/crash.txt"), withDestinationPath: folder.path("precious"))
        _ = try crash(SIGSEGV, state: folder.path("state"), folder: folder)
        #expect(try String(contentsOfFile: folder.path("precious"), encoding: .utf8) == "precious")
    }

    @Test func withoutACrashThereIsNoReport() throws {
        let folder = try TemporaryFolder()
        let session = try Session(
            ["--no-audio", "--no-history", #require(Programs.demo)], environment: ["XDG_STATE_HOME": folder.path("state")])
        try #require(session.waitForStill(), "no picture: \(session.standardError)")
        session.pty.send("q")
        #expect(session.pty.waitForEnd(within: .seconds(60)) == .exited(0))
        #expect(!FileManager.default.fileExists(atPath: folder.path("state/aether-tui/crash.txt")))
    }
}
