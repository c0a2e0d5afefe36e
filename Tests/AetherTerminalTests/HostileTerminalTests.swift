import AetherCore
import AetherTestSupport
import Glibc
import Synchronization
import Testing

@testable import AetherTerminal

extension OnALine {
    /// Terminals that answer garbage, too much, too late, or die: the probe ends in time, and nothing becomes a key that was not typed.
    @Suite struct HostileTerminalTests {
        /// Writes the same bytes to the terminal's end again and again.
        private final class Flood: Sendable {
            private let isOver = Atomic(false)

            func start(_ bytes: [UInt8], into master: Int32) -> WorkerThread {
                WorkerThread(name: "flood") { [isOver = self] in
                    while !isOver.isOver.load(ordering: .relaxed) {
                        if write(master, bytes, bytes.count) < 0 {
                            // Full: until somebody reads, or the flood is over.
                            var room = pollfd(fd: master, events: Int16(POLLOUT), revents: 0)
                            _ = poll(&room, 1, 5)
                        }
                    }
                }
            }

            func stop() { isOver.store(true, ordering: .relaxed) }
        }

        /// A terminal that was asked and gave these answers, and went on living.
        private struct Asked {
            let port: TTYPort
            let session: TerminalSession
            var events: TerminalEvents
            var outcome: ProbeOutcome
        }

        /// The clock stands afterwards.
        private func ask(_ pty: Pty, typing text: String = "", at clock: SteppingTime) throws -> Asked {
            clock.go(by: .milliseconds(50))
            defer { clock.go(by: .zero) }
            let port = try TTYPort(reopening: pty.slave)
            let session = try TerminalSession(port: port)
            try session.enterRaw()
            var events = TerminalEvents(input: port.descriptor, signals: nil, wake: nil, time: clock)
            if !text.isEmpty { pty.type(text) }
            let outcome = try CapabilityProbe.run(
                port: port, events: &events, environment: ProbeEnvironment(["TERM": "xterm"]), time: clock)
            return Asked(port: port, session: session, events: events, outcome: outcome)
        }

        @Test(arguments: ["q", "^[P", "^[_Gi=31;", "^[]11;rgb:", "^[[?1;", "^[[0n", "\u{0}", "^[", "^[[200~x"])
        func aFloodEndsWithThePatience(_ text: String) throws {
            let pty = try Pty()
            let flood = Flood()
            let port = try TTYPort(reopening: pty.slave)
            let session = try TerminalSession(port: port)
            try session.enterRaw()
            let thread = flood.start(Array(repeating: escaped(text), count: 200).flatMap { $0 }, into: pty.master)
            let time = SteppingTime()
            var events = TerminalEvents(input: port.descriptor, signals: nil, wake: nil, time: time)
            let start = time.now()
            let outcome = try CapabilityProbe.run(
                port: port, events: &events, environment: ProbeEnvironment(["TERM": "xterm", "SSH_TTY": "x"]), time: time)
            let took = time.now() - start
            flood.stop()
            thread.join()
            // 300 ms is the promise. The rest are looks at the clock, of which each costs 1 ms.
            #expect(took >= .milliseconds(300) && took < .milliseconds(330), "\(took)")
            #expect(!outcome.probe.isComplete)
            let typedAhead = outcome.meanwhile.reduce(0) { sum, event in
                if case .input(let inputs) = event { sum + inputs.count } else { sum }
            }
            #expect(typedAhead <= 1024)
            session.leave()
        }

