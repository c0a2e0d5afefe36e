import AetherCore
import AetherEngine
import AetherFormats
import AetherOptions
import AetherSources
import ArgumentParser
import FoundationEssentials

/// Plays a manifest over a recorded link without fetching its media: what adaptation would choose.
struct Adapt: MediaCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            abstract: translated(
                "Show which qualities would be chosen over a recorded link, and how often playback would stall."),
            discussion: translated(
                "A trace is Sabre's JSON, lines of seconds and Mbit/s, or the 3G logs of the University of Oslo. A manifest is HLS, DASH, or Sabre's JSON."
            ) + "\n" + translated("Exit status: 2 cannot open, or not understood."))
    }

    @Option(help: .translated("The record of a link.", value: "file"), completion: .file())
    var trace: String

    @Flag(help: .translated("Print JSON."))
    var json = false

    @Flag(help: .translated("Stay with the first choice."))
    var off = false

    @Option(help: .translated("The window in pixels, as 1280x720; default: no limit.", form: "WxH"))
    var size: Extent?

    @Argument(help: .translated("The manifest: a file or a URL."), completion: .file())
    var manifest: String

    @OptionGroup var network: NetworkOptions

    mutating func run() throws {
        do throws(MediaError) {
            guard let trace = LinkTrace(try bytes(trace)) else {
                throw MediaError(.notMedia, "read", subject: trace, reason: "it is not a recording of a link")
            }
            let ladder = try ladder(trace.periods.reduce(0) { $0 + $1.duration })
            var options = AdaptationOptions()
            options.isOn = !off
            let simulation = AdaptationSimulation(
                ladder.variants, sizes: ladder.sizes, segment: ladder.segment, count: ladder.count, link: trace.periods,
                window: size.map { PixelSize(width: $0.width, height: $0.height) }, options: options)
            printSafely(json ? report(simulation, ladder).report : text(simulation, ladder))
        } catch {
            throw fail(error, ExitStatus.cannotOpen)
        }
    }

    private func bytes(_ path: String) throws(MediaError) -> [UInt8] {
        do throws(IOReaderError) {
            return try FileReader(path: path).bytes(limit: 64 << 20)
        } catch {
            throw MediaError(.cannotOpen, "read", subject: path, reason: reason(of: error))
        }
    }

    /// `length`: seconds that are simulated where the manifest does not tell how long it is.
    private func ladder(_ length: Double) throws(MediaError) -> SimulatedLadder {
        if case .file(let path) = MediaLocation.parse(manifest), let ladder = SimulatedLadder(sabre: try bytes(path)) {
            return ladder
        }
        let reading = try ManifestReading(
            MediaLocation.parse(manifest), http: network.http(for: manifest),
            workingFolder: FileManager.default.currentDirectoryPath)
        let now = Int64(Date().timeIntervalSince1970 * 1e9), presentation: Presentation
        do throws(MediaError) {
            presentation = try reading.presentation(now: now)
        } catch {
            // Lists that are missing, or no lists, and media that could not be played: the manifest alone has all that is chosen by.
            do throws(MediaError) {
                presentation = try reading.outline(now: now)
            } catch _ {
                throw error
            }
        }
        if let ladder = SimulatedLadder(presentation) { return ladder }
        guard let ladder = SimulatedLadder(outline: presentation, length: presentation.duration.map { $0.span.seconds } ?? length)
        else {
            throw MediaError(.notMedia, "simulate", subject: manifest, reason: "it has no variants")
        }
        printError("aetherctl: " + translated("\(manifest): its lists of segments cannot be read; segments of 4 s are assumed"))
        return ladder
    }

    private func report(_ simulation: AdaptationSimulation, _ ladder: SimulatedLadder) -> JSON {
        let totals = simulation.totals
        let steps = simulation.steps.map { step -> JSON in
            .object([
                ("time", JSON(step.time)), ("link", JSON(step.link)), ("estimate", JSON(step.estimate)),
                ("buffer", JSON(step.buffer)),
                ("variant", .string(ladder.variants[step.variant].id)), ("bitRate", JSON(step.rate)),
                ("why", .string(step.reason.rawValue)), ("isGivenUp", .bool(step.isGivenUp)),
            ])
        }
        return .object([
            ("steps", .array(steps)),
            (
                "totals",
                .object([
                    ("meanBitRate", JSON(totals.meanBitRate)), ("meanUtility", JSON(totals.meanUtility)),
                    ("stalls", JSON(totals.stalls)),
                    ("stalledTime", JSON(totals.stalledTime)), ("switches", JSON(totals.switches)),
                    ("startUp", JSON(totals.startUp)),
                    ("mediaTime", JSON(totals.mediaTime)),
                ])
            ),
        ])
    }

    private func text(_ simulation: AdaptationSimulation, _ ladder: SimulatedLadder) -> String {
        func column(_ value: Double?, _ digits: Int = 1) -> String {
            guard let value else { return "-" }
            let scale = digits == 1 ? 10.0 : 100
            let whole = Int((value * scale).rounded())
            return "\(whole / Int(scale)).\(String(whole % Int(scale) + Int(scale)).dropFirst())"
        }
        func padded(_ text: String, _ width: Int) -> String { String(repeating: " ", count: max(0, width - text.count)) + text }
        var lines = [
            [
                translated("time", context: "adapt"), translated("link", context: "adapt"),
                translated("estimate", context: "adapt"),
                translated("held", context: "adapt"), translated("rate", context: "adapt"), translated("why", context: "adapt"),
            ]
        ]
        for step in simulation.steps {
            lines.append([
                column(step.time), column(step.link.map { $0 / 1e6 }, 2), column(step.estimate.map { $0 / 1e6 }, 2),
                column(step.buffer),
                column(step.rate / 1e6, 2),
                step.isGivenUp ? translated("\(step.reason.words), then given up") : step.reason.words,
            ])
        }
        let totals = simulation.totals, rate = column(totals.meanBitRate / 1e6, 2), utility = column(totals.meanUtility, 2)
        let stalled = column(totals.stalledTime), time = column(totals.mediaTime), first = column(totals.startUp, 2)
        let sums = translated(
            "mean \(rate) Mbit/s, utility \(utility), \(totals.stalls) stalls of \(stalled) s, \(totals.switches) switches in \(time) s, first frame after \(first) s"
        )
        let rows = lines.map { line in line.dropLast().map { padded($0, 9) }.joined() + "  " + (line.last ?? "") }
        return (rows + [sums]).joined(separator: "\n")
    }
}
