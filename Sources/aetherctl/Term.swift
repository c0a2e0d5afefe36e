import AetherCore
import AetherMedia
import AetherOptions
import AetherTerminal
import ArgumentParser
import FoundationEssentials

/// Asks the controlling terminal what it can do, as the player does, and says what the player would choose.
struct Term: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            abstract: translated("Show what this terminal answered, and what would be chosen and why."),
            discussion: translated(
                "It asks the controlling terminal, wherever the output goes. Exit status: 3 without a terminal."))
    }

    @Flag(help: .translated("Print JSON."))
    var json = false

    mutating func run() throws {
        do throws(TerminalError) {
            let report = try Term.ask()
            printSafely(json ? report.json.report : report.text, terminator: json ? "\n" : "")
        } catch {
            printError("aetherctl: " + translated("no terminal to ask: \(error)"))
            throw ExitStatus.terminalUnsuitable
        }
    }

    /// Blocks for 300 ms at most. A fatal signal ends the process by that signal, the terminal restored.
    static func ask() throws(TerminalError) -> TermReport {
        let environment = ProbeEnvironment(ProcessInfo.processInfo.environment)
        let time = SystemTime()
        let signals = try Signals()
        let port = try TTYPort()
        let session = try TerminalSession(port: port)
        try session.enterRaw()
        defer { session.leave() }
        var events = TerminalEvents(input: port.descriptor, signals: signals, wake: nil)
        let began = time.now()
        let outcome = try CapabilityProbe.run(port: port, events: &events, environment: environment)
        let waited = time.now() - began
        session.repliesPending = outcome.repliesPending
        for case .signal(let signal) in outcome.meanwhile where signal.isFatal {
            session.leave()
            signals.raiseAgain(signal)
        }
        let capabilities = outcome.capabilities
        var report = TermReport(
            capabilities: capabilities, environment: environment,
            size: port.size().reporting(cell: capabilities.cellPixelSize, window: capabilities.windowPixelSize), waited: waited)
        guard report.choosesSixel else { return report }
        let bottom = try SixelBottomProbe.run(
            port: port, events: &events, screen: report.size.cells, cell: report.size.cellPixels)
        report.needsBottomReserve = bottom.reserves(for: capabilities.identity)
        session.repliesPending = session.repliesPending || bottom.repliesPending
        for case .signal(let signal) in bottom.meanwhile where signal.isFatal {
            session.leave()
            signals.raiseAgain(signal)
        }
        return report
    }
}