        /// The kernel may throw away at the hang-up of a line whatever was not read by then: only the end itself is certain. The clock stands:
        /// however late the hang-up comes, the probe still waits.
        @Test func aTerminalThatDiesInTheMiddle() throws {
            let pty = try Pty(), clock = ManualTime()
            let port = try TTYPort(reopening: pty.slave)
            let session = try TerminalSession(port: port)
            try session.enterRaw()
            pty.type("^[[1;2R^[P>|XTerm(3")
            var events = TerminalEvents(input: port.descriptor, signals: nil, wake: nil, time: clock)
            let thread = WorkerThread(name: "death") { [master = pty.master] in
                // The probe has asked.
                var asked = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
                _ = poll(&asked, 1, -1)
                close(master)
            }
            let outcome = try CapabilityProbe.run(
                port: port, events: &events, environment: ProbeEnvironment(["TERM": "xterm", "SSH_TTY": "x"]), time: clock)
            thread.join()
            pty.forget()
            #expect(outcome.meanwhile == [.hangup])
            session.leave()
        }

        /// A pipe keeps what was written before its end, so the answers are there for certain.
        @Test func answersBeforeTheDeathOfATerminalCount() throws {
            let pty = try Pty(), clock = ManualTime()
            let port = try TTYPort(reopening: pty.slave)
            let session = try TerminalSession(port: port)
            try session.enterRaw()
            let pipe = try PipeEnds()
            #expect(fcntl(pipe.reader, F_SETFL, O_NONBLOCK) == 0)
            let said = escaped("^[[1;2R^[P>|XTerm(3")
            #expect(write(pipe.writer, said, said.count) == said.count)
            close(pipe.writer)
            var events = TerminalEvents(input: pipe.reader, signals: nil, wake: nil, time: clock)
            let outcome = try CapabilityProbe.run(
                port: port, events: &events, environment: ProbeEnvironment(["TERM": "xterm", "SSH_TTY": "x"]), time: clock)
            close(pipe.reader)
            #expect(outcome.meanwhile == [.hangup])
            #expect(outcome.capabilities.answered && outcome.capabilities.utf8)
            session.leave()
        }

        @Test func answersAfterTheDeadlineAreNoKeys() throws {
            let pty = try Pty(), clock = SteppingTime()
            var asked = try ask(pty, at: clock)
            #expect(asked.outcome.repliesPending && asked.events.decoder.awaitsReplies)
            // An ESC whose rest is on its way: 100 ms later than the Escape key would have been told.
            pty.type("^[")
            #expect(asked.events.next(until: clock.now()) == .timeout)
            clock.advance(by: .milliseconds(140))
            #expect(asked.events.next(until: clock.now()) == .timeout, "no key yet")
            pty.type("P>|foot(1.13.1)^[\\^[[?2026;2$y^[[?62;4c")
            var replies = 0
            while replies < 3 {
                guard case .input(let inputs) = asked.events.next(until: clock.now() + .seconds(5)) else { break }
                for input in inputs {
                    guard case .reply(let reply) = input else {
                        Issue.record("\(input) is no reply")
                        continue
                    }
                    asked.outcome.probe.fold(reply)
                    replies += 1
                }
            }
            #expect(asked.outcome.capabilities.synchronizedUpdate && asked.outcome.capabilities.sixel)
            #expect(!asked.events.decoder.awaitsReplies, "the last answer ends the waiting")
        }

        /// Somebody types a key each 400 ms: the string is given up in the first pause after a second of it.
        @Test func aStringThatNeverEndsGivesTheKeysBackAfterAPause() throws {
            let pty = try Pty(), clock = SteppingTime()
            var asked = try ask(pty, typing: "^[[?62c^[P>|never", at: clock)
            var found: [TerminalEvent] = []
            for _ in 0..<6 {
                pty.type("q")
                for _ in 0..<2 {
                    found.append(asked.events.next(until: clock.now()))
                    clock.advance(by: .milliseconds(200))
                }
            }
            let key = TerminalEvent.input([.key(KeyEvent(.character("q")))])
            #expect(found.first { $0 != .timeout } == key && found.prefix(6).allSatisfy { $0 == .timeout }, "\(found)")
        }

