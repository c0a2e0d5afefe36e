import AetherBox
import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine

/// An engine, everything its surface was shown, and waiting that ends.
final class Screening: Sendable {
    struct Shown: Sendable, Equatable {
        let pts: MediaTime
        let hash: UInt64
    }
    let engine: AetherEngine
    private let shown: Monitor<[Shown]>
    private let sink: HashVideoSink
    /// Whether the machine let threads run meanwhile: where it did not, the device may run dry without a fault of ours.
    let punctuality = Punctuality()

    /// With AETHER_TEST_BOX in the environment every source is taken apart and decoded in a process of its own.
    private static let isBoxed: Bool = {
        guard ProcessInfo.processInfo.environment["AETHER_TEST_BOX"] != nil else { return false }
        ProcessBox.install(DecoderBox(path: Programs.folder.appending(path: "aether-decoder").path, patience: .seconds(60)))
        return true
    }()

    /// `box` is what frames are scaled to; nil for their own size.
    init(box: PixelSize? = nil) {
        _ = Self.isBoxed
        let shown = Monitor<[Shown]>([])
        self.shown = shown
        sink = HashVideoSink(box: box) { pts, hash in shown.update { $0.append(Shown(pts: pts, hash: hash)) } }
        // Every change wakes those who wait for one.
        engine = AetherEngine(sink: sink, changed: { shown.update { _ in } })
    }

    static func options(_ change: (inout LoadOptions) -> Void = { _ in }) -> LoadOptions {
        var options = LoadOptions()
        options.audioOutput = .null
        change(&options)
        return options
    }

    /// Loads a file with the silent device that keeps real time.
    static func of(_ path: String, _ change: (inout LoadOptions) -> Void = { _ in }) async throws -> Screening {
        let screening = Screening()
        try await screening.engine.load(.location(.file(path)), options: options(change))
        return screening
    }

    var frames: [Shown] { shown.read { $0 } }
    var times: [MediaTime] { frames.map(\.pts) }
    var snapshot: EngineSnapshot { engine.snapshot() }

    /// The device never ran dry. It holds 180 ms: where a turn of a thread came a fifth of that late, chains of threads may need all of
    /// it, and nothing can be said.
    var neverRanDry: Bool { snapshot.telemetry?.alsaXruns == 0 || !punctuality.kept(.milliseconds(36)) }

    /// Whether each of so many frames was shown, or counted as decoded too late, which depends on the machine: none was lost.
    func lostNone(of count: Int) async -> Bool {
        await eventually { $0.times.count + ($0.snapshot.telemetry?.droppedLateDecode ?? 0) == count }
    }

    /// The bytes that were read of the source, as the last telemetry knows.
    var bytesRead: Int64 { snapshot.telemetry?.demuxerBytesFetched ?? 0 }

    /// Where the clock stands, and when that was; tried again where this thread was held up between the two.
    var reading: (position: MediaTime, host: HostTime) {
        let time = SystemTime()
        var reading = (position: MediaTime.zero, host: time.now())
        for _ in 0..<1000 {
            let before = time.now()
            reading = (snapshot.position, before)
            if time.now() - before < .milliseconds(1) { break }
        }
        return reading
    }

    /// Paused, has a film read and held up to there: by seeks that are each inside of what is held, as a pause reads 1 s ahead.
    func holds(upTo end: Double) async -> Bool {
        var at = 0.0
        while true {
            let wanted = MediaTime.seconds(min(end, at + 0.9))
            guard await eventually({ ($0.snapshot.heldRange?.upperBound ?? .zero) >= wanted }) else { return false }
            if at + 0.9 >= end { return true }
            at += 0.8
            guard await say(.seek(to: .seconds(at), .exact)) else { return false }
        }
    }

    /// Waits on a thread of its own until the condition holds; false when it still does not after a minute. The clock moves
    /// without a word, so the condition is looked at every 5 ms, too.
    func eventually(_ condition: @escaping @Sendable (Screening) -> Bool) async -> Bool {
        let shown = shown
        return await withCheckedContinuation { continuation in
            _ = WorkerThread(name: "test-wait") {
                let time = SystemTime()
                let deadline = time.now() + .seconds(60)
                while true {
                    if condition(self) { return continuation.resume(returning: true) }
                    let now = time.now()
                    if now >= deadline { return continuation.resume(returning: false) }
                    let count = shown.read { $0.count }
                    _ = shown.wait(until: now + .milliseconds(5)) { $0.count != count ? true : nil }
                }
            }
        }
    }

    func reaches(_ phase: PlaybackPhase) async -> Bool { await eventually { $0.snapshot.phase == phase } }

    /// Whether the last frame shown gets to be this one.
    func shows(_ pts: MediaTime) async -> Bool {
        await eventually { ($0.frames.last.map { ($0.pts - pts).magnitude } ?? .seconds(99)) < .milliseconds(1.5) }
    }

    /// Says one command and waits until what it began has landed and is shown.
    func say(_ command: PlayerCommand) async -> Bool {
        let before = snapshot.epoch
        engine.send(command)
        return await eventually {
            let state = $0.snapshot
            return state.epoch > before && state.phase != .seeking && state.hasLanded($0.engine) && $0.hasShown(state.epoch)
        }
    }

    /// A frame that has landed is shown a moment later, by another thread, which notes a frame before it tells of it.
    private func hasShown(_ epoch: Epoch) -> Bool {
        if snapshot.activeVideoTrack == nil || snapshot.phase == .ended { return true }
        return (sink.lastShown?.epoch ?? Epoch()) >= epoch && sink.statistics.framesShown <= frames.count
    }
}

extension EngineSnapshot {
    /// Nothing is on its way any more.
    func hasLanded(_ engine: AetherEngine) -> Bool { seekTarget == nil && phase != .loading }
}

/// The frames of a file by decoder and scaler alone, without an engine.
func reference(_ path: String) throws -> [Screening.Shown] {
    let reader = try #require(try MediaLocation.file(path).openReader())
    var demuxer = try Demuxer(.reader(reader, name: path), interrupt: Interrupt())
    let stream = try #require(demuxer.info.decodable(.video).first)
    demuxer.select([stream.index])
    var decoder = try VideoDecoder(stream.parameters, threadCount: 1)
    var scaler = RasterScaler()
    var result: [Screening.Shown] = []
    func read() throws(MediaError) -> Packet? {
        do throws(MediaError) {
            return try demuxer.read(epoch: Epoch(1))
        } catch {
            if error.code == .endOfMedia { return nil }
            throw error
        }
    }
    func drain() throws(MediaError) {
        do throws(MediaError) {
            while let frame = try decoder.receive() {
                let image = try scaler.scale(frame, to: PixelSize(width: frame.width, height: frame.height))
                result.append(Screening.Shown(pts: frame.pts ?? .zero, hash: HashVideoSink.hash(image)))
            }
        } catch {
            if error.code != .endOfMedia { throw error }
        }
    }
    while true {
        let packet = try read()
        while try decoder.send(packet) == .full { try drain() }
        try drain()
        if packet == nil { return result }
    }
}
