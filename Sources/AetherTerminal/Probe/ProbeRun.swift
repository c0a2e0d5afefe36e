public import AetherCore

/// What a run of the probe left behind.
public struct ProbeOutcome: Sendable {
    /// The probe, to fold answers into that come late.
    public var probe: CapabilityProbe
    /// What else happened meanwhile, in order: keys typed ahead, signals. To be treated as if it came now.
    public let meanwhile: [TerminalEvent]
    /// From the batch to the answer of its fence: the link's round trip and a little more. Nil where that did not come.
    public let roundTrip: TimeSpan?

    /// The decision.
    public var capabilities: TerminalCapabilities { probe.capabilities }
    /// Whether answers may still be under way: goes to `TerminalSession.repliesPending`.
    public var repliesPending: Bool { !probe.isComplete }
}

extension CapabilityProbe {
    /// Sends the batch and collects the answers, for 300 ms at most; the terminal must be in raw mode. Blocks. Stops early at a
    /// fatal signal or a hang-up, which are then the last of `meanwhile`.
    public static func run(
        port: any TerminalPort, events: inout TerminalEvents, environment: ProbeEnvironment, time: any TimeSource = SystemTime()
    ) throws(TerminalError) -> ProbeOutcome {
        let sentAt = time.now()
        var probe = CapabilityProbe(environment: environment, sentAt: sentAt)
        events.decoder.expectedCursorReports += probe.cursorReportCount
        var writer = TerminalWriter(port: port, time: time)
        let progress = try writer.submit(probe.query)
        // 300 bytes: they go at once unless the terminal is stopped, and then there will be no answer either.
        if progress == .blocked, port.descriptor >= 0,
            Poll.wait(descriptor: port.descriptor, events: Poll.writable, until: probe.deadline, time: time)
        {
            _ = try writer.pump()
        }
        var meanwhile: [TerminalEvent] = []
        waiting: while !probe.isComplete {
            switch events.next(until: probe.deadline) {
            case .input(let inputs):
                let others = inputs.filter { input in
                    guard case .reply(let reply) = input else { return true }
                    probe.fold(reply)
                    return false
                }
                if !others.isEmpty { meanwhile.append(.input(others)) }
            case .timeout: break waiting
            case .hangup:
                meanwhile.append(.hangup)
                break waiting
            case .signal(let signal):
                meanwhile.append(.signal(signal))
                if signal.isFatal { break waiting }
            case .wake: meanwhile.append(.wake)
            }
        }
        return ProbeOutcome(
            probe: probe, meanwhile: meanwhile, roundTrip: probe.isComplete ? time.now() - sentAt : nil)
    }
}
