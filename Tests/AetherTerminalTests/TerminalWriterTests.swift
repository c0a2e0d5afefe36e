import AetherCore
import AetherTerminal
import Testing

struct FrameCutTests {
    @Test(arguments: [
        // text with `|` at the cut, the rest that must still be sent, the terminator
        ("ab|cd", "", ""), ("|abc", "", ""), ("abc|", "", ""),
        ("a^[|[31mb", "[31m", ""), ("a^[[3|1mb", "1m", ""), ("a^[[31m|b", "", ""), ("^[[38;2;1|;2;3mxx", ";2;3m", ""),
        ("^[|7x", "7", ""), ("^[(|Bx", "B", ""),
        ("^[]11;|?^[\\z", "?^[\\", ""), ("^[_Gi=1;AA|AA^[\\z", "AA^[\\", ""), ("^[_Gi=1;AA^[|\\z", "\\", ""),
        ("^[Pq~~|^[[Ax", "^[[A", ""),
    ])
    func finishesTheSequenceAtTheCut(_ text: String, _ rest: String, _ terminator: String) {
        let (frame, sent) = cut(text)
        let plan = FrameCut.plan(frame: frame, sent: sent)
        #expect(Array(frame[sent..<plan.end]) == escaped(rest))
        #expect(plan.terminator == escaped(terminator))
    }

    @Test func finishesACharacterAtTheCut() {
        let frame = Array("▀é".utf8)
        #expect((0...5).map { FrameCut.plan(frame: frame, sent: $0).end } == [0, 3, 3, 3, 5, 5])
    }

    @Test(arguments: [
        ("^[Pq#0;2;|", "^[\\"), ("^[_Gi=1;AA^[|", "\\"), ("^[[38;2|", "\u{18}"), ("^[|", "\u{18}"), ("^[]0;x|", "^[\\"),
    ])
    func abortsASequenceWhoseEndIsFarOrMissing(_ text: String, _ terminator: String) {
        let (frame, sent) = cut(text)
        #expect(FrameCut.plan(frame: frame, sent: sent) == FrameCut(end: sent, terminator: escaped(terminator)))
        guard text.contains("Pq") else { return }
        let long = frame + [UInt8](repeating: 0x7E, count: 300_000) + escaped("^[\\")
        #expect(FrameCut.plan(frame: long, sent: sent) == FrameCut(end: sent, terminator: escaped("^[\\")))
    }

    @Test func leavesTheTerminalInItsGroundStateAtEveryCut() {
        let frame = escaped("^[[?2026h^[[1;1H^[[38;2;1;2;3;48;5;9m▀é^[]8;;x\u{7}y^[]8;;^[\\^[Pq#0~-^[\\^[_Gm=0;AAAA^[\\^[(B^[[0m")
        for sent in 0...frame.count {
            for patience in [0, 3, 256] {
                let plan = FrameCut.plan(frame: frame, sent: sent, patience: patience)
                var scanner = OutputScanner()
                for byte in frame[..<plan.end] + plan.terminator[...] { scanner.take(byte) }
                #expect(plan.end >= sent)
                #expect(scanner.state == .ground, "cut at \(sent)")
            }
        }
    }

    private func cut(_ text: String) -> (frame: [UInt8], sent: Int) {
        let halves = text.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false).map { escaped(String($0)) }
        return (halves[0] + halves[1], halves[0].count)
    }
}

struct TerminalWriterTests {
    @Test func sendsAFrameInOneWriteInsideASynchronizedUpdate() throws {
        let port = MemoryPort()
        var writer = TerminalWriter(port: port, synchronizedUpdates: true, time: ManualTime())
        #expect(try writer.submit(escaped("^[[1;1Hx")) == .idle)
        #expect(port.written == escaped("^[[?2026h^[[1;1Hx^[[?2026l"))
        #expect(try writer.submit([]) == .idle)
        #expect(writer.statistics.framesWritten == 1)
        #expect(writer.statistics.bytesWritten == Int64(port.written.count))
        #expect(writer.statistics.drainRate == nil)
    }

    @Test func resumesAShortWriteAndRefusesASecondFrameMeanwhile() throws {
        let port = MemoryPort(bytesPerCall: 3, credit: 5)
        var writer = TerminalWriter(port: port, time: ManualTime())
        #expect(try writer.submit(Array("0123456789".utf8)) == .blocked)
        #expect(!writer.isIdle)
        #expect(try writer.submit(Array("xx".utf8)) == .blocked)
        port.allow(100)
        #expect(try writer.pump() == .idle)
        #expect(port.written == Array("0123456789".utf8))
        #expect(try writer.pump() == .idle)
        #expect(writer.statistics.framesWritten == 1)
    }

    @Test func measuresTheDrainRateWhileTheTerminalIsTheBottleneck() throws {
        let time = ManualTime()
        let port = MemoryPort(credit: 1000)
        var writer = TerminalWriter(port: port, time: time)
        #expect(try writer.submit([UInt8](repeating: 0x61, count: 26_000)) == .blocked)
        for _ in 0..<10 {
            time.advance(by: .milliseconds(10))
            port.allow(2500)
            _ = try writer.pump()
        }
        #expect(writer.isIdle)
        #expect(writer.statistics.timeBlocked == .milliseconds(100))
        #expect(writer.statistics.lastFrameTime == .milliseconds(100))
        #expect(abs((writer.statistics.drainRate ?? 0) - 250_000) < 1)
    }

