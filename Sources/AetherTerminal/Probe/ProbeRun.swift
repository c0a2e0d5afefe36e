public import AetherCore

/// The result of a run of the probe.
public struct ProbeOutcome: Sendable {
    /// The probe, to fold answers into that come late.
    public var probe: CapabilityProbe
    /// Other events meanwhile, in order: keys typed ahead, signals. To be treated as if it came now.
    public let meanwhile: [TerminalEvent]
    /// From the batch to the answer of its fence: the link's round trip and a little more. Nil where that did not come.
    public let roundTrip: TimeSpan?

    /// The decision.
    public var capabilities: TerminalCapabilities { probe.capabilities }
    /// Whether answers may still be under way: goes to `TerminalSession.repliesPending`.
    public var repliesPending: Bool { !probe.isComplete || probe.awaitsOuterTerminal }
}

extension CapabilityProbe {
    /// Sends the batch and collects the answers, for 300 ms at most; the terminal must be in raw mode. Blocks. Stops early at a
    /// fatal signal or a hang-up, which are then the last of `meanwhile`.
    public static func run(
        port: any TerminalPort, events: inout TerminalEvents, environment: ProbeEnvironment, time: any TimeSource = SystemTime()
    ) throws(TerminalError) -> ProbeOutcome {
        // Across SSH no terminal can read our memory.
        let asksForMemory = !environment.isRemote && !environment.isConsole && !environment.lacksCursorAddressing
        let pixel = SharedMemoryPixel(isWanted: asksForMemory)
        let tmux = environment.hasTmuxSocket ? TmuxQuestion() : nil
        var probe = CapabilityProbe(environment: environment, sentAt: time.now(), sharedMemory: pixel.encodedName)
        events.decoder.expectedCursorReports += probe.cursorReportCount
        events.decoder.awaitsReplies = !probe.isComplete
        var writer = TerminalWriter(port: port, time: time)
        let progress = try writer.submit(probe.query)
        // 500 bytes: they go at once unless the terminal is stopped, and then there will be no answer either.
        if progress == .blocked, port.descriptor >= 0,
            Poll.wait(descriptor: port.descriptor, events: Poll.writable, until: probe.deadline, time: time)
        {
            _ = try writer.pump()
        }
        let sentAt = time.now()
        var roundTrip: TimeSpan?
        let meanwhile = probe.collect(&events, time: time) { roundTrip = $0 - sentAt }
        if let tmux { probe.learn(outerTerminal: tmux.answer(until: probe.deadline)) }
        // Not before: the terminal must have had its look.
        pixel.remove()
        return ProbeOutcome(probe: probe, meanwhile: meanwhile, roundTrip: roundTrip)
    }

    /// Folds the answers in until the last one is there or the time is up; returns what else happened.
    private mutating func collect(
        _ events: inout TerminalEvents, time: any TimeSource, onFence: (HostTime) -> Void
    ) -> [TerminalEvent] {
        var meanwhile: [TerminalEvent] = []
        var inputs = 0
        var end = deadline
        var isFenced = false
        while !isComplete || awaitsOuterTerminal {
            if isComplete && !isFenced {
                isFenced = true
                onFence(time.now())
                end = min(end, time.now() + Self.patienceThroughTmux)
            }
            // Asked here and not only of the events: input that never pauses would put their deadline off for ever.
            guard time.now() < end else { break }
            switch events.next(until: end) {
            case .input(let events):
                let others = events.filter { input in
                    guard case .reply(let reply) = input else { return true }
                    fold(reply)
                    return false
                }
                inputs += others.count
                if !others.isEmpty && inputs <= Self.typedAheadLimit { meanwhile.append(.input(others)) }
            case .timeout: return meanwhile
            case .hangup: return meanwhile + [.hangup]
            case .signal(let signal):
                meanwhile.append(.signal(signal))
                if signal.isFatal { return meanwhile }
            case .wake: if meanwhile.last != .wake { meanwhile.append(.wake) }
            case .file: break
            }
        }
        if isComplete && !isFenced { onFence(time.now()) }
        return meanwhile
    }

    /// More keys than that are not typed in 300 ms: a cat walks, or the terminal sends garbage.
    private static let typedAheadLimit = 1024
}
