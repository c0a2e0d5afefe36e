import AetherCore
import AetherTerminal
import AetherTestSupport
import CLinux
import Glibc
import Testing

struct TerminalModesTests {
    @Test func turnsOffExactlyWhatIsOnInReverseOrder() {
        let modes: TerminalModes = [.screen, .mouse, .synchronizedUpdates]
        #expect(modes.enteringBytes == escaped("^[[?1049h^[[?25l^[[?7l^[[?2004h^[[?1002h^[[?1003h^[[?1006h^[[0m^[[H^[[2J"))
        #expect(
            modes.leavingBytes == [0x18]
                + escaped("^[\\^[[?2026l^[[?1006l^[[?1003l^[[?1002l^[[?2004l^[[?7h^[[?25h^[[0m^[[?1049l^[[0m"))
        #expect(TerminalModes().leavingBytes == [])
        #expect(TerminalModes.mouse.leavingBytes == [0x18] + escaped("^[\\^[[?1006l^[[?1003l^[[?1002l^[[0m"))
    }

    @Test func fitsIntoTheCrashGuard() {
        #expect(TerminalModes(rawValue: .max).leavingBytes.count <= 1024)
    }
}

/// Tests on a real line, one at a time: the crash guard and the signal mask belong to the process.
@Suite(.serialized) struct OnALine {}

extension OnALine {
    @Suite struct SessionTests {
        @Test func leavesTheTerminalAsItWasFound() throws {
            let pty = try Pty()
            let before = pty.modes()
            let session = try TerminalSession(port: try TTYPort(reopening: pty.slave))
            #expect(pty.modes() == before)
            try session.enterRaw()
            #expect(pty.received() == [])
            #expect(session.restoreBytes == [])
            try session.enter([.screen, .mouse])
            try session.enter([.screen, .mouse])
            #expect(pty.received() == TerminalModes([.screen, .mouse]).enteringBytes)
            #expect(pty.modes() != before)
            try session.turnOff(.mouse)
            #expect(pty.received() == TerminalModes.mouse.leavingBytes)
            let restore = session.restoreBytes
            #expect(restore == TerminalModes.screen.leavingBytes)
            session.leave()
            session.leave()
            #expect(pty.received() == restore)
            #expect(pty.modes() == before)
        }

        /// As at each change of the renderer: what is sent once need not be sent twice, and the crash guard holds it.
        @Test func partingBytesAreSentOnce() throws {
            let pty = try Pty()
            let session = try TerminalSession(port: try TTYPort(reopening: pty.slave))
            session.partingBytes = [1, 2]
            try session.enter(.screen)
            let images = [UInt8](repeating: 7, count: 250)
            for _ in 0..<6 { try session.add(parting: images) }
            try session.add(parting: [3])
            try session.add(parting: [])
            #expect(session.partingBytes == [3] + images + [1, 2])
            #expect(throws: TerminalError.self) { try session.add(parting: [UInt8](repeating: 8, count: 1024)) }
            _ = pty.received()
            session.leave()
        }

        /// The answers to our questions come to us, and not to the shell. The clock stands: only the answers end the waiting.
        @Test func waitsForTheAnswersThatAreDue() throws {
            let pty = try Pty()
            let session = try TerminalSession(port: try TTYPort(reopening: pty.slave), time: ManualTime())
            try session.enter()
            session.answersDue = 2
            let master = pty.master
            // The terminal answers when it has read everything, one question after the other.
            let terminal = WorkerThread(name: "terminal") {
                var seen = "", buffer = [UInt8](repeating: 0, count: 4096)
                while !seen.contains("\u{1B}[?1049l") {
                    var one = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
                    guard poll(&one, 1, -1) == 1 else { return }
                    let count = read(master, &buffer, buffer.count)
                    if count > 0 { seen += String(decoding: buffer[..<count], as: UTF8.self) }
                }
                for _ in 0..<2 { _ = write(master, "\u{1B}[0n", 4) }
            }
            session.leave()
            terminal.join()
            var left = [UInt8](repeating: 0, count: 64)
            _ = fcntl(pty.slave, F_SETFL, O_NONBLOCK)
            #expect(read(pty.slave, &left, left.count) <= 0)
        }

        @Test func aTerminalThatNeverAnswersIsLeftAfterATenthOfASecond() throws {
            let pty = try Pty(), time = SteppingTime(step: .milliseconds(10))
            let before = pty.modes()
            let session = try TerminalSession(port: try TTYPort(reopening: pty.slave), time: time)
            try session.enter()
            session.answersDue = 2
            let start = time.now()
            session.leave()
            let span = time.now() - start
            #expect(span >= .milliseconds(100) && span < .milliseconds(200), "\(span)")
            #expect(pty.modes() == before)
        }

        @Test func theKeyboardIsGivenBackOnTheScreenThatItWasTakenOn() throws {
            let modes = TerminalModes.screen.union(.keyboardProtocol)
            let on = String(decoding: modes.enteringBytes, as: UTF8.self),
                off = String(decoding: modes.leavingBytes, as: UTF8.self)
            let screenOn = try #require(on.firstRange(of: "\u{1B}[?1049h")), push = try #require(on.firstRange(of: "\u{1B}[>5u"))
            let pop = try #require(off.firstRange(of: "\u{1B}[<1u")),
                screenOff = try #require(off.firstRange(of: "\u{1B}[?1049l"))
            #expect(screenOn.upperBound <= push.lowerBound && pop.upperBound <= screenOff.lowerBound)
        }

