import AetherCore
import AetherEngine
import AetherFormats
import AetherMedia
import AetherOptions
import ArgumentParser

/// Lists the samples of a source in one table.
struct Samples: MediaCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            abstract: translated("List the samples: times, place, size, key, GOP, chunk; and totals."),
            discussion: translated("The JSON has ffprobe's names of packets. Exit status: 2 cannot open."))
    }

    @Option(help: .translated("Only the stream of this number, from 0.", value: "number"))
    var stream: Int?

    @Flag(help: .translated("Print JSON."))
    var json = false

    @OptionGroup var argument: SourceArgument

    mutating func run() throws {
        let list = try read()
        if let stream, !list.streams.contains(where: { $0.index == stream }) {
            throw fail(
                MediaError(
                    .cannotOpen, "list samples", subject: argument.source, reason: translated("it has no stream \(stream)")),
                ExitStatus.cannotOpen)
        }
        let wanted = stream
        let rows = list.rows.lazy.filter { row in wanted.map { row.stream == $0 } ?? true }
        if json {
            // Line by line: a million rows are no text in memory.
            var separator = "[\n"
            for row in rows {
                print(separator + list.json(row).line, terminator: "")
                separator = ",\n"
            }
            print(separator == "[\n" ? "[]" : "\n]")
        } else {
            print(SampleList.header)
            for row in rows { print(list.line(row)) }
            for sums in SampleSums.all(list) where stream.map({ sums.stream.index == $0 }) ?? true { print("# " + sums.line) }
        }
        if list.isCut { printError("aetherctl: " + translated("the list ends after \(list.rows.count) samples.")) }
    }

    /// From the tables of the container where that is enough, else by reading the packets.
    private func read() throws -> SampleList {
        do throws(MediaError) {
            if argument.source != "-", let list = try tables() { return list }
            var demuxer = try open()
            var list = try demuxer.samples { count in
                if count.isMultiple(of: 100_000) { printError("aetherctl: " + translated("\(count) samples …")) }
                return true
            }
            // A server would be asked for each fragment.
            if argument.source != "-" {
                let bytes = try InspectionSource(argument.source, argument.network).bytes
                if !bytes.isFrugal { list.readDependencies(of: bytes) }
            }
            return list
        } catch {
            throw fail(error, error.code == .readFailed ? ExitStatus.playbackFailed : ExitStatus.cannotOpen)
        }
    }

    private func open() throws(MediaError) -> Demuxer {
        try Demuxer(try argument.input(), options: argument.network.opening(.full), interrupt: Interrupt())
    }

    /// The tables' samples, where a demuxer would say the same. Of a file on a server the tables alone are fetched.
    private func tables() throws(MediaError) -> SampleList? {
        let source = try InspectionSource(argument.source, argument.network)
        guard let list = MovieSamples.list(source.bytes), list.isEven else { return nil }
        guard !source.bytes.isFrugal else { return list }
        var demuxer = try open()
        return demuxer.begins(like: list) ? list : nil
    }
}
