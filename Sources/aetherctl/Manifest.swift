import AetherCore
import AetherEngine
import AetherFormats
import AetherSources
import ArgumentParser
import FoundationEssentials

/// Says what a source in segments offers.
struct Manifest: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show variants, tracks and segments of an HLS playlist, as they were understood.",
        discussion: "Exit status: 2 cannot open, or not understood.")

    @Flag(help: "Print JSON.")
    var json = false

    @Argument(help: "A file or a URL.", completion: .file())
    var source: String

    mutating func run() throws {
        do throws(MediaError) {
            let folder = FileManager.default.currentDirectoryPath
            let report = ManifestReport(try ManifestReading(MediaLocation.parse(source), workingFolder: folder).presentation())
            printSafely(json ? report.json.report : report.text)
        } catch {
            throw fail(error, ExitStatus.cannotOpen)
        }
    }
}
