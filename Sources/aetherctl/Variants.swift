import AetherCore
import AetherEngine
import AetherOptions
import AetherSources
import ArgumentParser
import FoundationEssentials

/// Lists the qualities of a source in segments, and which of them are chosen.
struct Variants: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            abstract: translated("List the qualities of HLS or DASH, and which of them match --variant."),
            discussion: translated(
                "A star marks those that are chosen. Exit status: 2 cannot open, not understood, or nothing left with --require.")
        )
    }

    @Flag(help: .translated("Print JSON."))
    var json = false

    @OptionGroup var choice: VariantArguments

    @Argument(help: .translated("A file or a URL."), completion: .file())
    var source: String

    @OptionGroup var network: NetworkOptions

    mutating func run() throws {
        let qualifiers = try choice.qualifiers()
        do throws(MediaError) {
            let location = MediaLocation.parse(source).inPackage
            let reading = try VariantReading(
                location, http: network.http(for: source), workingFolder: FileManager.default.currentDirectoryPath)
            let report = try VariantReport(
                try reading.variants(now: Int64(Date().timeIntervalSince1970 * 1e9)), name: location.displayName,
                qualifiers: qualifiers, isRequired: choice.require)
            printSafely(json ? report.json.report : report.text)
        } catch {
            throw fail(error, ExitStatus.cannotOpen)
        }
    }
}