        @Test func aMegabyteOfAnswerIsSwallowed() {
            for introducer in ["^[P>|", "^[]11;", "^[_Gi=31;", "^[["] {
                var decoder = InputDecoder()
                var events = decoder.decode(escaped(introducer))
                events += decoder.decode([UInt8](repeating: 0x31, count: 1 << 20))
                events += decoder.decode(escaped(introducer == "^[[" ? "c" : "^[\\"))
                #expect(events.isEmpty)
                #expect(decoder.decode(escaped("q")) == [.key(KeyEvent(.character("q")))])
            }
        }

        @Test(arguments: [(0, 0), (1, 1), (10_000, 10_000), (65_535, 1)])
        func sizesOfAllKinds(_ columns: Int, _ rows: Int) {
            for cell in [nil, PixelSize(width: 65535, height: 1), PixelSize(width: 8, height: 16)] {
                let size = TerminalSize(columns: columns, rows: rows, xPixels: 65535, yPixels: 65535)
                    .reporting(cell: cell, window: PixelSize(width: 1, height: 65535))
                #expect((1...2000).contains(size.cells.columns) && (1...1000).contains(size.cells.rows))
                #expect((0.2...2).contains(size.cellAspect))
                let traits = TerminalCapabilities().displayTraits(size: size)
                if let cell = traits.cellPixels { #expect(cell.width >= 1 && cell.height >= 1) }
            }
        }

        @Test func impossibleNumbersMakeNoTraits() {
            var probe = CapabilityProbe(environment: ProbeEnvironment(["TERM": "xterm"]), sentAt: HostTime(nanoseconds: 0))
            probe.fold(.deviceAttributes([62, 4]))
            probe.fold(.graphicsAttribute(item: 1, status: 0, values: [65535]))
            probe.fold(.graphicsAttribute(item: 2, status: 0, values: [0, 65535]))
            probe.fold(.kittyGraphics(id: 65535, message: "OK"))
            probe.fold(.kittyGraphics(id: 32, message: "OK"))
            probe.fold(.secondaryAttributes([]))
            let traits = probe.capabilities.displayTraits(size: TerminalSize(columns: 80, rows: 24))
            #expect(traits.sixel == DisplayTraits.Sixel(registers: 1024))
            #expect(traits.kitty == nil, "memory alone, without the direct query, proves nothing")
        }
    }
}

struct SharedMemoryPixelTests {
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func encodesNames(_ text: String, _ expected: String) { #expect(SharedMemoryPixel.base64(Array(text.utf8)) == expected) }

    @Test func livesAsLongAsItsValue() {
        var path = ""
        do {
            let pixel = SharedMemoryPixel(), other = SharedMemoryPixel()
            let name = pixel.name ?? "/none", otherName = other.name ?? "/none"
            #expect(name != otherName && name.hasPrefix("/aether-tui-"))
            path = "/dev/shm" + name
            var facts = stat()
            #expect(stat(path, &facts) == 0)
            #expect(facts.st_size == 3 && facts.st_mode & 0o777 == 0o600)
            // The terminal has taken it: nothing more to do.
            #expect(shm_unlink(otherName) == 0)
        }
        #expect(access(path, F_OK) != 0)
        let unwanted = SharedMemoryPixel(isWanted: false).encodedName
        #expect(unwanted == nil)
    }
}

struct TmuxQuestionTests {
    private func answer(_ command: [String], within patience: TimeSpan = .seconds(60)) -> String {
        guard let question = TmuxQuestion(command: command) else { return "no program" }
        return question.answer(until: SystemTime().now() + patience)
    }

    @Test func takesTheFirstLine() {
        #expect(answer(["printf", "kitty(0.26.5)\\nmore"]) == "kitty(0.26.5)")
        #expect(answer(["true"]) == "")
        #expect(answer(["/no/such/program"]) == "no program")
        #expect(answer(["sh", "-c", "head -c 100000 /dev/zero | tr '\\0' x"]).utf8.count == 256)
    }

    @Test func doesNotWaitForOneThatHangs() {
        // It would last longer than a whole run of the tests may.
        #expect(answer(["sleep", "10000"], within: .milliseconds(50)) == "")
    }
}
