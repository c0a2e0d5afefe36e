import AetherCore
import AetherEngine
import AetherMedia
import AetherOptions
import AetherRender
import AetherSources
import AetherTerminal
import ArgumentParser
import Glibc

/// A video at a glance: a grid of thumbnails with their times.
struct Sheet: MediaCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            abstract: translated("Write a contact sheet: a grid of stills with their times."),
            discussion: translated(
                """
                With --output it is a PNG, of 64 million pixels at most; else it is drawn into the terminal, at its width, or written as PNG where output is no \
                terminal. Exit status: 0 done; 1 a source without a duration or video; 2 cannot open.
                """))
    }

    @Option(help: .translated("Stills side by side, 1 to 20.", value: "count"))
    var columns = 4

    @Option(help: .translated("Rows of stills, 1 to 50.", value: "count"))
    var rows = 4

    @Option(help: .translated("The width of one still in pixels, 16 to 1920.", value: "pixels"))
    var width = 320

    @Option(help: .translated("The renderer for a terminal; by default the one that suits it.", value: "name"))
    var renderer: EncoderChoice.Renderer?

    @Option(name: .shortAndLong, help: .translated("The PNG to write, - for standard output.", value: "file"))
    var output: String?

    @OptionGroup var argument: SourceArgument

    func validate() throws {
        if !(1...20).contains(columns) { throw ValidationError(translated("--columns takes 1 to 20, for example --columns 5")) }
        if !(1...50).contains(rows) { throw ValidationError(translated("--rows takes 1 to 50, for example --rows 6")) }
        if !(16...1920).contains(width) { throw ValidationError(translated("--width takes 16 to 1920, for example --width 240")) }
    }

    mutating func run() throws {
        let extractor = FrameExtractor(
            .location(MediaLocation.parse(argument.source)), options: argument.network.opening(),
            http: argument.network.http(for: argument.source))
        defer { extractor.shutDown() }
        let outline: SourceOutline
        do throws(MediaError) {
            outline = try extractor.waitUntilOpened()
        } catch {
            throw fail(error, ExitStatus.cannotOpen)
        }
        do throws(MediaError) {
            let sheet = try draw(outline, extractor)
            if output == nil, isatty(STDOUT_FILENO) == 1 {
                try SheetTerminal(renderer: renderer).show(sheet.image)
            } else {
                try StillFile.write(PNGImage.bytes(sheet.image), to: output ?? "-")
            }
        } catch {
            throw fail(error, ExitStatus.playbackFailed)
        }
    }

    /// One still from the middle of each of as many equal parts of the file.
    private func draw(_ outline: SourceOutline, _ extractor: FrameExtractor) throws(MediaError) -> ContactSheet {
        guard let duration = outline.duration, duration > .zero else {
            throw MediaError(.unsupported, "make a sheet", subject: argument.source, reason: "its duration is not known")
        }
        let count = columns * rows
        let width = Self.width(width, count: count, outline.size)
        if width < self.width {
            printError(translated("stills of \(width) pixels: wider ones make a sheet of more than 64 million"))
        }
        var stills: [ExtractedStill?] = []
        var failure: MediaError?
        for index in 0..<count {
            let point = outline.startTime + duration.scaled(by: (Double(index) + 0.5) / Double(count))
            do throws(MediaError) {
                stills.append(try extractor.waitForStill(at: point, isExact: isShort(duration, count), width: width))
            } catch {
                failure = error
                stills.append(nil)
            }
        }
        guard let size = stills.compactMap({ $0?.image.size }).first else {
            throw failure ?? MediaError(.decodeFailed, "make a sheet")
        }
        var sheet = ContactSheet(
            columns: columns, rows: rows, tile: PixelSize(width: width, height: max(1, size.height * width / size.width)))
        for (index, still) in stills.enumerated() {
            let offset = still.map { $0.time - outline.startTime } ?? duration.scaled(by: (Double(index) + 0.5) / Double(count))
            sheet.place(still?.image, caption: Self.caption(offset, isShort: isShort(duration, count)), at: index)
        }
        return sheet
    }

    /// The most pixels of a sheet: 256 MB, and as much for the stills on their way.
    private static let pixelLimit = 64_000_000.0

    /// The width that so many stills of a file of that size may have.
    private static func width(_ wanted: Int, count: Int, _ title: PixelSize?) -> Int {
        let (long, short) = title.map { (max($0.width, $0.height), max(1, min($0.width, $0.height))) } ?? (1, 1)
        // A still may have to be turned: taken for upright.
        return max(16, min(wanted, Int((pixelLimit / (Double(count) * Double(long) / Double(short))).squareRoot())))
    }

    /// Whether the parts are shorter than the usual distance of key frames: key frames would repeat themselves there.
    private func isShort(_ duration: TimeSpan, _ count: Int) -> Bool { duration.seconds / Double(count) < 10 }

    private static func caption(_ offset: TimeSpan, isShort: Bool) -> String {
        let milliseconds = max(0, offset.nanoseconds) / 1_000_000, seconds = milliseconds / 1000
        func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let clock = "\(seconds / 3600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
        return isShort ? clock + ".\(milliseconds / 100 % 10)" : clock
    }
}
