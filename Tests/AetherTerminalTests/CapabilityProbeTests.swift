import AetherCore
import AetherTerminal
import Testing

/// A terminal's answers to the batch of questions, and the capabilities that must follow from them.
struct Transcript: Sendable, CustomTestStringConvertible {
    var name: String
    var environment: [String: String]
    var answers: String
    var identity: String
    var depth: ColourDepth
    var sync = false, pixelMouse = false, sixel = false, kitty = false
    var registers: Int?
    var cell: PixelSize?
    var background: [UInt8]?

    var testDescription: String { name }

    /// Recorded under Xvfb from Debian 12's packages.
    static let recorded: [Transcript] = [
        Transcript(
            name: "xterm 379", environment: ["TERM": "xterm-256color"],
            answers: "^[[1;2R^[P>|XTerm(379)^[\\^[[?2026;0$y^[[?1016;2$y^[[?80;2$y^[[?1;3S^[[?2;3S^[P1$r0;38:2::1:2:3m^[\\"
                + "^[]11;rgb:ffff/ffff/ffff^[\\^[[?64;1;2;6;9;15;16;17;18;21;22;28c",
            identity: "XTerm 379", depth: .trueColor, pixelMouse: true, background: [255, 255, 255]),
        Transcript(
            name: "xterm 379 -ti vt340", environment: ["TERM": "xterm"],
            answers: "^[[1;2R^[P>|XTerm(379)^[\\^[[?2026;0$y^[[?1016;2$y^[[?80;2$y^[[?1;0;1024S^[[?2;0;480;312S"
                + "^[P1$r0;38:2::1:2:3m^[\\^[]11;rgb:ffff/ffff/ffff^[\\^[[?63;1;2;4;6;9;15;16;22;28c",
            identity: "XTerm 379", depth: .trueColor, pixelMouse: true, sixel: true, registers: 1024,
            background: [255, 255, 255]),
        Transcript(
            name: "kitty 0.26", environment: ["TERM": "xterm-kitty", "COLORTERM": "truecolor"],
            answers: "^[[1;2R^[P>|kitty(0.26.5)^[\\^[_Gi=31;OK^[\\^[[?2026;2$y^[[?1016;2$y^[[?80;0$y^[[6;18;9t^[[4;396;639t"
                + "^[P1$r38:2:1:2:3m^[\\^[]11;rgb:0000/0000/0000^[\\^[[?62;c",
            identity: "kitty 0.26.5", depth: .trueColor, sync: true, pixelMouse: true, kitty: true,
            cell: PixelSize(width: 9, height: 18), background: [0, 0, 0]),
        Transcript(
            name: "tmux 3.3a in xterm", environment: ["TERM": "screen", "TMUX": "/tmp/tmux-0/default,1,0"],
            answers: "^[[1;2R^[P>|tmux 3.3a^[\\^[[?1;2c", identity: "tmux 3.3a", depth: .indexed256),
    ]

