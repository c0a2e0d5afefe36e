import AetherCore
import AetherEngine
import AetherFormats
import AetherOptions
import AetherSources
import ArgumentParser
import FoundationEssentials

/// Says what a source in segments offers.
struct Manifest: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            abstract: translated("Show variants, tracks and segments of a manifest of HLS or DASH, as they were understood."),
            discussion: translated("Exit status: 2 cannot open, or not understood."))
    }

    @Flag(help: .translated("Print JSON."))
    var json = false

    @Argument(help: .translated("A file or a URL."), completion: .file())
    var source: String

    @OptionGroup var network: NetworkOptions

    mutating func run() throws {
        do throws(MediaError) {
            let folder = FileManager.default.currentDirectoryPath
            let now = Int64(Date().timeIntervalSince1970 * 1e9)
            let reading = try ManifestReading(
                MediaLocation.parse(source).inPackage, http: network.http(for: source), workingFolder: folder)
            let report = ManifestReport(try reading.presentation(now: now))
            printSafely(json ? report.json.report : report.text)
        } catch {
            throw fail(error, ExitStatus.cannotOpen)
        }
    }
}
