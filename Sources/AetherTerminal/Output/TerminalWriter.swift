public import AetherCore

/// Sends frames to the terminal, one at a time, whole, and without ever waiting for it: a short write is resumed by `pump`
/// when poll(2) says that `descriptor` takes bytes again. Nothing else may write to the terminal while one is alive, except
/// a `TerminalSession` while this is idle.
///
/// Belongs to one thread (present).
public struct TerminalWriter {
    /// The next thing to do.
    public enum Progress: Sendable, Equatable {
        /// Everything is out: a frame may be submitted.
        case idle
        /// The terminal takes no more: poll `descriptor` for POLLOUT, then pump.
        case blocked
        /// All but the end is out, which is due at `heldUntil`: pump then, or `release`.
        case holding
    }

    /// Whether frames are wrapped in a synchronized update (mode 2026). Takes effect at the next frame.
    public var synchronizedUpdates: Bool
    /// Measurements so far.
    public private(set) var statistics = WriterStatistics()

    private let port: any TerminalPort
    private let time: any TimeSource
    private var pending: [UInt8] = []
    private var sent = 0
    private var isFrame = false
    private var hold = FrameHold()
    /// Whether the pending bytes begin a synchronized update.
    private var opensUpdate = false
    /// The rate behind the nearest buffer, as far as the terminal's answers tell.
    public private(set) var meter: LinkMeter
    private var submittedAt = HostTime(nanoseconds: 0)
    private var blockedSince: HostTime?
    private var firstRefusal: (at: HostTime, sent: Int)?

    /// A writer with nothing to send. With a meter that asks, each frame ends with a question (`CSI 5 n`), and the reader of the
    /// terminal's answers says so with `answered`.
    public init(
        port: any TerminalPort, synchronizedUpdates: Bool = false, meter: LinkMeter = LinkMeter(asks: false),
        time: any TimeSource = SystemTime()
    ) {
        self.port = port
        self.synchronizedUpdates = synchronizedUpdates
        self.meter = meter
        self.time = time
    }

    /// The descriptor to poll for POLLOUT while blocked; -1 for a port that cannot be polled.
    public var descriptor: Int32 { port.descriptor }

    /// Whether a frame may be submitted.
    public var isIdle: Bool { sent >= pending.count && hold.tail.isEmpty }

    /// The due time of the frame's end, all else being out; nil where none waits.
    public var heldUntil: HostTime? { sent >= pending.count && !hold.tail.isEmpty ? hold.due : nil }

    /// Starts a frame: takes a copy of the bytes and writes what the terminal takes at once, in one write(2) if it can. While
    /// the last frame is not out nothing happens and the answer is `.blocked`: ask `isIdle` before making a frame, because
    /// what was diffed must also be sent. An empty frame sends nothing.
    ///
    /// With a due time in the future, what makes the frame appear is held back until then: the end of its synchronized update, or
    /// where there is none its last sequence. A frame that is not through by then goes out without a pause.
    public mutating func submit(_ frame: some Collection<UInt8>, due: HostTime? = nil) throws(TerminalError) -> Progress {
        guard isIdle else { return .blocked }
        guard !frame.isEmpty else { return .idle }
        pending.removeAll(keepingCapacity: true)
        opensUpdate = synchronizedUpdates
        if opensUpdate { pending += Escape.synchronizedUpdateBegin }
        pending += frame
        submittedAt = time.now()
        hold = FrameHold()
        if let due, due > submittedAt { hold = FrameHold(ofEnd: &pending, isUpdate: opensUpdate, due: due) }
        if opensUpdate && hold.tail.isEmpty { pending += Escape.synchronizedUpdateEnd }
        // Before what is held: the answer tells when the terminal has read, and not when the frame was due.
        if meter.asks { pending += Escape.queryStatus }
        sent = 0
        isFrame = true
        meter.submitted(pending.count, question: meter.asks, at: submittedAt)
        firstRefusal = nil
        return try pump()
    }

    /// The terminal has answered the question behind a frame, at that time.
    public mutating func answered(at moment: HostTime) { meter.answered(at: moment) }

    /// Gives up questions whose answers are long overdue; returns whether there were any.
    public mutating func expireQuestions() -> Bool { meter.expire(at: time.now()) }

