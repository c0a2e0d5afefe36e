import AetherCore
import AetherMedia
import AetherOptions
import AetherRender
import ArgumentParser
import Glibc

/// Writes the bytes that a terminal would get for each frame.
struct Render: MediaCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            abstract: translated("Write the terminal bytes of each frame, without pacing."),
            discussion: translated(
                """
                The first frame is complete; each later one is the difference to what the terminal shows by then. No modes are set: \
                the bytes move the cursor, set colours and print. Exit status: 0 done, also where the reader has gone; 1 failed midway; \
                2 cannot open.
                """))
    }

    @Option(help: .translated("The renderer that draws the frames.", value: "name"))
    var renderer = EncoderChoice.Renderer.halfblock

    @Option(help: .translated("The screen in cells, up to 2000x1000, for example 160x45.", form: "COLSxROWS"))
    var size: Extent

    @Option(help: .translated("One cell in pixels: only its shape matters.", form: "WxH"))
    var cell = Extent(width: 8, height: 16)

    @Option(help: .translated("The number of colours to send.", value: "depth"))
    var color = ColourDepth.trueColor

    @Option(help: .translated("Stop after this many frames; 0 for all.", value: "count"))
    var frames = 0

    @Option(help: .translated("Start at this time: seconds, 1:30, 1:02:03.5 or 50%.", value: "time"))
    var start: TimePoint?

    @Flag(help: .translated("Send every cell exactly, whatever the bytes."))
    var exact = false

    @Flag(help: .translated("Print the time, bytes and milliseconds of each frame on standard error."))
    var stats = false

    @OptionGroup var argument: SourceArgument

    func validate() throws {
        if !size.isWithin(width: 2000, height: 1000) {
            throw ValidationError(translated("--size takes COLSxROWS between 1x1 and 2000x1000, for example 160x45"))
        }
        // The shapes that a player believes of a terminal.
        if !cell.isWithin(width: 1024, height: 1024) || !(0.2...2).contains(Double(cell.width) / Double(cell.height)) {
            throw ValidationError(translated("--cell takes WIDTHxHEIGHT of a shape between 1:5 and 2:1, for example 8x16"))
        }
        if frames < 0 { throw ValidationError(translated("--frames must not be negative")) }
    }

    mutating func run() throws {
        // A reader that has seen enough is no failure: it is told by EPIPE.
        signal(SIGPIPE, SIG_IGN)
        var source = try open()
        var composer = FrameComposer(
            output: FrameOutput(
                EncoderChoice(renderer: renderer, depth: color), traits: DisplayTraits(depth: color, isUTF8: true)), depth: color,
            cells: CellSize(columns: size.width, rows: size.height), cellAspect: Double(cell.width) / Double(cell.height),
            cellPixels: PixelSize(width: cell.width, height: cell.height))
        var tally = Tally()
        do throws(MediaError) {
            while frames == 0 || tally.frames < frames {
                guard let frame = try source.next(box: composer.layout.box, pixelAspect: composer.layout.pixelAspect) else {
                    break
                }
                let began = SystemTime().now()
                composer.show(frame.image)
                composer.setFrameTime(frame.duration)
                let bytes = composer.compose(exactly: exact)
                let encoding = SystemTime().now() - began
                guard try writeFully(bytes) else { break }
                tally.count(bytes.count)
                if stats { printError(tally.line(frame, composer.statistics, encoding: encoding)) }
            }
        } catch {
            throw fail(error, ExitStatus.playbackFailed)
        }
        if stats { printError(tally.total) }
    }

    private func open() throws -> FrameSource {
        do throws(MediaError) {
            return try FrameSource(try argument.input(), options: argument.network.opening(), start: start)
        } catch {
            throw fail(error, ExitStatus.cannotOpen)
        }
    }

    /// Writes all the bytes to standard output; false when the reader is gone. Blocks.
    private func writeFully(_ bytes: UnsafeRawBufferPointer) throws(MediaError) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = write(STDOUT_FILENO, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
            if count >= 0 {
                sent += count
                continue
            }
            switch errno {
            case EINTR: continue
            case EPIPE: return false
            case EAGAIN:
                var descriptor = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
                _ = poll(&descriptor, 1, -1)
            default:
                throw MediaError(
                    .internalFailure, "write to", subject: "standard output", cause: -errno,
                    reason: String(cString: strerror(errno)))
            }
        }
        return true
    }
}

/// The frames and bytes that were written so far.
private struct Tally {
    private(set) var frames = 0
    private var bytes = 0

    mutating func count(_ byteCount: Int) {
        frames += 1
        bytes += byteCount
    }

    func line(_ frame: FrameSource.Frame, _ encoded: EncodeStats, encoding: TimeSpan) -> String {
        [
            "frame \(frames)", "pts \(fixed(frame.pts.nanoseconds))", "bytes \(encoded.byteCount)",
            "cells \(encoded.cellsChanged)",
            "decode \(milliseconds(frame.decoding)) ms", "scale \(milliseconds(frame.scaling)) ms",
            "encode \(milliseconds(encoding)) ms",
        ].joined(separator: "  ")
    }

    var total: String { "total  frames \(frames)  bytes \(bytes)  per frame \(frames == 0 ? 0 : bytes / frames)" }

    private func milliseconds(_ span: TimeSpan) -> String { String(fixed(span.nanoseconds &* 1000).dropLast(3)) }
}
