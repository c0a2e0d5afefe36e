public import AetherCore

/// Asks a terminal whether a sixel image may end with the screen: xterm 379 scrolls one line then, others do not.
///
/// The same image, one pixel wide, is painted at the top of the alternate screen and at its bottom, and the terminal says where its
/// cursor is afterwards. Wherever it leaves the cursor (on the last line of the image, below it, where it was), it is as far from
/// the image's first line both times, unless the screen has scrolled. Pure: does no input or output.
public struct SixelBottomProbe: Sendable {
    /// 100 ms: the terminal has just answered another batch, and nothing is lost but a few rows of pixels where it is slower.
    public static let patience = TimeSpan.milliseconds(100)
    /// The smallest image of whole bands and whole cells; no terminal has higher cells.
    private static let tallest = 1200

    /// The batch, to be sent in one piece.
    public let query: [UInt8]
    /// The number of CPR answers that the batch asks for: goes to `InputDecoder.expectedCursorReports`.
    public let cursorReportCount = 2
    /// Rows of cells, counted from 1, that the two images begin in.
    private let starts: [Int]
    private var ends: [Int] = []

    /// A probe for a screen of such cells; nil where the image that must be painted does not fit.
    public init?(screen: CellSize, cell: PixelSize) {
        guard cell.height > 0 else { return nil }
        var height = cell.height
        while height % 6 != 0 { height += cell.height }
        let rows = height / cell.height
        guard height <= Self.tallest, rows < screen.rows else { return nil }
        starts = [1, screen.rows - rows + 1]
        var batch = Escape.alternateScreenOn
        for start in starts {
            batch += Escape.cursor(column: 0, row: start - 1) + Escape.sixelColumn(bands: height / 6) + Escape.queryCursor
        }
        query = batch + Escape.clearScreen + Escape.alternateScreenOff + Escape.attributesReset
    }

    /// Takes an answer in; what is no answer to this probe is passed over.
    public mutating func fold(_ reply: TerminalReply) {
        if case .cursor(let row, _) = reply, !isComplete { ends.append(row) }
    }

    /// Whether both answers are there.
    public var isComplete: Bool { ends.count == starts.count }

    /// Whether the answers say anything: a terminal whose cursor is at the same place after both images has not told where it is.
    public var isConclusive: Bool { isComplete && ends[0] != ends[1] }

    /// Whether the bottom must be left free: the terminal scrolled, or did not say.
    public var needsReserve: Bool { !isComplete || ends[0] - starts[0] != ends[1] - starts[1] }
}

/// The result of a run of the probe.
public struct SixelBottomOutcome: Sendable {
    /// Whether the bottom of the screen must be left free.
    public var needsReserve = true
    /// Whether the terminal has said so.
    public var isConclusive = false
    /// Whether answers may still be under way: goes to `TerminalSession.repliesPending`.
    public var repliesPending = false
    /// Other events meanwhile, in order.
    public var meanwhile: [TerminalEvent] = []

    /// Whether to leave the bottom free: what the terminal said, else what is known of it. An image that ends with the screen does not
    /// scroll by the book (DEC STD 070); xterm scrolls.
    public func reserves(for identity: TerminalIdentity) -> Bool { isConclusive ? needsReserve : identity.isProgram("XTerm") }
}

extension SixelBottomProbe {
    /// Sends the batch and collects the answers, for 100 ms at most; the terminal must be in raw mode, and have sixel. Blocks. Stops
    /// early at a fatal signal or a hang-up, which are then the last of `meanwhile`. Without a cell size nothing is asked.
    public static func run(
        port: any TerminalPort, events: inout TerminalEvents, screen: CellSize, cell: PixelSize?,
        time: any TimeSource = SystemTime()
    ) throws(TerminalError) -> SixelBottomOutcome {
        var outcome = SixelBottomOutcome()
        guard let cell, var probe = SixelBottomProbe(screen: screen, cell: cell) else { return outcome }
        events.decoder.expectedCursorReports += probe.cursorReportCount
        var writer = TerminalWriter(port: port, time: time)
        let end = time.now() + Self.patience
        if try writer.submit(probe.query) == .blocked, port.descriptor >= 0,
            Poll.wait(descriptor: port.descriptor, events: Poll.writable, until: end, time: time)
        {
            _ = try writer.pump()
        }
        outcome.meanwhile = probe.collect(&events, until: end, time: time)
        outcome.needsReserve = probe.needsReserve
        outcome.isConclusive = probe.isConclusive
        outcome.repliesPending = !probe.isComplete
        return outcome
    }

    /// Folds the answers in until both are there or the time is up; returns what else happened.
    private mutating func collect(_ events: inout TerminalEvents, until end: HostTime, time: any TimeSource) -> [TerminalEvent] {
        var meanwhile: [TerminalEvent] = []
        // Asked here too: input that never pauses would put the deadline of the events off for ever.
        while !isComplete, time.now() < end {
            switch events.next(until: end) {
            case .input(let events):
                let others = events.filter { input in
                    guard case .reply(let reply) = input else { return true }
                    fold(reply)
                    // A late answer to another probe's question is still one to the reader behind this one.
                    if case .cursor = reply { return false }
                    return true
                }
                if !others.isEmpty && meanwhile.count < Self.typedAheadLimit { meanwhile.append(.input(others)) }
            case .timeout: return meanwhile
            case .hangup: return meanwhile + [.hangup]
            case .signal(let signal):
                meanwhile.append(.signal(signal))
                if signal.isFatal { return meanwhile }
            case .wake: if meanwhile.last != .wake { meanwhile.append(.wake) }
            case .file: break
            }
        }
        return meanwhile
    }

    /// Reads that held keys; more is no typing.
    private static let typedAheadLimit = 256
}