    /// Written after the programs' sources and manuals.
    static let composed: [Transcript] = [
        Transcript(
            name: "foot", environment: ["TERM": "foot"],
            answers: "^[[1;2R^[P>|foot(1.13.1)^[\\^[[?2026;2$y^[[?1016;2$y^[[?80;1$y^[[?1;0;1024S^[[?2;0;10000;10000S^[[6;20;10t"
                + "^[[4;480;800t^[]11;rgb:2424/2424/2424^[\\^[[?62;4;22c",
            identity: "foot 1.13.1", depth: .trueColor, sync: true, pixelMouse: true, sixel: true, registers: 1024,
            cell: PixelSize(width: 10, height: 20), background: [36, 36, 36]),
        Transcript(
            name: "alacritty, background after the fence", environment: ["TERM": "alacritty"],
            answers: "^[[1;2R^[[?2026;2$y^[[?1016;0$y^[[?80;0$y^[[4;480;800t^[[?6c^[]11;rgb:1d1d/1f1f/2121^[\\",
            identity: "alacritty ", depth: .trueColor, sync: true, background: [29, 31, 33]),
        Transcript(
            name: "Konsole, which echoes the end of mode queries",
            environment: ["TERM": "xterm-256color", "KONSOLE_VERSION": "221203"],
            answers:
                "^[[1;2R^[P>|Konsole 22.12.3^[\\^[_Gi=31;OK^[\\^[[?1;0;256S^[[6;20;9t^[[4;480;720t^[]11;rgb:2323/2626/2727\u{7}^[[?62;1;4c",
            identity: "Konsole 22.12.3", depth: .trueColor, sixel: true, kitty: true, registers: 256,
            cell: PixelSize(width: 9, height: 20), background: [35, 38, 39]),
        Transcript(
            name: "WezTerm", environment: ["TERM": "xterm-256color"],
            answers:
                "^[[1;2R^[P>|WezTerm 20240203-110809-5046fc22^[\\^[_Gi=31;OK^[\\^[[?2026;2$y^[[?1016;2$y^[[6;16;8t^[[?65;4;6;18;22c",
            identity: "WezTerm 20240203-110809-5046fc22", depth: .trueColor, sync: true, pixelMouse: true, sixel: true,
            kitty: true,
            cell: PixelSize(width: 8, height: 16)),
        Transcript(
            name: "ghostty", environment: ["TERM": "xterm-ghostty"],
            answers: "^[[1;2R^[P>|ghostty 1.2.0^[\\^[_Gi=31;OK^[\\^[[?2026;2$y^[[?1016;2$y^[[6;34;16t^[[?62;22;52c",
            identity: "ghostty 1.2.0", depth: .trueColor, sync: true, pixelMouse: true, kitty: true,
            cell: PixelSize(width: 16, height: 34)),
        Transcript(
            name: "GNOME Terminal (VTE)", environment: ["TERM": "xterm-256color", "VTE_VERSION": "7006"],
            answers: "^[[1;2R^[[?2026;0$y^[[?1016;0$y^[[4;408;640t^[]11;rgb:1e1e/1e1e/1e1e^[\\^[[?65;1;9c",
            identity: "VTE 7006", depth: .trueColor, background: [30, 30, 30]),
        Transcript(
            name: "mlterm, although COLORTERM promises more", environment: ["TERM": "mlterm", "COLORTERM": "truecolor"],
            answers: "^[[1;2R^[P>|mlterm(3.9.3)^[\\^[[?2026;0$y^[[?1016;2$y^[[?1;0;256S^[[?63;1;2;3;4;7;29c",
            identity: "mlterm 3.9.3", depth: .indexed256, pixelMouse: true),
        Transcript(
            name: "Windows Terminal", environment: ["TERM": "xterm-256color", "WT_SESSION": "x"],
            answers: "^[[1;2R^[[?2026;0$y^[[?61;4;6;7;14;21;22;23;24;28;32;42c",
            identity: "WindowsTerminal ", depth: .trueColor, sixel: true, cell: PixelSize(width: 10, height: 20)),
        Transcript(
            name: "Linux console", environment: ["TERM": "linux", "COLORTERM": "truecolor"], answers: "^[[7;2R^[[?6c",
            identity: "linux ", depth: .indexed16),
        Transcript(
            name: "termbench halfblock-truecolor", environment: ["TERM": "xterm-256color", "COLORTERM": "truecolor"],
            answers:
                "^[[1;1R^[P>|termbench 1^[\\^[[?2026;2$y^[[?1016;2$y^[[?1;3S^[[?2;3S^[[6;16;8t^[[4;720;1280t^[]11;rgb:0000/0000/0000^[\\^[[?62;22c",
            identity: "termbench 1", depth: .trueColor, sync: true, pixelMouse: true, cell: PixelSize(width: 8, height: 16),
            background: [0, 0, 0]),
        Transcript(
            name: "termbench 256color", environment: ["TERM": "xterm-256color"],
            answers: "^[[1;1R^[P>|XTerm(370)^[\\^[[?2026;0$y^[[?1016;2$y^[[?1;3S^[[6;16;8t^[[?62;22c",
            identity: "XTerm 370", depth: .indexed256, pixelMouse: true, cell: PixelSize(width: 8, height: 16)),
    ]
}

private func probe(_ environment: [String: String], _ answers: String, pieces: Int = .max) -> CapabilityProbe {
    var probe = CapabilityProbe(environment: ProbeEnvironment(environment), sentAt: HostTime(nanoseconds: 0))
    var decoder = InputDecoder()
    decoder.expectedCursorReports = probe.cursorReportCount
    let bytes = escaped(answers)
    for start in stride(from: 0, to: bytes.count, by: min(bytes.count, pieces)) {
        for event in decoder.decode(bytes[start..<min(bytes.count, start + min(bytes.count, pieces))]) {
            guard case .reply(let reply) = event else {
                Issue.record("\(event) is no reply")
                continue
            }
            probe.fold(reply)
        }
    }
    return probe
}

struct CapabilityProbeTests {
    @Test(arguments: Transcript.recorded + Transcript.composed)
    func knowsATerminalByItsAnswers(_ transcript: Transcript) {
        for pieces in [Int.max, 1] {
            let probe = probe(transcript.environment, transcript.answers, pieces: pieces)
            let found = probe.capabilities
            #expect(probe.isComplete)
            #expect(found.answered)
            #expect(found.identity.name + " " + found.identity.version == transcript.identity)
            #expect(found.colourDepth == transcript.depth, "\(found.reasons)")
            #expect(found.synchronizedUpdate == transcript.sync)
            #expect(found.sgrPixelMouse == transcript.pixelMouse)
            #expect(found.sixel == transcript.sixel)
            #expect(found.sixelRegisters == transcript.registers)
            #expect(found.kittyGraphics == transcript.kitty)
            #expect(found.cellPixelSize == transcript.cell)
            #expect(found.background.map { [$0.red, $0.green, $0.blue] } == transcript.background)
            #expect(found.utf8)
        }
    }

