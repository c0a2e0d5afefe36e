import AetherCore
import AetherTerminal
import AetherTestSupport
import CLinux
import Glibc
import Testing

extension OnALine {
    @Suite struct EventsTests {
        private func soon() -> HostTime { SystemTime().now() + .seconds(60) }

        @Test func tellsKeysWakesAndTimeoutsApart() throws {
            let pty = try Pty()
            let port = try TTYPort(reopening: pty.slave)
            let session = try TerminalSession(port: port)
            try session.enterRaw()
            let wake = WakeHandle()
            var events = TerminalEvents(input: port.descriptor, signals: nil, wake: wake)
            #expect(events.next(until: HostTime(nanoseconds: 0)) == .timeout)
            wake.wake()
            wake.wake()
            pty.type("q^[[A")
            #expect(events.next(until: soon()) == .input([.key(KeyEvent(.character("q"))), .key(KeyEvent(.up))]))
            #expect(events.next(until: soon()) == .wake)
            #expect(events.next(until: HostTime(nanoseconds: 0)) == .timeout)
            session.leave()
        }

        @Test func resolvesALoneEscapeByItself() throws {
            let pty = try Pty(), time = SteppingTime(step: .milliseconds(4))
            let port = try TTYPort(reopening: pty.slave)
            let session = try TerminalSession(port: port)
            try session.enterRaw()
            var events = TerminalEvents(input: port.descriptor, signals: nil, wake: nil, time: time)
            pty.type("^[")
            let start = time.now()
            #expect(events.next(until: start + .seconds(3600)) == .input([.key(KeyEvent(.escape))]))
            let span = time.now() - start
            #expect(span >= .milliseconds(40) && span < .milliseconds(80), "\(span)")
            // The caller's earlier deadline is kept, and the Escape key is not lost by it.
            pty.type("^[")
            #expect(events.next(until: HostTime(nanoseconds: 0)) == .timeout)
            #expect(events.next(until: start + .seconds(3600)) == .input([.key(KeyEvent(.escape))]))
            session.leave()
        }

        @Test func aKeyThatIsASignalElsewhereIsOneHere() throws {
            let pty = try Pty()
            let port = try TTYPort(reopening: pty.slave)
            let session = try TerminalSession(port: port)
            try session.enterRaw()
            var events = TerminalEvents(input: port.descriptor, signals: nil, wake: nil)
            pty.type("a^[[122;5ub^[[99;5u^[[92;5u")
            #expect(events.next(until: soon()) == .input([.key(KeyEvent(.character("a")))]))
            #expect(events.next(until: soon()) == .signal(.suspend))
            #expect(events.next(until: soon()) == .input([.key(KeyEvent(.character("b")))]))
            #expect(events.next(until: soon()) == .signal(.interrupt))
            #expect(events.next(until: soon()) == .signal(.quit))
            #expect(events.next(until: HostTime(nanoseconds: 0)) == .timeout)
            session.leave()
        }

        @Test func deliversSignalsBeforeEverythingElse() throws {
            let former = try blockedSignals()
            defer { restore(former) }
            let signals = try Signals()
            let wake = WakeHandle()
            var events = TerminalEvents(input: -1, signals: signals, wake: wake)
            wake.wake()
            for signal in TerminalSignal.allCases where signal != .suspend && signal != .continued {
                // Sent to this thread: the other threads of the test process do not block them.
                #expect(pthread_kill(pthread_self(), signal.number) == 0)
                #expect(events.next(until: soon()) == .signal(signal))
            }
            #expect(events.next(until: soon()) == .wake)
            #expect(signals.next() == nil)
        }

        @Test func probesOverALineAndKeepsWhatWasTypedMeanwhile() throws {
            let pty = try Pty()
            let port = try TTYPort(reopening: pty.slave)
            let session = try TerminalSession(port: port)
            try session.enterRaw()
            let time = SteppingTime()
            var events = TerminalEvents(input: port.descriptor, signals: nil, wake: nil, time: time)
            pty.type("q^[[1;2R^[P>|foot(1.13.1)^[\\ ^[[?2026;2$y^[[?62;4c")
            // Across SSH no shared memory is made up, so the batch is known beforehand.
            let environment = ProbeEnvironment(["TERM": "foot", "SSH_TTY": "/dev/pts/1"])
            let outcome = try CapabilityProbe.run(port: port, events: &events, environment: environment, time: time)
            #expect(outcome.meanwhile == [.input([.key(KeyEvent(.character("q"))), .key(KeyEvent(.character(" ")))])])
            #expect(outcome.capabilities.synchronizedUpdate && outcome.capabilities.sixel)
            #expect(!outcome.repliesPending)
            #expect(pty.received() == CapabilityProbe(environment: environment, sentAt: soon()).query)
            time.go(by: .milliseconds(50))
            let silent = try CapabilityProbe.run(
                port: port, events: &events, environment: ProbeEnvironment(["TERM": "xterm"]), time: time)
            #expect(silent.repliesPending && !silent.capabilities.answered)
            session.leave()
        }

        private func blockedSignals() throws -> sigset_t {
            var set = sigset_t()
            try #require(pthread_sigmask(SIG_BLOCK, nil, &set) == 0)
            return set
        }

        private func restore(_ set: sigset_t) {
            var set = set
            pthread_sigmask(SIG_SETMASK, &set, nil)
        }
    }
}
