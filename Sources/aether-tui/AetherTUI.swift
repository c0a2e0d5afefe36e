import AetherUI
import ArgumentParser

/// The player's command line.
@main
struct AetherTUI: ParsableCommand {
    static var configuration: CommandConfiguration {
        let summary = App.summary
        return CommandConfiguration(
            commandName: "aether-tui", abstract: summary.abstract, discussion: summary.discussion, version: version)
    }

    /// Parts are only looked for where they are asked about, and once.
    private static let version = App.arguments.contains("--version") ? App.versionReport : App.version

    @OptionGroup var options: PlayerOptions

    static func main() {
        App.prepare()
        if let script = CompletionScript.asked(by: App.arguments, of: Self.self) {
            print(script)
        } else {
            App.chooseLanguage(App.arguments)
            run(App.arguments)
        }
    }

    private static func run(_ arguments: [String]) {
        do {
            var command = try parseAsRoot(arguments)
            try command.run()
        } catch {
            // Help and versions are errors of the parser, too; the player says its own words itself. ArgumentParser repeats the words of
            // the command line as they are, so `leave` and `complain` clean them.
            let status = exitCode(for: error)
            guard status == .validationFailure, !(error is ExitCode) else {
                App.leave(status.rawValue, saying: fullMessage(for: error))
            }
            App.complain(ofUsage: message(for: error))
            App.leave(ExitStatus.usage.rawValue, saying: "")
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