    @Test(arguments: [
        ([:], ColourDepth.mono), (["TERM": "dumb", "COLORTERM": "truecolor"], .mono),
        (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .trueColor),
        (["TERM": "xterm-256color", "COLORTERM": "24bit"], .trueColor),
        (["TERM": "xterm-256color", "COLORTERM": "yes"], .indexed256), (["TERM": "xterm-direct"], .trueColor),
        (["TERM": "xterm"], .indexed256), (["TERM": "screen"], .indexed256), (["TERM": "screen.xterm-new"], .indexed256),
        (["TERM": "xterminator"], .indexed16), (["TERM": "vt100"], .mono), (["TERM": "linux"], .indexed16),
        (["TERM": "xterm-kitty"], .trueColor),
        (["TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"], .mono),
        (["TERM": "xterm", "NO_COLOR": ""], .indexed256),
        (["TERM": "screen.xterm-256color", "STY": "1.x", "COLORTERM": "truecolor"], .indexed256),
        (["TERM": "screen-256color", "KITTY_WINDOW_ID": "1"], .indexed256),
        (["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"], .trueColor),
        (["TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal", "COLORTERM": "truecolor"], .indexed256),
        (["TERM": "xterm-256color", "VTE_VERSION": "3400"], .indexed256),
    ])
    func goesByTheEnvironmentWhenTheTerminalIsSilent(_ environment: [String: String], _ depth: ColourDepth) {
        let found = CapabilityProbe(environment: ProbeEnvironment(environment), sentAt: HostTime(nanoseconds: 0)).capabilities
        #expect(found.colourDepth == depth, "\(found.reasons)")
        #expect(!found.answered)
        #expect(!found.synchronizedUpdate && !found.sixel && !found.kittyGraphics)
    }

    @Test func believesWhatTheTerminalDidWithAColourMoreThanVariables() {
        let environment = ["TERM": "xterm-256color", "COLORTERM": "truecolor"]
        #expect(probe(environment, "^[P1$r0;38:5:16m^[\\^[[?64;1c").capabilities.colourDepth == .indexed256)
        #expect(probe(["TERM": "xterm"], "^[P1$r0;38;2;1;2;3m^[\\^[[?64;1c").capabilities.colourDepth == .trueColor)
        #expect(probe(environment, "^[P0$r^[\\^[[?64;1c").capabilities.colourDepth == .trueColor)
    }

    @Test(arguments: [
        (["TERM": "xterm", "LANG": "C"], "^[[1;2R", true), (["TERM": "xterm", "LANG": "C.UTF-8"], "^[[1;3R", false),
        (["TERM": "xterm", "LANG": "C"], "^[[1;1R", false),
        (["TERM": "xterm", "LC_ALL": "de_DE.utf8", "LANG": "C"], "^[[?1;2c", true),
        (["TERM": "xterm"], "^[[?1;2c", true),
    ])
    func learnsWhetherUTF8IsUnderstood(_ environment: [String: String], _ answers: String, _ expected: Bool) {
        #expect(probe(environment, answers).capabilities.utf8 == expected)
    }

    @Test func takesLateAndStrangeAnswersWithoutHarm() {
        var probe = probe(["TERM": "xterm"], "^[[?62;c")
        #expect(probe.isComplete && !probe.capabilities.synchronizedUpdate)
        probe.fold(.mode(2026, .reset))
        #expect(probe.capabilities.synchronizedUpdate)
        probe.fold(.mode(2026, .permanentlyReset))
        #expect(!probe.capabilities.synchronizedUpdate)
        probe.fold(.kittyGraphics(id: 7, message: "OK"))
        probe.fold(.graphicsAttribute(item: 1, status: 0, values: []))
        probe.fold(.cellPixels(width: 0, height: 65535))
        probe.fold(.version(""))
        let found = probe.capabilities
        #expect(!found.kittyGraphics && found.sixelRegisters == nil && found.cellPixelSize == nil)
        #expect(found.identity == TerminalIdentity())
    }

    @Test func leavesNoTraceOnTheNormalScreen() {
        func batch(_ term: String) -> String {
            let probe = CapabilityProbe(environment: ProbeEnvironment(["TERM": term]), sentAt: HostTime(nanoseconds: 0))
            return String(decoding: probe.query, as: UTF8.self)
        }
        #expect(batch("dumb").isEmpty)
        let query = batch("xterm-256color")
        #expect(query.hasPrefix("\u{1B}[?1049h"))
        #expect(query.hasSuffix("\u{1B}[?1049l\u{1B}[0m\u{1B}[5n\u{1B}[c"))
        #expect(batch("linux") == "\u{1B}7\ré\u{1B}[6n\r\u{1B}[K\u{1B}8\u{1B}[5n\u{1B}[c")
        // For tmux and screen an APC is a title; the wrapping for tmux is text for screen.
        #expect(batch("tmux-256color").hasPrefix("\u{1B}Ptmux;\u{1B}\u{1B}_Gi=33,"))
        #expect(!batch("tmux-256color").contains("\u{1B}_Gi=31"))
        #expect(!batch("screen-256color").contains("_G") && !batch("screen").contains("tmux;"))
        var scanner = OutputScanner()
        for byte in query.utf8 { scanner.take(byte) }
        #expect(scanner.state == .ground)
    }
}
