import AetherCore
import AetherEngine
import AetherSources
import Glibc

// How long seeks take, from the command to the picture, scaled to 240 x 134 (160x45 half-block cells) and without a terminal:
//
//   aether-bench-seek CLIP [COUNT]
//
// COUNT random seeks (200) each: exact and to key frames with every packet from the source, then to key frames inside the packet cache
// after the clip was played. Says how many landed, and how far the exact ones landed from their targets. Where the clip has two tracks of
// subtitles or more, also how long a switch takes until the cue that stands there is known. Measure on a quiet machine.

/// Notes when the first picture of each epoch was handed over.
final class Stopwatch: VideoSink {
    private let first = Monitor<(epoch: Epoch, pts: MediaTime, at: HostTime)>((Epoch(), .zero, HostTime(nanoseconds: 0)))
    private let floor = NullVideoSink()
    var demand: RasterDemand { RasterDemand(box: PixelSize(width: 240, height: 134), pixelAspect: 1) }
    var lead: TimeSpan { .zero }
    var lastShown: ShownFrame? { floor.lastShown }
    var statistics: SinkStatistics { floor.statistics }
    func flush(_ epoch: Epoch) {}
    func clear() {}

    func show(_ frame: VideoFrame) {
        floor.show(frame)
        first.update { if $0.epoch != frame.epoch { $0 = (frame.epoch, frame.pts, SystemTime().now()) } }
    }

    var epoch: Epoch { first.read { $0.epoch } }

    /// Waits for the first picture of a newer epoch; nil after twenty seconds. Blocks.
    func picture(after epoch: Epoch) -> (pts: MediaTime, at: HostTime)? {
        first.wait(until: SystemTime().now() + .seconds(20)) { $0.epoch > epoch ? ($0.pts, $0.at) : nil }
    }
}

/// Sorted milliseconds as one line.
func line(_ name: String, _ times: [Double], landed: String) {
    func percentile(_ share: Double) -> String {
        let sorted = times.sorted()
        guard !sorted.isEmpty else { return "-" }
        return String(Int(sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))].rounded()))
    }
    print("\(name): p50 \(percentile(0.5)) p95 \(percentile(0.95)) max \(percentile(1)) ms, \(landed)")
}

func run(_ name: String, _ path: String, _ precision: SeekPrecision, count: Int, isCached: Bool) throws(MediaError) {
    let sink = Stopwatch(), time = SystemTime(), woken = Monitor(0)
    let engine = AetherEngine(sink: sink, changed: { woken.update { $0 += 1 } })
    var options = LoadOptions()
    (options.audioOutput, options.autoplay, options.rate) = (.none, isCached, 4)
    options.cacheBytes = isCached ? 512 << 20 : 0
    engine.begin(.location(.parse(path)), options: options)
    let opened = try engine.waitUntilOpened()
    if isCached {
        _ = woken.wait(until: time.now() + .seconds(600)) { _ -> Bool? in engine.snapshot().phase == .ended ? true : nil }
        engine.pause()
    } else {
        _ = sink.picture(after: Epoch())
    }
    let length = max(0.1, (opened.duration?.seconds ?? 10) - 0.5)
    var random = UInt64(11)
    var times: [Double] = [], misses = 0, worst = TimeSpan.zero
    let frame = TimeSpan.seconds(1 / (opened.videoFrameRate ?? 25))
    for number in 0...count {
        // Knuth's MMIX generator: the same targets each time.
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let target = opened.startTime + .seconds(length * Double(random >> 40) / Double(1 << 24))
        let before = sink.epoch, began = time.now()
        engine.seek(to: target, precision: precision)
        guard let shown = sink.picture(after: before) else {
            misses += 1
            continue
        }
        // The first warms up.
        if number > 0 { times.append((shown.at - began).seconds * 1000) }
        if precision == .exact {
            worst = max(worst, (target - shown.pts).magnitude)
            if shown.pts > target + .milliseconds(1) || target - shown.pts > frame + .milliseconds(1) { misses += 1 }
        }
    }
    engine.shutDown()
    let landed = precision == .exact ? "\(misses) not within a frame, worst \(Int(worst.milliseconds)) ms" : "\(misses) lost"
    line(name, times, landed: landed)
}

/// From the command to a snapshot with the present cue of the other track, at random places of the clip that were played before.
func switches(_ path: String, count: Int) throws(MediaError) {
    let sink = Stopwatch(), time = SystemTime(), woken = Monitor(0)
    let engine = AetherEngine(sink: sink, changed: { woken.update { $0 += 1 } })
    var options = LoadOptions()
    (options.audioOutput, options.rate, options.cacheBytes) = (.none, 4, 512 << 20)
    engine.begin(.location(.parse(path)), options: options)
    let opened = try engine.waitUntilOpened()
    let tracks = opened.subtitleTracks
    guard tracks.count > 1 else { return engine.shutDown() }
    _ = woken.wait(until: time.now() + .seconds(600)) { _ -> Bool? in engine.snapshot().phase == .ended ? true : nil }
    engine.pause()
    var random = UInt64(3), times: [Double] = [], misses = 0
    for number in 0...count {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let wanted = tracks[number % tracks.count].id
        guard let cues = engine.cueListing(of: wanted)?.cues, !cues.isEmpty else { continue }
        let cue = cues[Int(random >> 33) % cues.count], before = sink.epoch
        engine.seek(to: cue.start, precision: .exact)
        _ = sink.picture(after: before)
        let began = time.now()
        engine.selectSubtitleTrack(id: wanted)
        let shown: Bool? = woken.wait(until: began + .seconds(5)) { _ -> Bool? in
            let snapshot = engine.snapshot()
            return snapshot.activeSubtitleTrack == wanted && !snapshot.visibleCues.isEmpty ? true : nil
        }
        if shown == nil { misses += 1 } else if number > 0 { times.append((time.now() - began).seconds * 1000) }
    }
    engine.shutDown()
    func text(_ share: Double) -> String {
        let sorted = times.sorted()
        return sorted.isEmpty ? "-" : String(Int(sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))] * 1000))
    }
    print("switch of subtitles: p50 \(text(0.5)) p95 \(text(0.95)) max \(text(1)) \u{B5}s, \(misses) without a cue")
}

guard CommandLine.arguments.count > 1 else {
    print("usage: aether-bench-seek CLIP [COUNT]")
    exit(2)
}
let path = CommandLine.arguments[1], count = CommandLine.arguments.count > 2 ? Int(CommandLine.arguments[2]) ?? 200 : 200
do throws(MediaError) {
    try run("exact", path, .exact, count: count, isCached: false)
    try run("key frame", path, .keyframe, count: count, isCached: false)
    try run("key frame, cached", path, .keyframe, count: count, isCached: true)
    try switches(path, count: count)
    try run("exact, cached", path, .exact, count: count, isCached: true)
} catch {
    print("\(error)")
    exit(1)
}
