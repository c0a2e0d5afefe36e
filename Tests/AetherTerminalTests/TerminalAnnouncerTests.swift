import AetherCore
import AetherTerminal
import Testing

@Suite struct TerminalAnnouncerTests {
    private func announcer(_ name: String, _ version: String = "", behindTmux: Bool = false, isWanted: Bool = true)
        -> TerminalAnnouncer
    {
        var capabilities = TerminalCapabilities()
        capabilities.identity = TerminalIdentity(name: name, version: version)
        if behindTmux {
            capabilities.outerIdentity = capabilities.identity
            capabilities.identity = TerminalIdentity(name: "tmux", version: "3.3a")
            capabilities.isTmux = true
        }
        return TerminalAnnouncer(capabilities, environment: ProbeEnvironment(["TERM": name]), isWanted: isWanted)
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self).replacing("\u{1B}", with: "^") }

    @Test func theTitleIsSaidOnceAndAgainWhereItChanges() {
        var terminal = announcer("XTerm", "379")
        #expect(terminal.modes == .windowTitle)
        #expect(text(terminal.bytes(title: "A", fraction: 0.5, isPaused: false)) == "^]2;A - aether-tui^\\")
        #expect(terminal.bytes(title: "A", fraction: 0.6, isPaused: true) == [])
        #expect(
            text(terminal.bytes(title: "B\u{1B}]0;x\u{7}\u{9C}", fraction: nil, isPaused: false)) == "^]2;B]0;x - aether-tui^\\")
        terminal.forget()
        #expect(terminal.bytes(title: "B", fraction: nil, isPaused: false) != [])
    }

    @Test func progressIsForThoseWhoAreKnownToDrawIt() {
        for (name, version, draws) in [
            ("ghostty", "1.2.0", true), ("ghostty", "1.1.3", false), ("Windows Terminal", "1.24", true), ("kitty", "0.40", false),
            ("iTerm2", "3.6.6", true), ("iTerm2", "3.5.0", false), ("WezTerm", "20240203-110809-5046fc22", false),
            ("VTE", "7901", true),
            ("XTerm", "400", false), ("", "", false),
        ] {
            var terminal = announcer(name, version)
            _ = terminal.bytes(title: "A", fraction: nil, isPaused: false)
            #expect(
                text(terminal.bytes(title: "A", fraction: 0.426, isPaused: false)) == (draws ? "^]9;4;1;42^\\" : ""),
                "\(name) \(version)")
            #expect(terminal.bytes(title: "A", fraction: 0.429, isPaused: false) == [])
            #expect(text(terminal.partingBytes) == (draws ? "^]9;4;0^\\" : ""))
        }
    }

    @Test func whatIsNotWantedOrNotUnderstoodIsNotSaid() {
        for var terminal in [announcer("ghostty", "1.2", isWanted: false), announcer("linux"), announcer("screen")] {
            #expect(terminal.modes == [] && terminal.partingBytes == [])
            #expect(terminal.bytes(title: "A", fraction: 0.5, isPaused: false) == [])
        }
    }

    @Test func notificationsGoTheTerminalsWay() {
        #expect(text(announcer("kitty").notification("A; has ended")) == "^]99;;A, has ended^\\")
        #expect(text(announcer("iTerm2").notification("A")) == "^]9;A^\\")
        #expect(text(announcer("foot").notification("A\u{7}")) == "^]777;notify;aether-tui;A^\\")
    }

    @Test func tmuxKeepsTheTitleAndHandsOnTheRest() {
        var terminal = announcer("ghostty", "1.2.0", behindTmux: true)
        #expect(
            text(terminal.bytes(title: "A", fraction: 0.5, isPaused: true)) == "^]2;A - aether-tui^\\^Ptmux;^^]9;4;4;50^^\\^\\")
    }
}