        @Test func keepsTheKeyboardsSignalsAndNothingElse() throws {
            let pty = try Pty()
            let session = try TerminalSession(port: try TTYPort(reopening: pty.slave))
            try session.enterRaw()
            var modes = termios()
            tcgetattr(pty.slave, &modes)
            #expect(modes.c_lflag & tcflag_t(ISIG | NOFLSH) == tcflag_t(ISIG | NOFLSH))
            #expect(modes.c_lflag & tcflag_t(ECHO | ICANON | IEXTEN) == 0)
            #expect(modes.c_iflag & tcflag_t(IXON | ICRNL) == 0)
            #expect(modes.c_oflag & tcflag_t(OPOST) == 0)
        }

        @Test func leavesWhenItsOwnerForgets() throws {
            let pty = try Pty()
            let before = pty.modes()
            do {
                let session = try TerminalSession(port: try TTYPort(reopening: pty.slave))
                try session.enter()
            }
            #expect(pty.received() == TerminalModes.screen.enteringBytes + TerminalModes.screen.leavingBytes)
            #expect(pty.modes() == before)
        }

        @Test func comesBackAfterASuspension() throws {
            let pty = try Pty()
            let before = pty.modes()
            let session = try TerminalSession(port: try TTYPort(reopening: pty.slave))
            try session.enter()
            let raw = pty.modes()
            _ = pty.received()
            session.suspend()
            session.suspend()
            #expect(pty.received() == TerminalModes.screen.leavingBytes)
            #expect(pty.modes() == before)
            #expect(session.modes == [])
            try session.resume()
            #expect(pty.received() == TerminalModes.screen.enteringBytes)
            #expect(pty.modes() == raw)
            // SIGSTOP gives no time to suspend; the shell restores its own modes, and SIGCONT follows.
            var original = before.withUnsafeBytes { $0.loadUnaligned(as: termios.self) }
            tcsetattr(pty.slave, TCSANOW, &original)
            try session.resume()
            #expect(pty.received() == TerminalModes.screen.enteringBytes)
            #expect(pty.modes() == raw)
            session.leave()
            try session.resume()
            #expect(pty.modes() == before)
        }

        @Test func leavesATerminalThatTakesNothingAnyMore() throws {
            let pty = try Pty(), time = SteppingTime(step: .milliseconds(5))
            let before = pty.modes()
            let port = try TTYPort(reopening: pty.slave)
            let session = try TerminalSession(port: port, time: time)
            try session.enter()
            try fill(port, pty)
            let start = time.now()
            session.leave()
            // 120 ms is the promise, 60 of them to find out that the queue is full; the rest are looks at the clock.
            let span = time.now() - start
            #expect(span >= .milliseconds(60) && span < .milliseconds(160), "\(span)")
            #expect(pty.modes() == before)
            let received = pty.received()
            #expect(Array(received.suffix(TerminalModes.screen.leavingBytes.count)) == TerminalModes.screen.leavingBytes)
        }

        /// Writes until the line takes no single byte any more, and never will while nobody reads: the terminal's end, to which the kernel goes on
        /// moving bytes, holds its 4095.
        private func fill(_ port: TTYPort, _ pty: Pty) throws {
            var filler = TerminalWriter(port: port)
            while true {
                let isFull = pty.waiting() >= 4095
                var taken = 0
                while try filler.submit([0x78]) == .idle { taken += 1 }
                _ = filler.abandon()
                if isFull && taken == 0 { return }
            }
        }

        @Test func sharesNoFlagsWithStandardOutput() throws {
            let pty = try Pty(rows: 45, columns: 160, xPixels: 1280, yPixels: 720)
            let port = try TTYPort(reopening: pty.slave)
            #expect(port.size() == TerminalSize(columns: 160, rows: 45, xPixels: 1280, yPixels: 720))
            var writer = TerminalWriter(port: port)
            #expect(try writer.submit([UInt8](repeating: 0x78, count: 100_000)) == .blocked)
            #expect(try openFlags(of: pty.slave) & O_NONBLOCK == 0)
            #expect(try openFlags(of: port.descriptor) & O_NONBLOCK != 0)
        }

        @Test func tellsAHangUp() throws {
            let pty = try Pty()
            let port = try TTYPort(reopening: pty.slave)
            let session = try TerminalSession(port: port)
            try session.enter()
            pty.hangUp()
            var writer = TerminalWriter(port: port)
            #expect(throws: TerminalError(.hungUp, "write to", cause: EIO)) { try writer.submit([0x78]) }
            #expect(writer.isIdle)
            session.leave()
            var events = TerminalEvents(input: port.descriptor, signals: nil, wake: nil)
            #expect(events.next(until: nil) == .hangup)
            #expect(events.next(until: HostTime(nanoseconds: 0)) == .timeout)
        }

        /// The flags in /proc: fcntl(2) is variadic and hidden.
        private func openFlags(of descriptor: Int32) throws -> Int32 {
            let file = try #require(fopen("/proc/self/fdinfo/\(descriptor)", "r"))
            defer { fclose(file) }
            var line = [CChar](repeating: 0, count: 256)
            while fgets(&line, 256, file) != nil {
                let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                if text.hasPrefix("flags:") { return try #require(Int32(text.dropFirst(6).filter(\.isNumber), radix: 8)) }
            }
            throw TerminalError(.modes, "read the flags of")
        }
    }
}