    @Test func givesUpAFrameAtASafePlaceAndClosesTheUpdate() throws {
        let port = MemoryPort(credit: 9 + 6)
        var writer = TerminalWriter(port: port, synchronizedUpdates: true, time: ManualTime())
        #expect(try writer.submit(escaped("^[[38;2;1;2;3mABC") + [UInt8](repeating: 0x78, count: 100_000)) == .blocked)
        let abandoned = writer.abandon()
        #expect(abandoned)
        port.allow(.max)
        #expect(try writer.pump() == .idle)
        #expect(String(decoding: port.written, as: UTF8.self) == "\u{1B}[?2026h\u{1B}[38;2;1;2;3m\u{1B}[?2026l")
        #expect(writer.statistics.framesAbandoned == 1)
        #expect(writer.statistics.framesWritten == 0)
        let again = writer.abandon()
        #expect(!again)
    }

    @Test func dropsAFrameOfWhichNothingIsOut() throws {
        let port = MemoryPort(credit: 0)
        var writer = TerminalWriter(port: port, synchronizedUpdates: true, time: ManualTime())
        #expect(try writer.submit(Array("abc".utf8)) == .blocked)
        let abandoned = writer.abandon()
        #expect(abandoned)
        #expect(writer.isIdle)
        port.allow(.max)
        #expect(try writer.submit(Array("d".utf8)) == .idle)
        #expect(port.written == escaped("^[[?2026hd^[[?2026l"))
    }

    private static let due = HostTime(nanoseconds: 10_000_000)

    @Test func holdsTheEndOfAnUpdateUntilTheFrameIsDue() throws {
        let time = ManualTime()
        let port = MemoryPort()
        var writer = TerminalWriter(port: port, synchronizedUpdates: true, meter: LinkMeter(asks: true), time: time)
        #expect(try writer.submit(Array("abc".utf8), due: Self.due) == .holding)
        // The question lies before what is held: its answer tells of the bytes, and not of the pause.
        #expect(port.written == escaped("^[[?2026habc^[[5n"))
        #expect(writer.heldUntil == Self.due && !writer.isIdle)
        #expect(try writer.submit(Array("d".utf8)) == .blocked)
        time.advance(by: .milliseconds(9))
        #expect(try writer.pump() == .holding)
        time.advance(by: .milliseconds(1))
        #expect(try writer.pump() == .idle)
        #expect(port.written == escaped("^[[?2026habc^[[5n^[[?2026l"))
        #expect(writer.statistics.lastFrameTime == .zero && writer.statistics.framesWritten == 1)
        #expect(writer.heldUntil == nil)
    }

    @Test func holdsTheLastSequenceWhereThereAreNoUpdatesAndCutsNoString() throws {
        let port = MemoryPort()
        var writer = TerminalWriter(port: port, time: ManualTime())
        #expect(try writer.submit(escaped("^[[1;1Hab^[[31mcd"), due: Self.due) == .holding)
        #expect(port.written == escaped("^[[1;1Hab"))
        writer.release()
        #expect(try writer.pump() == .idle)
        #expect(port.written == escaped("^[[1;1Hab^[[31mcd"))
        #expect(try writer.submit(escaped("^[Pq#0~~^[\\"), due: Self.due) == .idle)
    }

    @Test func aSlowTerminalIsNotHeldUp() throws {
        let time = ManualTime()
        let port = MemoryPort(credit: 10)
        var writer = TerminalWriter(port: port, synchronizedUpdates: true, time: time)
        #expect(try writer.submit(Array("0123456789".utf8), due: Self.due) == .blocked)
        #expect(writer.heldUntil == nil)
        time.advance(by: .milliseconds(20))
        port.allow(100)
        #expect(try writer.pump() == .idle)
        #expect(port.written == escaped("^[[?2026h0123456789^[[?2026l"))
        // Due already: in one write.
        port.allow(100)
        #expect(try writer.submit(Array("x".utf8), due: Self.due) == .idle)
    }

    /// At whatever byte the terminal stands when we leave, the update is closed and no sequence is left half.
    @Test func leavesNoUpdateOpenAtWhateverByteItIsGivenUp() throws {
        let frame = escaped("^[[38;2;1;2;3mABC^[[0m")
        for credit in 0...60 {
            let port = MemoryPort(credit: credit)
            let time = ManualTime()
            var writer = TerminalWriter(port: port, synchronizedUpdates: true, meter: LinkMeter(asks: true), time: time)
            let first = try writer.submit(frame, due: Self.due)
            let isThrough = first == .holding
            let gaveUp = writer.abandon()
            #expect(!(isThrough && gaveUp))
            port.allow(1000)
            #expect(try writer.pump() == .idle)
            var scanner = OutputScanner()
            for byte in port.written { scanner.take(byte) }
            #expect(scanner.state == .ground)
            let text = String(decoding: port.written, as: UTF8.self)
            #expect(text.isEmpty || text.hasSuffix("\u{1B}[?2026l"), "after \(credit)")
            #expect(try writer.submit(Array("x".utf8)) == .idle)
        }
    }
}
