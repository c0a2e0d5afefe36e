import AetherCore
import AetherEngine

/// A surface that keeps the last frame, as large as it is in the source.
final class LastFrameSink: VideoSink {
    private struct Shown {
        var image: RasterImage?
        var count = 0
    }
    private let last = Monitor(Shown())
    var image: RasterImage? { last.read { $0.image } }
    var demand: RasterDemand { RasterDemand(box: nil, pixelAspect: 1, burning: .styled) }
    var lead: TimeSpan { .zero }
    /// The colours of points of the last frame, 0x00BBGGRR; nil before the first.
    func pixels(at points: [(x: Int, y: Int)]) -> [UInt32]? {
        image.map { image in points.map { image.pixels[$0.y * image.width + $0.x] & 0xFFFFFF } }
    }

    func show(_ frame: VideoFrame) { last.update { ($0.image, $0.count) = (frame.image, $0.count + 1) } }
    func flush(_ epoch: Epoch) {}
    func clear() {}
    var lastShown: ShownFrame? { nil }
    var statistics: SinkStatistics { SinkStatistics() }

    /// Waits for frames until the condition holds; false when it does not after a minute.
    func eventually(_ condition: @escaping @Sendable () -> Bool) async -> Bool {
        await withCheckedContinuation { continuation in
            _ = WorkerThread(name: "test-wait") { [last] in
                let deadline = SystemTime().now() + .seconds(60)
                while true {
                    let count = last.read { $0.count }
                    if condition() { return continuation.resume(returning: true) }
                    let now = SystemTime().now()
                    if now >= deadline { return continuation.resume(returning: false) }
                    _ = last.wait(until: min(deadline, now + .milliseconds(5))) { $0.count != count ? true : nil }
                }
            }
        }
    }
}

/// The colours of a menu's buttons in the tests' discs: red where one is selected, white where not.
enum ButtonColours {
    /// Whether the button of a number, from 1, is the selected one of these.
    static func show(_ selected: Int, _ colours: [UInt32]?) -> Bool {
        guard let colours else { return false }
        return colours.indices.allSatisfy { $0 + 1 == selected ? isRed(colours[$0]) : isWhite(colours[$0]) }
    }

    private static func isRed(_ pixel: UInt32) -> Bool {
        pixel & 0xFF > 0xE0 && pixel >> 8 & 0xFF < 0x30 && pixel >> 16 < 0x30
    }

    private static func isWhite(_ pixel: UInt32) -> Bool {
        pixel & 0xFF > 0xE0 && pixel >> 8 & 0xFF > 0xE0 && pixel >> 16 > 0xE0
    }
}
