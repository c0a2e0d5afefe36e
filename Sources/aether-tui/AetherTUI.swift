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
            do {
                var command = try parseAsRoot(App.arguments)
                try command.run()
            } catch {
                // ArgumentParser repeats the words of the command line as they are.
                App.leave(exitCode(for: error).rawValue, saying: fullMessage(for: error))
            }
        }
    }

    func validate() throws { try App.checkFiles(options) }

    mutating func run() throws {
        switch App.run(options, arguments: App.arguments) {
        case .exit(let status):
            if status != .played { throw ExitCode(status.rawValue) }
        case .signal(let number):
            PlayerOutcome.die(ofSignal: number)
        }
    }
}