    /// Another program had the terminal: answers to earlier questions do not count.
    public mutating func forgetQuestions() { meter.forgetQuestions(at: time.now()) }

    /// Writes on. Never blocks. After an error (the terminal hung up) nothing is pending any more.
    public mutating func pump() throws(TerminalError) -> Progress {
        if let since = blockedSince {
            statistics.timeBlocked = statistics.timeBlocked + (time.now() - since)
            blockedSince = nil
        }
        while takesMore {
            let accepted: Int?
            do throws(TerminalError) {
                accepted = try port.write(pending, from: sent)
            } catch {
                sent = pending.count
                isFrame = false
                hold = FrameHold()
                throw error
            }
            guard let accepted else {
                let now = time.now()
                blockedSince = now
                if firstRefusal == nil { firstRefusal = (now, sent) }
                return .blocked
            }
            sent += accepted
            statistics.bytesWritten += Int64(accepted)
        }
        if !hold.tail.isEmpty { return .holding }
        finishFrame()
        return .idle
    }

    /// The end of the frame is not held any longer; goes out with the next `pump`.
    public mutating func release() { hold.due = time.now() }

    /// Whether there is something to be written now. What is held follows when it is due.
    private var takesMore: Bool {
        mutating get {
            if sent < pending.count { return true }
            guard !hold.tail.isEmpty else { return false }
            let now = time.now()
            if hold.headTime == nil { hold.headTime = now - submittedAt }
            guard hold.due <= now else { return false }
            pending += hold.tail
            meter.submitted(hold.tail.count, question: false, at: now)
            meter.released(at: now)
            hold.tail.removeAll(keepingCapacity: true)
            return true
        }
    }

    /// Gives up what of the started frame is not out, at a place where the terminal's parser is in its ground state. What is
    /// left to pump is short (at most 256 bytes and an end). The image on the screen is unknown afterwards. True when a
    /// frame was given up.
    public mutating func abandon() -> Bool {
        guard isFrame, !isIdle else { return false }
        guard sent > 0 else {
            drop()
            return true
        }
        let cut = FrameCut.plan(frame: pending, sent: sent)
        let whole = cut.end == pending.count
        // A writer that gives up does not wait for the due time either.
        if whole { release() } else { hold = FrameHold() }
        pending.removeSubrange(cut.end...)
        pending += cut.terminator
        if opensUpdate && !whole { pending += Escape.synchronizedUpdateEnd }
        isFrame = whole
        if !whole {
            statistics.framesAbandoned += 1
            meter.forgetQuestions(unsent: 1, at: time.now())
        }
        return !whole
    }

    /// For the way out: gives up the frame and waits for its tail to go, but not beyond the deadline. False when the terminal
    /// did not take it; `TerminalSession.leave` copes with that. Blocks.
    public mutating func abandonAndFinish(until deadline: HostTime) -> Bool {
        _ = abandon()
        while true {
            do throws(TerminalError) {
                if try pump() == .idle { return true }
            } catch {
                return false  // hung up: no viewer is left
            }
            guard descriptor >= 0, Poll.wait(descriptor: descriptor, events: Poll.writable, until: deadline, time: time)
            else { return false }
        }
    }

    /// Forgets what is pending, wherever it stands: the next writer cancels and repaints the terminal.
    public mutating func discard() {
        guard !isIdle else { return }
        drop()
    }

    private mutating func drop() {
        pending.removeAll(keepingCapacity: true)
        hold = FrameHold()
        sent = 0
        isFrame = false
        statistics.framesAbandoned += 1
        meter.forgetQuestions(unsent: 1, at: time.now())
    }

    private mutating func finishFrame() {
        guard isFrame else { return }
        isFrame = false
        let now = time.now()
        statistics.framesWritten += 1
        statistics.lastFrameTime = hold.headTime ?? now - submittedAt
        if let firstRefusal {
            // A pause before the due time is not the terminal's.
            let span = (hold.headTime.map { submittedAt + $0 } ?? now) - firstRefusal.at
            statistics.observeDrain(bytes: sent - firstRefusal.sent, over: span)
            meter.refused(bytes: sent - firstRefusal.sent, over: span)
        }
    }
}
