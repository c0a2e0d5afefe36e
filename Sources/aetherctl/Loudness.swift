import AetherCore
import AetherEngine
import AetherMedia
import AetherOptions
import AetherSources
import ArgumentParser

/// Measures the loudness of a whole source, as the Audio tab does while it plays.
struct Loudness: MediaCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            abstract: translated("Measure the loudness: integrated, range, momentary and short-term maximum, true peak."),
            discussion: translated(
                """
                By ITU-R BS.1770-4 and EBU R128, at the source's own rate and channels, without volume and filters. What takes longer than a second \
                tells how far it is on standard error. Exit status: 1 no audio that can be decoded, or reading broke off, 2 cannot open.
                """))
    }

    @Option(help: .translated("The stream of this number, from 0; default: the first audio.", value: "number"))
    var stream: Int?

    @Option(help: .translated("Measure up to this time, in seconds of the source.", value: "seconds"))
    var until: Double?

    @Flag(help: .translated("Print JSON."))
    var json = false

    @OptionGroup var argument: SourceArgument

    mutating func validate() throws {
        if let until, !(0...1e9).contains(until) {
            throw ValidationError(translated("--until takes seconds, for example --until 90.5"))
        }
    }

    mutating func run() throws {
        let source: SourcePackets
        do throws(MediaError) { source = try open() } catch { throw fail(error, ExitStatus.cannotOpen) }
        let chosen = source.info.streams.first { info in
            info.kind == .audio && (stream.map { info.index == $0 } ?? info.isDecodable)
        }
        guard let chosen else {
            let reason = stream.map { translated("it has no audio stream \($0)") } ?? translated("it has no audio")
            throw fail(
                MediaError(.noDecodableStream, "measure", subject: argument.source, reason: reason), ExitStatus.playbackFailed)
        }
        var run = LoudnessRun(source, chosen, until: until.map { .seconds($0) })
        do throws(MediaError) { try run.measure() } catch { throw fail(error, ExitStatus.playbackFailed) }
        guard let report = LoudnessReport(run.loudness, chosen) else {
            throw fail(
                MediaError(.decodeFailed, "measure", subject: argument.source, reason: "no audio of it can be decoded"),
                ExitStatus.playbackFailed)
        }
        if json { print(report.json.report) } else { for line in report.lines { print(line) } }
    }

    private func open() throws(MediaError) -> SourcePackets {
        var options = LoadOptions()
        (options.http, options.open) = (argument.network.http(for: argument.source), argument.network.opening(.full))
        let location = MediaLocation.parse(argument.source).inPackage
        return try SourcePackets(.location(location), options: options, interrupt: Interrupt())
    }
}

/// Reads and decodes one stream to its end and measures it. Blocks on the source.
private struct LoudnessRun: ~Copyable {
    var loudness = ProgrammeLoudness()
    private let source: SourcePackets
    private let stream: StreamInfo
    private let until: MediaTime?
    private var decoder: AudioDecoder?
    private var format = 0
    private let clock = SystemTime()
    private var nextWord: HostTime

    init(_ source: SourcePackets, _ stream: StreamInfo, until: TimeSpan?) {
        (self.source, self.stream) = (source, stream)
        self.until = until.map { source.info.startTime + $0 }
        nextWord = clock.now() + .seconds(1)
        source.select([stream.id])
    }

    mutating func measure() throws(MediaError) {
        do throws(MediaError) {
            while true {
                guard case .packet(let packet) = try source.next(), packet.stream == stream.id else { continue }
                if let until, let time = packet.pts ?? packet.dts, time >= until { break }
                try feed(packet)
                tell(packet)
            }
        } catch {
            guard error.code == .endOfMedia else { throw error }
        }
        try close()
        try loudness.finish()
    }

    /// Another format in the middle of a stream is another decoder.
    private mutating func feed(_ packet: Packet) throws(MediaError) {
        if decoder == nil || packet.format != format {
            try close()
            format = packet.format
            decoder = try AudioDecoder((source.stream(stream.id, format: format) ?? stream).parameters)
        }
        while try decoder?.send(packet) == .full { if try !receive() { break } }
        while try receive() {}
    }

