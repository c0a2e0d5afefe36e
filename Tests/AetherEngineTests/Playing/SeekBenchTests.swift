import AetherCore
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine

/// How long seeks take: `AETHER_SEEK_BENCH=clip.mkv swift test --filter SeekBench` prints it. No test without the variable: figures of
/// a busy machine prove nothing.
@Suite(
    .enabled(if: ProcessInfo.processInfo.environment["AETHER_SEEK_BENCH"] != nil, "AETHER_SEEK_BENCH names no clip"), .serialized)
struct SeekBenchTests {
    private final class Stopwatch: VideoSink {
        let shown = Monitor<(epoch: Epoch, at: HostTime)>((Epoch(), HostTime(nanoseconds: 0)))
        let record = SinkRecord(renderer: "stopwatch", time: SystemTime())
        var demand: RasterDemand { RasterDemand(box: PixelSize(width: 240, height: 134), pixelAspect: 1) }
        var lead: TimeSpan { .zero }
        func flush(_ epoch: Epoch) {}
        func clear() {}
        var lastShown: ShownFrame? { record.lastShown }
        var statistics: SinkStatistics { record.statistics }
        func show(_ frame: VideoFrame) {
            record.note(frame)
            shown.update { if $0.epoch != frame.epoch { $0 = (frame.epoch, SystemTime().now()) } }
        }
    }

    /// Milliseconds from the command to the picture, sorted.
    private func seeks(
        _ precision: SeekPrecision, within range: ClosedRange<Double>, playedBefore: Bool = false
    ) async throws -> [Double] {
        let path = try #require(ProcessInfo.processInfo.environment["AETHER_SEEK_BENCH"])
        let sink = Stopwatch()
        let engine = AetherEngine(sink: sink)
        var options = LoadOptions()
        (options.audioOutput, options.autoplay, options.rate) = (.null, playedBefore, 4)
        try await engine.load(.location(.file(path)), options: options)
        if playedBefore {
            await waitForEnd(engine)
            engine.pause()
        }
        var random = SeededRandom(seed: 11)
        let time = SystemTime()
        var results: [Double] = []
        for number in 0..<21 {
            let target = range.lowerBound + (range.upperBound - range.lowerBound) * Double(random.below(10_000)) / 10_000
            let before = sink.shown.read { $0.epoch }
            let began = time.now()
            engine.seek(to: .seconds(target), precision: precision)
            let end: HostTime? = await withCheckedContinuation { continuation in
                _ = WorkerThread(name: "bench") {
                    continuation.resume(
                        returning: sink.shown.wait(until: began + .seconds(20)) { $0.epoch > before ? $0.at : nil })
                }
            }
            // The first warms up.
            if number > 0 { results.append((try #require(end) - began).seconds * 1000) }
        }
        await engine.stop()
        return results.sorted()
    }

    private func waitForEnd(_ engine: AetherEngine) async {
        await withCheckedContinuation { continuation in
            _ = WorkerThread(name: "bench") {
                let clock = Monitor(()), time = SystemTime()
                while engine.snapshot().phase != .ended {
                    _ = clock.wait(until: time.now() + .milliseconds(20)) { _ -> Bool? in nil }
                }
                continuation.resume()
            }
        }
    }

    @Test func keyFrameSeeksInsideTheCache() async throws {
        let all = try await seeks(.keyframe, within: 0.5...9, playedBefore: true)
        print("SEEK cached median", all[10].rounded(), "p90", all[17].rounded(), "max", all[19].rounded(), "ms")
    }

    @Test(arguments: [SeekPrecision.exact, .keyframe]) func seeksFromCommandToPicture(precision: SeekPrecision) async throws {
        let all = try await seeks(precision, within: 0.5...11)
        print("SEEK", precision, "median", all[10].rounded(), "p90", all[17].rounded(), "max", all[19].rounded(), "ms")
    }
}
