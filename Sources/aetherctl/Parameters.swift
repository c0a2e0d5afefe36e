import AetherCore
import AetherEngine
import AetherFormats
import AetherMedia
import AetherOptions
import ArgumentParser

/// Shows the parameter sets of a source's streams, and the units of the first access units.
struct Parameters: MediaCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            abstract: translated("Show parameter sets with their fields, and the units of the first packets."),
            discussion: translated("Exit status: 2 cannot open."))
    }

    @Option(help: .translated("Only the stream of this number, from 0.", value: "number"))
    var stream: Int?

    @Option(help: .translated("Packets of each stream whose units are listed.", value: "count"))
    var packets = 3

    @Flag(help: .translated("Print JSON."))
    var json = false

    @OptionGroup var argument: SourceArgument

    mutating func validate() throws {
        if !(0...1000).contains(packets) { throw ValidationError(translated("--packets must be 0 to 1000.")) }
    }

    mutating func run() throws {
        var reports: [CodecInspection] = []
        do throws(MediaError) {
            var demuxer = try Demuxer(try argument.input(), options: argument.network.opening(.full), interrupt: Interrupt())
            reports = try demuxer.codecInspections(packets: packets)
        } catch {
            throw fail(error, ExitStatus.cannotOpen)
        }
        let wanted = stream
        let shown = reports.filter { report in wanted.map { report.stream == $0 } ?? true }
        if json {
            printSafely(JSON.array(shown.map(\.json)).report)
        } else {
            for report in shown { printSafely(report.lines.joined(separator: "\n")) }
        }
    }
}
