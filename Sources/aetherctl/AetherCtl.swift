import AetherBox
import AetherCore
import AetherDesktop
import AetherMedia
import AetherOptions
import AetherTerminal
import ArgumentParser
import FoundationEssentials
import Glibc

/// Each stage of the player alone, for people who look for a fault and for scripts.
@main
struct AetherCtl: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "aetherctl", abstract: translated("Each stage of aether-tui alone."),
            subcommands: [
                Probe.self, Boxes.self, Manifest.self, Variants.self, Download.self, Validate.self, Adapt.self, SWDecode.self,
                Packets.self, Samples.self, Parameters.self, Frames.self, Loudness.self, Play.self, Render.self,
                Extract.self, Sheet.self,
                Term.self, Doctor.self, AudioDevices.self, HistoryCommand.self, Remote.self, Serve.self,
            ])
    }

    @Option(
        help: .translated(
            "Speak this language: auto (that of the environment), en, de or fr; JSON stays English.",
            value: "code"))
    var language = InterfaceLanguage.auto

    /// Read from the words before they are parsed.
    @Flag(help: .translated("Take media apart in the program itself, not in a box of processes without files and network."))
    var noSandbox = false

    static func main() {
        // Copies are made before there is a thread, and before a source is known.
        DecoderBox.prepareCopies()
        let arguments = CommandWords.withEmptyValues(PathText.commandLine)
        Language.begin(language(of: arguments))
        LibraryMessages.divert()
        Privileges.giveUp(path: ProcessInfo.processInfo.environment["PATH"] ?? "")
        let stray = StrayOutput()
        do {
            var command = try parseAsRoot(BareSource.arguments(arguments))
            installBox(for: command, arguments: arguments)
            try command.run()
            try finishOutput()
            stray?.flush()
        } catch {
            stray?.flush()
            // ArgumentParser repeats the words of the command line as they are.
            let status = exitCode(for: error), message = fullMessage(for: error)
            if status.isSuccess { print(message) } else if !message.isEmpty { printError(message) }
            Glibc.exit(status.rawValue)
        }
    }

    /// Writes what is still to be written: half a report on a full disk is no success. A reader that has seen enough is no failure.
    private static func finishOutput() throws {
        guard let number = StandardOutput.finish() else { return }
        let reason = String(cString: strerror(number))
        throw fail(
            MediaError(.cannotOpen, "write", subject: "standard output", cause: -number, reason: reason),
            ExitStatus.playbackFailed)
    }

    /// The code of the language for a command line; nil for that of the environment. What other programs read is English, whatever people speak: JSON,
    /// completions, and the parser's own description of all options.
    private static func language(of arguments: [String]) -> String? {
        let words = arguments.prefix { $0 != "--" }
        let isRead = words.contains { word in
            word == "--json" || word.hasPrefix("--generate-completion-script") || word.hasPrefix("--experimental-dump-help")
        }
        return isRead ? InterfaceLanguage.english.code : InterfaceLanguage(in: arguments).code
    }
}
