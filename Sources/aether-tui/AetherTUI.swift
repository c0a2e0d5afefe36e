import AetherUI
import ArgumentParser

/// The player's command line.
@main
struct AetherTUI: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "aether-tui", abstract: "Play films and music in the terminal.",
        discussion: "Press ? while playing for the keys. See aether-tui(1) for everything else.", version: App.version)

    @OptionGroup var options: PlayerOptions

    static func main() {
        if let script = CompletionScript.asked(by: App.arguments, of: Self.self) {
            print(script)
        } else {
            run(App.arguments)
        }
    }

    private static func run(_ arguments: [String]) {
        do {
            var command = try parseAsRoot(arguments)
            try command.run()
        } catch {
            // Help and versions are errors of the parser, too; what the player says itself it has said.
            guard exitCode(for: error) == .validationFailure, !(error is ExitCode) else { exit(withError: error) }
            App.complain(ofUsage: message(for: error))
            exit(withError: ExitCode(ExitStatus.usage.rawValue))
        }
    }

    mutating func run() throws {
        switch App.run(options, arguments: App.arguments) {
        case .exit(let status):
            if status != .played { throw ExitCode(status.rawValue) }
        case .signal(let number):
            PlayerOutcome.die(ofSignal: number)
        }
    }
}