    private mutating func close() throws(MediaError) {
        guard decoder != nil else { return }
        _ = try decoder?.send(nil)
        while try receive() {}
        decoder = nil
    }

    /// False where there is no frame now.
    private mutating func receive() throws(MediaError) -> Bool {
        do throws(MediaError) {
            guard let frame = try decoder?.receive() else { return false }
            try loudness.take(frame)
            return true
        } catch {
            if error.code == .endOfMedia { return false }
            throw error
        }
    }

    /// Once a second how far it is.
    private mutating func tell(_ packet: Packet) {
        let now = clock.now()
        guard now >= nextWord, let time = packet.pts ?? packet.dts else { return }
        nextWord = now + .seconds(1)
        let end = until.map { $0 - source.info.startTime } ?? source.info.duration
        let done = Int((time - source.info.startTime).seconds)
        let words = end.map { translated("\(done) of \(Int($0.seconds.rounded())) s …") } ?? translated("\(done) s …")
        printError("aetherctl: " + words)
    }
}

/// The figures of a run, for people and for programs.
struct LoudnessReport {
    private let stream: StreamInfo
    private let format: AudioFormat
    private let seconds: Double
    /// Name for people, name for programs, value, unit.
    private let figures: [(label: String, key: String, value: Double?, unit: String)]
    private let channels: [ProgrammeLoudness.Channel]

    /// nil: nothing was heard.
    init?(_ loudness: borrowing ProgrammeLoudness, _ stream: StreamInfo) {
        guard let format = loudness.format else { return nil }
        (self.stream, self.format, seconds, channels) = (stream, format, loudness.duration.seconds, loudness.channels)
        figures = [
            (translated("integrated", context: "loudness"), "integrated_lufs", loudness.integrated, "LUFS"),
            (translated("range", context: "loudness"), "range_lu", loudness.range, "LU"),
            (translated("momentary, max"), "momentary_max_lufs", loudness.momentary, "LUFS"),
            (translated("short-term, max"), "short_term_max_lufs", loudness.shortTerm, "LUFS"),
            (translated("true peak"), "true_peak_dbtp", loudness.truePeak, "dBTP"),
            (translated("phase", context: "loudness"), "phase", loudness.correlation, ""),
        ]
    }

    var lines: [String] {
        let names = format.channels.map(\.rawValue).joined(separator: " ")
        let head = translated(
            "stream \(stream.index)  \(stream.codecName), \(names), \(format.sampleRate) Hz, \(Self.text(seconds, 1)) s")
        return [head]
            + figures.map { figure in
                let value = figure.value.map { Self.text($0, figure.unit.isEmpty ? 2 : 1) } ?? "-"
                return Self.padded(figure.label, value, figure.unit)
            }
            + channels.map {
                Self.padded(translated("\($0.channel.rawValue) mean"), Self.text($0.mean, 1), "dB")
                    + translated(", peak \(Self.text($0.peak, 1)) dB")
            }
    }

    var json: JSON {
        var members: [JSON.Members.Member] = [
            ("stream_index", JSON(stream.index)), ("codec_name", .string(stream.codecName)),
            ("sample_rate", JSON(format.sampleRate)), ("duration", .number(seconds)),
        ]
        for figure in figures { if let value = figure.value { members.append((figure.key, .number(value))) } }
        let list = channels.map { channel in
            JSON.object(
                JSON.Members([
                    ("channel", .string(channel.channel.rawValue)), ("mean_dbfs", .number(channel.mean)),
                    ("peak_dbfs", .number(channel.peak)),
                ]))
        }
        members.append(("channels", .array(list)))
        return .object(JSON.Members(members))
    }

    private static func padded(_ label: String, _ value: String, _ unit: String) -> String {
        let line = label + String(repeating: " ", count: max(1, 22 - label.count - value.count)) + value
        return unit.isEmpty ? line : line + " " + unit
    }

    /// With so many decimals, exact ones too.
    private static func text(_ value: Double, _ places: Int) -> String {
        let unit = places == 1 ? 10.0 : 100, scaled = Int((abs(value) * unit).rounded())
        let fraction = String(scaled % Int(unit) + Int(unit)).dropFirst()
        return (value < 0 && scaled > 0 ? "-" : "") + "\(scaled / Int(unit)).\(fraction)"
    }
}
