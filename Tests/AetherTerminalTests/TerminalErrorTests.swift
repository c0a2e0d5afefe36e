import AetherTerminal
import Glibc
import Testing

struct TerminalErrorTests {
    @Test func saysOneSentenceAndShowsNoControlCharacters() {
        #expect(
            TerminalError(.cannotOpen, "open", subject: "/dev/tt\u{1B}y", cause: ENXIO).description
                == "cannot open ‘/dev/tty’: No such device or address")
        #expect(TerminalError(.hungUp, "write to", cause: EIO).description == "the terminal has hung up: Input/output error")
        #expect(TerminalError(.unsuitable, "place the cursor", subject: "dumb").description == "‘dumb’ cannot place the cursor")
    }

    @Test func refusesADescriptorThatIsNoTerminal() {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        #expect(throws: TerminalError(.notATerminal, "open", subject: "descriptor \(ends[1])")) {
            try TTYPort(reopening: ends[1])
        }
        #expect(throws: TerminalError.self) { try TTYPort(path: "/dev/null") }
        #expect(throws: TerminalError.self) { try TTYPort(path: "/nonexistent") }
    }
}
