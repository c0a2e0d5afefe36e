import AetherCore
import AetherTestSupport
import Testing

@testable import AetherTerminal

@Suite struct SixelBottomProbeTests {
    /// Terminals by what they do with the cursor after a picture: rows below its first one, and whether they scroll at the bottom.
    @Test func whatIsNotSaidIsDecidedByTheProgram() {
        var outcome = SixelBottomOutcome()
        #expect(outcome.reserves(for: TerminalIdentity(name: "XTerm", version: "379")))
        #expect(!outcome.reserves(for: TerminalIdentity(name: "foot", version: "1.13")))
        outcome.isConclusive = true
        #expect(outcome.reserves(for: TerminalIdentity(name: "foot", version: "1.13")))
        outcome.needsReserve = false
        #expect(!outcome.reserves(for: TerminalIdentity(name: "XTerm", version: "379")))
    }

    private static let terminals: [(name: String, top: Int, bottom: Int, needsReserve: Bool)] = [
        // 40 rows of 13 pixels: the picture has 78 pixels, 6 rows, and begins in row 35.
        ("xterm 379, recorded: on the last row; scrolls", 6, 39, true),
        ("foot: on the last row", 6, 40, false),
        ("the cursor goes below the picture, which scrolls at the bottom", 7, 40, true),
        ("the cursor stays (DECSDM)", 1, 35, false),
        ("the last band's top, another row where cells are small", 5, 39, false),
        ("scrolled by two", 6, 38, true),
    ]

    @Test(arguments: terminals.indices) func foldsTwoAnswers(index: Int) throws {
        let terminal = Self.terminals[index]
        var probe = try #require(
            SixelBottomProbe(screen: CellSize(columns: 100, rows: 40), cell: PixelSize(width: 6, height: 13)))
        #expect(probe.needsReserve && !probe.isComplete)
        probe.fold(.status(true))
        probe.fold(.cursor(row: terminal.top, column: 1))
        #expect(probe.needsReserve && !probe.isComplete)
        probe.fold(.cursor(row: terminal.bottom, column: 1))
        #expect(probe.isComplete)
        #expect(probe.needsReserve == terminal.needsReserve, "\(terminal.name)")
        probe.fold(.cursor(row: 17, column: 1))
        #expect(probe.needsReserve == terminal.needsReserve, "a third answer is somebody else's")
    }

    @Test(arguments: [(16, 3, 8), (13, 6, 13), (18, 1, 3), (20, 3, 10), (17, 6, 17), (6, 1, 1)])
    func paintsWholeCellsThatEndWithTheScreen(height: Int, rows: Int, bands: Int) throws {
        let probe = try #require(
            SixelBottomProbe(screen: CellSize(columns: 80, rows: 24), cell: PixelSize(width: 8, height: height)))
        let text = String(decoding: probe.query, as: UTF8.self)
        #expect(text.hasPrefix("\u{1B}[?1049h\u{1B}[1;1H\u{1B}P0;1q\"1;1;1;\(bands * 6)#"))
        #expect(text.contains("\u{1B}[\(24 - rows + 1);1H\u{1B}P0;1q\"1;1;1;\(bands * 6)#"))
        #expect(text.count { $0 == "~" } == 2 * bands)
        #expect(text.count { $0 == "-" } == 2 * (bands - 1))
        #expect(text.split(separator: "\u{1B}[6n", omittingEmptySubsequences: false).count == 3)
        #expect(text.hasSuffix("\u{1B}[?1049l\u{1B}[0m"))
    }

    @Test func asksNothingWhereTheFrameDoesNotFit() {
        #expect(SixelBottomProbe(screen: CellSize(columns: 80, rows: 3), cell: PixelSize(width: 8, height: 16)) == nil)
        #expect(SixelBottomProbe(screen: CellSize(columns: 80, rows: 4), cell: PixelSize(width: 8, height: 16)) != nil)
        #expect(SixelBottomProbe(screen: CellSize(columns: 80, rows: 24), cell: PixelSize(width: 8, height: 0)) == nil)
        #expect(SixelBottomProbe(screen: CellSize(columns: 80, rows: 24), cell: PixelSize(width: 500, height: 1021)) == nil)
    }
}

extension OnALine {
    @Suite struct SixelBottomLineTests {
        private let screen = CellSize(columns: 80, rows: 24), cell = PixelSize(width: 8, height: 16)

        private func ask(
            _ pty: Pty, typing text: String, cell: PixelSize?, time: SteppingTime = SteppingTime()
        ) throws -> SixelBottomOutcome {
            let port = try TTYPort(reopening: pty.slave)
            let session = try TerminalSession(port: port)
            try session.enterRaw()
            defer { session.leave() }
            var events = TerminalEvents(input: port.descriptor, signals: nil, wake: nil, time: time)
            if !text.isEmpty { pty.type(text) }
            return try SixelBottomProbe.run(port: port, events: &events, screen: screen, cell: cell, time: time)
        }

        @Test func keepsWhatWasTypedMeanwhile() throws {
            let pty = try Pty()
            let outcome = try ask(pty, typing: "q^[[3;1R ^[[24;1R", cell: cell)
            #expect(!outcome.needsReserve && !outcome.repliesPending)
            #expect(outcome.meanwhile == [.input([.key(KeyEvent(.character("q"))), .key(KeyEvent(.character(" ")))])])
            #expect(pty.received() == SixelBottomProbe(screen: screen, cell: cell)?.query)
            #expect(try ask(pty, typing: "^[[3;1R^[[23;1R", cell: cell).needsReserve)
        }

        @Test(arguments: ["", "^[[3;1R", "^[[0n", "q"]) func silenceReserves(_ text: String) throws {
            let time = SteppingTime(step: .milliseconds(5))
            let start = time.now()
            let outcome = try ask(try Pty(), typing: text, cell: cell, time: time)
            #expect(outcome.needsReserve && outcome.repliesPending)
            // 100 ms is the promise; the rest are looks at the clock.
            let span = time.now() - start
            #expect(span >= .milliseconds(100) && span < .milliseconds(150), "\(span)")
        }

        @Test func withoutACellSizeNothingIsAsked() throws {
            let pty = try Pty()
            let outcome = try ask(pty, typing: "", cell: nil)
            #expect(outcome.needsReserve && !outcome.repliesPending && outcome.meanwhile.isEmpty)
            #expect(pty.received().isEmpty)
        }
    }
}
