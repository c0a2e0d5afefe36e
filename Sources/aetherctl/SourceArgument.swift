import AetherCore
import AetherEngine
import AetherMedia
import AetherOptions
import AetherSources
import AetherTerminal
import ArgumentParser
import Glibc

/// The source that a subcommand works on.
struct SourceArgument: ParsableArguments {
    @Argument(help: .translated("A file, a URL, or - for standard input."), completion: .file())
    var source: String

    @OptionGroup var network: NetworkOptions

    /// The source as a demuxer takes it; of a disc the chosen title. Throws `.cannotOpen` in the system's words.
    func input(disc: DiscChoice = DiscChoice()) throws(MediaError) -> MediaInput {
        let location = MediaLocation.parse(source).inPackage
        switch location {
        case .url, .file:
            return try MediaInput(.location(location), http: network.http(for: source), disc: disc, interrupt: Interrupt())
        case .standardInput: break
        }
        do throws(IOReaderError) {
            guard let reader = try location.openReader() else { throw .closed }
            return .reader(reader, name: source)
        } catch {
            guard case .posix(let number) = error else { throw MediaError(.cannotOpen, "open", subject: source) }
            throw MediaError(.cannotOpen, "open", subject: source, cause: -number, reason: String(cString: strerror(number)))
        }
    }
}

/// Exit statuses that all subcommands share; 64 is ArgumentParser's for wrong usage.
enum ExitStatus {
    static let playbackFailed = ExitCode(1)
    static let cannotOpen = ExitCode(2)
    static let terminalUnsuitable = ExitCode(3)
}

/// The fault of a reader, in the system's words where it is the system that refused.
func reason(of error: IOReaderError) -> String {
    if case .posix(let number) = error { String(cString: strerror(number)) } else { "\(error)" }
}

/// One line on standard error, then an exit.
func fail(_ error: MediaError, _ status: ExitCode) -> ExitCode {
    printError("aetherctl: \(error)")
    return status
}

/// One line on standard error, safe to be seen and kept.
func printError(_ text: String) {
    var line = DisplayText.printable(Redaction.text(text)) + "\n"
    line.withUTF8 { _ = write(StrayOutput.standardError, $0.baseAddress, $0.count) }
}

/// Text on standard output with strangers' words in it: nothing of it is obeyed by a terminal.
func printSafely(_ text: String, terminator: String = "\n") { print(DisplayText.printable(text), terminator: terminator) }
