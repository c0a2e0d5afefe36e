import AetherCore
import AetherEngine
import AetherFormats
import AetherOptions
import AetherSources
import ArgumentParser
import Glibc

/// Checks HLS and DASH against their specifications.
struct Validate: MediaCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            abstract: translated("Check HLS or DASH against RFC 8216bis and CMAF: playlists, and the media that they name."),
            discussion: translated(
                """
                Each finding names its rule and paragraph. Exit status: 0 nothing, 1 against a requirement, 2 cannot open, \
                4 against recommendations alone.
                """))
    }

    @Flag(help: .translated("Print JSON."))
    var json = false

    @Option(help: .translated("Look only at this many first segments of each rendition.", value: "count"))
    var segments: Int?

    @OptionGroup var keys: KeyArguments

    @Argument(help: .translated("A file, a URL, or a folder of a download."), completion: .file())
    var source: String

    @OptionGroup var network: NetworkOptions

    func validate() throws {
        if let segments, segments < 0 { throw ValidationError(translated("--segments takes 0 or more.")) }
    }

    mutating func run() throws {
        let isTerminal = isatty(STDERR_FILENO) == 1
        let check = StreamValidation(limit: segments, keys: try keys.keys()) { name in
            if isTerminal { printError(translated("checking \(name)")) }
        }
        let report: ValidationReport
        do throws(MediaError) {
            report = try check.run(MediaLocation.parse(source).inPackage, http: network.http(for: source))
        } catch {
            throw fail(error, ExitStatus.cannotOpen)
        }
        printSafely(json ? report.json.report : report.text)
        switch report.severity {
        case .error: throw ExitCode(1)
        case .warning: throw ExitCode(4)
        case .note, nil: break
        }
    }
}
