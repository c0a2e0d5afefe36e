import AetherEngine
import Glibc
import Synchronization

/// Shows each frame at once, in half-blocks: two pixels a cell.
final class HalfBlocks: VideoSink {
    private let last = Mutex<ShownFrame?>(nil)

    /// The window, as the kernel knows it, less a row for the state.
    private static var window: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 1 else { return (80, 23) }
        return (Int(size.ws_col), Int(size.ws_row) - 1)
    }

    var demand: RasterDemand {
        let (columns, rows) = Self.window
        return RasterDemand(box: PixelSize(width: columns, height: rows * 2), pixelAspect: 1)
    }
    var lead: TimeSpan { .zero }
    var lastShown: ShownFrame? { last.withLock { $0 } }
    var statistics: SinkStatistics { SinkStatistics() }
    func flush(_ epoch: Epoch) {}
    func clear() {}

    func show(_ frame: VideoFrame) {
        let image = frame.image
        func pixel(_ x: Int, _ y: Int) -> UInt32 { y < image.height ? image.pixels[y * image.width + x] : 0 }
        // Red is the lowest byte of a pixel.
        func colour(_ pixel: UInt32) -> String { "\(pixel & 255);\(pixel >> 8 & 255);\(pixel >> 16 & 255)" }
        var text = "\u{1B}[?2026h"
        for row in 0..<(image.height + 1) / 2 {
            text += "\u{1B}[\(row + 1);1H"
            for x in 0..<image.width {
                text += "\u{1B}[38;2;\(colour(pixel(x, row * 2)));48;2;\(colour(pixel(x, row * 2 + 1)))m▀"
            }
        }
        write(text + "\u{1B}[m\u{1B}[?2026l")
        last.withLock { $0 = ShownFrame(pts: frame.pts, epoch: frame.epoch, shownAt: SystemTime().now(), due: frame.due) }
    }
}

func write(_ text: String) { _ = Array(text.utf8).withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) } }

/// Plays one source. Space pauses, n and p go 10 seconds forth and back, q quits.
@main struct MinimalPlayer {
    static func main() async {
        guard let name = CommandLine.arguments.dropFirst().first else { return print("usage: MinimalPlayer FILE|URL") }
        let (changes, changed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let engine = AetherEngine(sink: HalfBlocks()) { changed.yield() }
        do {
            _ = try await engine.load(.location(.parse(name)))
        } catch {
            return print("MinimalPlayer: \(error)")
        }
        var before = termios()
        tcgetattr(STDIN_FILENO, &before)
        var raw = before
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(STDIN_FILENO, TCSANOW, &raw)
        write("\u{1B}[?1049h\u{1B}[?25l")
        let keys = WorkerThread(name: "keys") {
            while case let key = getchar(), key != EOF, key != 0x71 {
                switch UnicodeScalar(UInt8(truncatingIfNeeded: key)) {
                case " ": engine.send(.togglePlayPause)
                case "n": engine.send(.skip(by: .seconds(10), .keyframe))
                case "p": engine.send(.skip(by: .seconds(-10), .keyframe))
                default: break
                }
            }
            changed.finish()
        }
        for await _ in changes {
            let phase = engine.snapshot().phase
            if case .error = phase { break }
            if phase == .ended { break }
        }
        _ = keys
        await engine.stop()
        write("\u{1B}[?25h\u{1B}[?1049l")
        tcsetattr(STDIN_FILENO, TCSANOW, &before)
    }
}
