import AetherCore
import AetherEngine
import AetherMedia
import AetherOptions
import AetherSources
import ArgumentParser

/// Says what a source is.
struct Probe: MediaCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            abstract: translated("Show container, streams, chapters and tags."),
            discussion: translated("The JSON has ffprobe's key names. Exit status: 2 cannot open."))
    }

    @Flag(help: .translated("Print JSON."))
    var json = false

    @OptionGroup var disc: DiscArguments
    @OptionGroup var argument: SourceArgument

    mutating func run() throws {
        do throws(MediaError) {
            let report = try SourceProbe.report(
                try argument.input(disc: disc.choice), name: argument.source, http: HTTPOptions(argument.network),
                options: argument.network.opening())
            printSafely(json ? report.json.report : report.text, terminator: json ? "\n" : "")
        } catch {
            throw fail(error, ExitStatus.cannotOpen)
        }
    }
}
