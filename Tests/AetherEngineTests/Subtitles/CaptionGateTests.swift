import Testing

@testable import AetherEngine

@Suite struct CaptionGateTests {
    /// Pairs of the first field.
    private func field(_ pairs: [(UInt8, UInt8)]) -> [UInt8] { pairs.flatMap { [0xFC, $0.0, $0.1] } }

    @Test func halfATextIsHeldBackUntilTheNextBegins() {
        var gate = CaptionGate()
        // The rest of a text, and the command that shows it.
        #expect(gate.take(field([(0x41, 0x42), (0x94, 0x2F)])).isEmpty && !gate.isOpen)
        let next = field([(0x43, 0x44), (0x94, 0x20), (0x45, 0x46)])
        #expect(Array(gate.take(next)) == Array(next[3...]) && gate.isOpen)
        #expect(gate.take(field([(0x94, 0x2F)])).count == 3)
        gate.close()
        #expect(gate.take(field([(0x41, 0x42)])).isEmpty)
    }

    @Test func rollingTextsAreWholeWhenAllRowsHaveRolled() {
        var gate = CaptionGate()
        #expect(gate.take(field([(0x94, 0x26), (0x94, 0x2D), (0x41, 0x42)])).count == 9 && !gate.isOpen)
        #expect(gate.take(field([(0x94, 0x26), (0x94, 0x2D)])).count == 6 && !gate.isOpen)
        _ = gate.take(field([(0x94, 0x26), (0x94, 0x2D)]))
        #expect(gate.isOpen)
    }

    @Test func whatIsNoCommandOpensNothing() {
        var gate = CaptionGate()
        #expect(gate.take([]).isEmpty && gate.take([0xFC]).isEmpty && gate.take([0xFC, 0x94]).isEmpty)
        // Of the second field, of CEA-708, invalid.
        #expect(gate.take([0xFD, 0x94, 0x20, 0xFE, 0x94, 0x20, 0xF8, 0x94, 0x20]).isEmpty && !gate.isOpen)
    }
}
