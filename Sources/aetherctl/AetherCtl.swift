import AetherCore
import AetherDesktop
import AetherMedia
import AetherTerminal
import ArgumentParser
import FoundationEssentials
import Glibc

/// Each stage of the player alone, for people who look for a fault and for scripts.
@main
struct AetherCtl: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "aetherctl", abstract: "Each stage of aether-tui alone.",
        subcommands: [
            Probe.self, Boxes.self, Manifest.self, Variants.self, Download.self, Validate.self, Adapt.self, SWDecode.self,
            Packets.self, Samples.self, Parameters.self, Frames.self, Loudness.self, Play.self, Render.self,
            Extract.self, Sheet.self,
            Term.self, Doctor.self, AudioDevices.self, HistoryCommand.self, Remote.self, Serve.self,
        ])

    static func main() {
        Language.begin()
        LibraryMessages.divert()
        Privileges.giveUp(path: ProcessInfo.processInfo.environment["PATH"] ?? "")
        let stray = StrayOutput()
        do {
            var command = try parseAsRoot(BareSource.arguments(Array(CommandLine.arguments.dropFirst())))
            try command.run()
            stray?.flush()
        } catch {
            stray?.flush()
            // ArgumentParser repeats the words of the command line as they are.
            let status = exitCode(for: error), message = fullMessage(for: error)
            if status.isSuccess { print(message) } else if !message.isEmpty { printError(message) }
            Glibc.exit(status.rawValue)
        }
    }
}
