import AetherCore
import AetherDesktop
import AetherOptions
import ArgumentParser
import FoundationEssentials

/// Looks at the machine as the player finds it.
struct Doctor: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            abstract: translated("Say what works on this machine, what does not, and the command that fixes it."),
            discussion: translated(
                """
                It asks the terminal, opens the audio device in silence for a moment, and starts yt-dlp, tesseract and aether-decoder. \
                Nothing is changed and nothing is sent. Exit status: 0 nothing stands in the way of playing, 1 something does.
                """))
    }

    @Flag(help: .translated("Print JSON."))
    var json = false

    func run() throws {
        let diagnosis = Diagnosis(MachineFacts.gathered(ProcessInfo.processInfo.environment))
        printSafely(json ? diagnosis.json.report : diagnosis.text, terminator: json ? "\n" : "")
        if !diagnosis.isHealthy { throw ExitCode(1) }
    }
}
