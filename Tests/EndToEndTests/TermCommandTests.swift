import AetherCore
import AetherTestSupport
import Foundation
import Testing

/// `aetherctl term` on a terminal that answers as it is told.
@Suite(.enabled(if: Programs.control != nil, "\(Programs.missing)"))
struct TermCommandTests {
    private struct Run {
        let life: Pty.Life?
        let output: String
        let isRestored: Bool
        let leftovers: [String]
    }

    /// Runs the command with its output in a file, so that the terminal sees the questions only, and gives these answers.
    private func run(_ options: [String], answers: String, environment: [String: String?] = [:]) throws -> Run {
        let folder = try TemporaryFolder()
        let before = try #require(try settings())
        let pty = try Pty(
            ["sh", "-c", "out=$1; shift; exec \"$@\" > \"$out\"", "term", folder.path("out"), #require(Programs.control), "term"]
                + options,
            environment: environment, size: Pty.Size(100, 30, width: 0, height: 0))
        if !answers.isEmpty {
            #expect(pty.waitForText("\u{1B}[c"))
            pty.send(answers)
        }
        let life = pty.waitForEnd()
        return Run(
            life: life, output: try String(contentsOfFile: folder.path("out"), encoding: .utf8),
            isRestored: pty.termios() == before,
            leftovers: Screen.leftovers(pty.output, size: Pty.Size(100, 30)))
    }

    private func settings() throws -> Termios? {
        let pty = try Pty(["true"])
        _ = pty.waitForEnd()
        return pty.termios()
    }

    private static let rich =
        "\u{1B}[1;2R\u{1B}P>|kitty(0.26.5)\u{1B}\\\u{1B}_Gi=31;OK\u{1B}\\\u{1B}_Gi=32;OK\u{1B}\\\u{1B}[?2026;2$y\u{1B}[6;20;9t\u{1B}[4;600;900t"
        + "\u{1B}P1$r0;38:2:1:2:3m\u{1B}\\\u{1B}]11;rgb:1a1a/2b2b/3c3c\u{1B}\\\u{1B}[0n\u{1B}[?62;c"

    @Test func everyAnswerIsInTheReport() throws {
        let run = try run(["--json"], answers: Self.rich)
        #expect(run.life == .exited(0))
        #expect(run.isRestored && run.leftovers.isEmpty)
        let report = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: [String: Any]])
        #expect(Set(report.keys) == ["terminal", "size", "answers", "known", "choice"])
        #expect(report["terminal"]?["name"] as? String == "kitty")
        #expect(report["terminal"]?["version"] as? String == "0.26.5")
        #expect(report["terminal"]?["answered"] as? Bool == true)
        #expect(report["size"]?["columns"] as? Int == 100)
        #expect(report["size"]?["cell"] as? [String: Int] == ["width": 9, "height": 20])
        #expect(report["size"]?["cell_aspect"] as? Double == 0.45)
        #expect(report["size"]?["cell_aspect_from"] as? String == "cellReport")
        #expect(report["answers"]?["kitty_graphics"] as? Bool == true)
        #expect(report["answers"]?["kitty_shared_memory"] as? Bool == true)
        #expect(report["answers"]?["status_report"] as? Bool == true)
        #expect(report["known"]?["glyphs"] as? String == "sextants")
        #expect(report["known"]?["kitty_frame_edits"] as? Bool == true)
        #expect(report["known"]?["kitty_transient"] as? Bool == false)
        #expect(report["answers"]?["background"] as? String == "#1a2b3c")
        #expect(report["answers"]?["sixel"] as? Bool == false)
        #expect(report["choice"]?["renderer"] as? String == "kitty")
        #expect(report["choice"]?["color"] as? String == "24bit")
        #expect(
            report["choice"]?["possible"] as? [String] == [
                "halfblock", "quadrant", "sextant", "octant", "braille", "ascii", "kitty",
            ])
        #expect(report["choice"]?["synchronized_updates"] as? Bool == true)
        #expect((report["choice"]?["reasons"] as? [String])?.contains("24bit colours: the terminal kept a 24-bit colour") == true)
    }

    @Test func aSilentTerminalIsJudgedByItsEnvironment() throws {
        let run = try run(["--json"], answers: "", environment: ["TERM": "xterm-256color"])
        #expect(run.life == .exited(0))
        #expect(run.isRestored && run.leftovers.isEmpty)
        let report = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: [String: Any]])
        #expect(report["terminal"]?["answered"] as? Bool == false)
        #expect(report["terminal"]?["name"] is NSNull)
        #expect((report["terminal"]?["waited_ms"] as? Double ?? 0) >= 300)
        #expect(report["choice"]?["color"] as? String == "256")
        #expect(report["size"]?["cell_aspect_from"] as? String == "assumed")
    }

    @Test func aTerminalWithoutCursorAddressingIsAskedNothing() throws {
        let run = try run([], answers: "", environment: ["TERM": "dumb"])
        #expect(run.life == .exited(0))
        #expect(run.output.contains("chosen          plain lines"))
        #expect(run.output.contains("TERM is ‘dumb’: no cursor addressing"))
    }

    @Test func withoutATerminalThereIsNobodyToAsk() throws {
        let result = try Command(["setsid", "--wait", #require(Programs.control), "term"])
        #expect(result.status == 3)
        #expect(result.errorLines == ["aetherctl: no terminal to ask: cannot open ‘/dev/tty’: No such device or address"])
        #expect(result.standardOutput == "")
    }
}
