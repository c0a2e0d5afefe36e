import AetherCore
import AetherTestSupport
import Foundation
import Testing

/// `aetherctl doctor` on machines that are made up by their environment.
@Suite(.enabled(if: Programs.control != nil, "\(Programs.missing)"))
struct DoctorTests {
    private struct Run {
        let life: Pty.Life?
        let output: String
        /// Of `--json`: name to finding.
        func findings() throws -> [String: [String: Any]] {
            let report = try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
            let list = try #require(report["findings"] as? [[String: Any]])
            return Dictionary(list.map { ($0["name"] as? String ?? "", $0) }) { first, _ in first }
        }
    }

    /// A home with an ALSA that always opens, folders of its own, and these helpers on PATH before the system's.
    private func home(helpers: [String: String]) throws -> (TemporaryFolder, [String: String?]) {
        let folder = try TemporaryFolder()
        try "pcm.!default { type null }\n".write(toFile: folder.path("asound.conf"), atomically: true, encoding: .utf8)
        try FileManager.default.createDirectory(atPath: folder.path("bin"), withIntermediateDirectories: false)
        for (name, script) in helpers {
            try ProgramFile.write(script, to: folder.path("bin/" + name))
        }
        let environment: [String: String?] = [
            "HOME": folder.url.path, "XDG_STATE_HOME": nil, "XDG_CACHE_HOME": nil, "XDG_CONFIG_HOME": nil,
            "XDG_RUNTIME_DIR": folder.url.path, "PULSE_SERVER": nil, "ALSA_CONFIG_PATH": folder.path("asound.conf"),
            "PATH": folder.path("bin") + ":/usr/bin:/bin", "TERM": "xterm-256color", "LC_ALL": "C.UTF-8",
        ]
        return (folder, environment)
    }

    /// Runs it with the terminal seeing the questions only.
    private func run(_ options: [String], _ folder: TemporaryFolder, _ environment: [String: String?], answers: String = "")
        throws -> Run
    {
        let pty = try Pty(
            [
                "sh", "-c", "out=$1; shift; exec \"$@\" > \"$out\"", "doctor", folder.path("out"), #require(Programs.control),
                "doctor",
            ]
                + options,
            environment: environment, size: Pty.Size(100, 30, width: 0, height: 0))
        if !answers.isEmpty {
            #expect(pty.waitForText("\u{1B}[c"))
            pty.send(answers)
        }
        let life = pty.waitForEnd()
        return Run(life: life, output: try String(contentsOfFile: folder.path("out"), encoding: .utf8))
    }

    @Test func aMachineOnWhichAllIsWellSaysWhatItHas() throws {
        let (folder, environment) = try home(helpers: ["yt-dlp": "echo 2026.10.01", "tesseract": "echo tesseract 5.3.0 >&2"])
        let run = try run(
            ["--json"], folder, environment,
            answers: "\u{1B}[1;2R\u{1B}P>|kitty(0.26.5)\u{1B}\\\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[6;20;9t\u{1B}[0n\u{1B}[?62;c")
        let findings = try run.findings()
        #expect((findings["terminal"]?["detail"] as? String)?.hasPrefix("kitty 0.26.5, 100x30 cells, answered within") == true)
        #expect((findings["video"]?["detail"] as? String)?.hasPrefix("kitty, ") == true)
        #expect((findings["audio device"]?["detail"] as? String)?.hasPrefix("ALSA's default opens: 48000 Hz") == true)
        #expect(findings["yt-dlp"]?["detail"] as? String == "2026.10.01, \(folder.path("bin/yt-dlp"))")
        #expect((findings["tesseract"]?["detail"] as? String)?.hasPrefix("tesseract 5.3.0, ") == true)
        for name in ["FFmpeg", "libavcodec", "dav1d", "libass", "ALSA", "libcurl", "ncurses", "SQLite"] {
            let version = try #require(findings[name]?["detail"] as? String, "\(name)")
            #expect(version.first?.isNumber == true && version.contains("."), "\(name) \(version)")
        }
        #expect(findings["state"]?["state"] as? String == "works")
        let troubles = findings.values.filter { $0["state"] as? String != "works" && $0["needed"] as? Bool == true }
        #expect(run.life == .exited(troubles.isEmpty ? 0 : 1), "\(troubles)")
        #expect(troubles.isEmpty, "what this machine of tests lacks: \(troubles)")
    }

    @Test func whatIsWrongIsSaidWithItsRemedyAndTheStatusIsOne() throws {
        let (folder, environment) = try home(helpers: ["yt-dlp": "exit 3"])
        let cache = folder.path(".cache/aether-tui")
        try FileManager.default.createDirectory(atPath: cache, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: cache)
        try Data().write(to: folder.url.appending(path: ".config"))
        let run = try run([], folder, environment)
        #expect(run.life == .exited(1))
        let lines = run.output.split(separator: "\n").map(String.init)
        func line(_ start: String) -> String? { lines.first { $0.hasPrefix(start) } }
        func remedy(of start: String) -> String? {
            guard let index = lines.firstIndex(where: { $0.hasPrefix(start) }), index + 1 < lines.count else { return nil }
            return lines[index + 1].hasPrefix("mend:")
                ? lines[index + 1].drop { $0 != " " }.trimmingCharacters(in: .whitespaces) : nil
        }
        #expect(line("wrong    yt-dlp")?.contains("does not run") == true)
        #expect(line("wrong    cache")?.contains("others may write") == true)
        #expect(remedy(of: "wrong    cache") == "chmod go-w \(cache)")
        #expect(line("wrong    settings")?.contains("cannot be made") == true)
        #expect(lines.last?.hasSuffix("to mend") == true)
        #expect(FileManager.default.contents(atPath: folder.path(".config")) == Data(), "nothing is changed")
        #expect(!FileManager.default.fileExists(atPath: folder.path(".local")), "nothing is made")
    }

    @Test func aHelperThatHangsIsWaitedForNoLongerThanItsPatience() throws {
        let (folder, environment) = try home(helpers: ["tesseract": "exec sleep 600"])
        let run = try run(["--json"], folder, environment)
        #expect(run.life == .exited(1))
        #expect(try run.findings()["tesseract"]?["state"] as? String == "wrong")
    }

    @Test func withoutATerminalTheRestIsLookedAtAllTheSame() throws {
        let result = try Command(["setsid", "--wait", #require(Programs.control), "doctor"])
        #expect(result.standardOutput.hasPrefix("missing  terminal"))
        #expect(result.standardOutput.contains("works    FFmpeg"))
        #expect(result.status == 0 || result.status == 1)
    }
}
