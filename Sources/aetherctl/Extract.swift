import AetherCore
import AetherEngine
import AetherMedia
import AetherOptions
import AetherRender
import AetherSources
import ArgumentParser
import Glibc

/// One still of a source as PNG.
struct Extract: MediaCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            abstract: translated("Write one still of a source as PNG."),
            discussion: translated(
                """
                Without --snapshot it is the key frame at or before the time, small and fast; with it the frame that is on screen then, \
                exactly and in full size. --loops asks for eight places of the video in turn and prints times and memory. Exit status: 0 \
                done; 1 no frame there; 2 cannot open.
                """))
    }

    @Option(help: .translated("The time of the frame: seconds, 1:30, 1:02:03.5 or 50%.", value: "time"))
    var at: TimePoint

    @Flag(help: .translated("The exact frame in full size, not the nearest key frame before."))
    var snapshot = false

    @Option(help: .translated("The greatest width in pixels, 16 to 8192; 320 without --snapshot.", value: "pixels"))
    var width: Int?

    @Option(help: .translated("Ask this many times in all, at eight places in turn.", value: "count"))
    var loops = 1

    @Option(
        name: .shortAndLong,
        help: .translated(
            "The file to write, - for standard output; without it NAME-TIME.png, never over another.", value: "file"))
    var output: String?

    @OptionGroup var argument: SourceArgument

    func validate() throws {
        if let width, !(16...8192).contains(width) {
            throw ValidationError(translated("--width takes 16 to 8192, for example --width 640"))
        }
        if !(1...1_000_000).contains(loops) {
            throw ValidationError(translated("--loops takes 1 to 1000000, for example --loops 1000"))
        }
    }

    mutating func run() throws {
        let location = MediaLocation.parse(argument.source)
        let extractor = FrameExtractor(
            .location(location), options: argument.network.opening(), http: argument.network.http(for: argument.source))
        defer { extractor.shutDown() }
        let (outline, point) = try open(extractor)
        var times: [TimeSpan] = []
        var first: Result<ExtractedStill, MediaError>?
        let clock = SystemTime()
        for number in 0..<loops {
            let began = clock.now()
            let found = still(of: extractor, at: Self.place(number, from: point, outline))
            times.append(clock.now() - began)
            if number == 0 { first = found }
            if loops > 1, number % 100 == 99 || number == 7 || number == loops - 1 {
                printError("\(number + 1)  rss \(ProcessMemory.residentKilobytes) kB")
            }
        }
        if loops > 1 { printError(Self.summary(times, decodes: extractor.decodeCount)) }
        do throws(MediaError) {
            guard let still = try first?.get() else { return }
            let bytes = PNGImage.bytes(still.image)
            if let output {
                try StillFile.write(bytes, to: output)
            } else {
                let time = still.time - outline.startTime
                printSafely(try StillFile.write(bytes, into: ".", source: location.displayName, at: time))
            }
        } catch {
            throw fail(error, ExitStatus.playbackFailed)
        }
    }

    private func open(_ extractor: FrameExtractor) throws -> (SourceOutline, MediaTime) {
        let outline: SourceOutline
        do throws(MediaError) {
            outline = try extractor.waitUntilOpened()
        } catch {
            throw fail(error, ExitStatus.cannotOpen)
        }
        guard let point = at.time(start: outline.startTime, duration: outline.duration) else {
            let error = MediaError(.seekFailed, "seek", subject: argument.source, reason: "its duration is not known")
            throw fail(error, ExitStatus.playbackFailed)
        }
        return (outline, point)
    }

    private func still(of extractor: FrameExtractor, at point: MediaTime) -> Result<ExtractedStill, MediaError> {
        do throws(MediaError) {
            let still = try extractor.waitForStill(
                at: point, isExact: snapshot, width: width ?? (snapshot ? FrameExtractor.maximumWidth : 320))
            return .success(still)
        } catch {
            return .failure(error)
        }
    }

    /// The place that was asked for, then seven more, an eighth of the file apart. Each round is a little later than the one before, so
    /// that what is kept does not answer.
    private static func place(_ number: Int, from point: MediaTime, _ outline: SourceOutline) -> MediaTime {
        guard number > 0, let duration = outline.duration, duration > .zero else { return point }
        let offset =
            (point - outline.startTime).seconds + duration.seconds * (Double(number % 8) / 8 + Double(number / 8) * 0.0137)
        return outline.startTime + .seconds(offset.truncatingRemainder(dividingBy: duration.seconds))
    }

    private static func summary(_ times: [TimeSpan], decodes: Int) -> String {
        let sorted = times.map(\.milliseconds).sorted()
        func percentile(_ share: Double) -> String {
            tenths(sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))])
        }
        /// With one digit behind the point.
        func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
        return "total  stills \(times.count)  decoded \(decodes)  first \(tenths(times[0].milliseconds)) ms"
            + "  p50 \(percentile(0.5)) ms  p95 \(percentile(0.95)) ms  max \(percentile(1)) ms"
    }
}

/// Memory of this process.
enum ProcessMemory {
    /// Pages that are in memory, in kB, by /proc; 0 where that cannot be read.
    static var residentKilobytes: Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var buffer = [CChar](repeating: 0, count: 256)
        guard fgets(&buffer, 255, file) != nil else { return 0 }
        let fields = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(
            separator: " ")
        return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * Int(sysconf(Int32(_SC_PAGESIZE))) / 1024
    }
}
