import AetherCore
import AetherMedia
import AetherTestSupport
import Testing

@testable import AetherEngine

/// When cues come and go on a surface, on a clock that only the test moves.
@Suite struct CueTimingTests {
    private static let track = TrackID(.container, 2)
    /// 24 pictures a second.
    private static let frame = TimeSpan.seconds(1.0 / 24)

    private func store() -> CueStore {
        let store = CueStore()
        let times: [(Double, Double)] = [(1, 2), (2, 3.5), (3, 4), (10.013, 10.9), (10.95, 12), (20, 20.04), (25, 27)]
        for (number, time) in times.enumerated() {
            store.add(DecodedSubtitle(start: .seconds(time.0), end: .seconds(time.1), lines: ["\(number)"]), track: Self.track)
        }
        return store
    }

    /// The lines on a surface that wakes when it is told to, with the moment of each change.
    private func watch(
        _ store: CueStore, _ clock: RenderSynchronizer, rate: Double, from begin: HostTime, until end: HostTime,
        delay: TimeSpan = .zero
    ) -> [(at: HostTime, lines: [String])] {
        var shown: [(at: HostTime, lines: [String])] = []
        var now = begin
        while now < end {
            var snapshot = EngineSnapshot()
            snapshot.phase = .playing
            snapshot.rate = rate
            snapshot.subtitleDelay = delay
            snapshot.activeSubtitleTrack = Self.track
            snapshot.position = clock.time(at: now) ?? .zero
            snapshot.takeCues(of: store, burning: .none, forcedOnly: false, keepsMarkup: false)
            let lines = snapshot.visibleCues.flatMap(\.lines)
            if lines != shown.last?.lines ?? [] { shown.append((now, lines)) }
            guard let next = snapshot.cuesDue(after: now) else { break }
            now = next
        }
        return shown
    }

    /// Each cue's line is there within a frame of its start, and gone within a frame of its end; `anchor` is the line of the clock.
    private func expectOnTime(
        _ store: CueStore, _ shown: [(at: HostTime, lines: [String])], _ anchor: ClockAnchor, within span: ClosedRange<HostTime>,
        delay: TimeSpan = .zero
    ) {
        var count = 0
        for cue in store.cues(track: Self.track) {
            for (time, isThere) in [(cue.start, true), (cue.end, false)] {
                // One that is over within a frame may be gone by then.
                guard cue.end - cue.start > Self.frame.scaled(by: anchor.rate), let due = anchor.host(of: time + delay),
                    span.contains(due),
                    span.contains(due + Self.frame)
                else { continue }
                let after = shown.last { $0.at <= due + Self.frame }, before = shown.last { $0.at < due }
                #expect(after?.lines.contains(cue.lines[0]) ?? false == isThere, "cue \(cue.lines) at \(time)")
                #expect(before?.lines.contains(cue.lines[0]) ?? false != isThere, "cue \(cue.lines) before \(time)")
                count += 1
            }
        }
        #expect(count >= 4)
    }

    @Test(arguments: [0.25, 1, 1.5, 2, 4]) func aCueComesAndGoesWithinAFrame(_ rate: Double) {
        let begin = HostTime(nanoseconds: 5_000_000_000), clock = RenderSynchronizer()
        let anchor = ClockAnchor(media: .zero, host: begin, rate: rate)
        clock.anchor(anchor, epoch: Epoch(1))
        let end = begin + .seconds(30 / rate)
        for delay in [TimeSpan.zero, .seconds(0.7), .seconds(-0.3)] {
            let shown = watch(store(), clock, rate: rate, from: begin, until: end, delay: delay)
            expectOnTime(store(), shown, anchor, within: begin...end, delay: delay)
        }
    }

    @Test(arguments: [1.0, 2]) func afterSeeksToo(_ rate: Double) {
        let store = store(), clock = RenderSynchronizer()
        var now = HostTime(nanoseconds: 5_000_000_000), random = SeededRandom(seed: 5)
        for number in 1...60 {
            let target = MediaTime.seconds(Double.random(in: 0...24, using: &random))
            let anchor = ClockAnchor(media: target, host: now, rate: rate)
            clock.anchor(anchor, epoch: Epoch(UInt64(number)))
            let end = now + .seconds(8 / rate)
            let shown = watch(store, clock, rate: rate, from: now, until: end)
            // Cues at the target are shown at once.
            #expect(
                Set(store.visible(track: Self.track, at: target).flatMap(\.lines)).isSubset(
                    of: shown.first?.at == now ? Set(shown[0].lines) : []))
            for cue in store.cues(track: Self.track) {
                guard let due = anchor.host(of: cue.start), due > now, due + Self.frame < end else { continue }
                #expect(
                    shown.last { $0.at <= due + Self.frame }?.lines.contains(cue.lines[0])
                        == (cue.end - cue.start > Self.frame.scaled(by: rate))
                        || cue.end - cue.start <= Self.frame.scaled(by: rate))
            }
            now = end
        }
    }

    // MARK: - In the picture

    private func picture(_ value: UInt32) -> SubtitleImage {
        SubtitleImage(
            width: 8, height: 4, indices: [UInt8](repeating: 1, count: 32), palette: [0, 0xFF00_0000 | value], x: 4, y: 4,
            canvasSize: PixelSize(width: 16, height: 12), isForced: false)
    }

    /// A picture has a subtitle in it if its own time is within the cue's, whatever was shown before: frames in any order.
    @Test func imagesHaveWhatBelongsToTheirTime() {
        let store = CueStore(), track = Self.track, time = ManualTime()
        let spans: [(Double, Double)] = [(1, 2), (2.01, 2.03), (3.5, 5)]
        for (number, span) in spans.enumerated() {
            store.add(
                DecodedSubtitle(
                    start: .seconds(span.0), end: .seconds(span.1), body: .image(picture(UInt32(number + 1) * 0x2030)),
                    isReplacedByNext: true),
                track: track)
        }
        var blender = SubtitleBlender(cues: store, storage: nil, header: { _ in nil }, fonts: { [] })
        let demand = RasterDemand(box: nil, pixelAspect: 1, burning: .images), bare = RasterImage(width: 16, height: 12)
        var random = SeededRandom(seed: 3)
        for number in (0..<150).shuffled(using: &random) {
            let pts = MediaTime.seconds(Double(number) / 24)
            let image = blender.blended(bare, at: pts, SubtitleChoice(track: track), demand, clock: time)
            let isDue = spans.contains { MediaTime.seconds($0.0) <= pts && pts < .seconds($0.1) }
            #expect((image != bare) == isDue, "frame \(number)")
        }
    }

    private static let header = """
        [Script Info]
        PlayResX: 64
        PlayResY: 48
        [V4+ Styles]
        Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
        Style: Default,DejaVu Sans,20,&H00FFFFFF,&H000000FF,&H00000000,&H80000000,0,0,0,0,100,100,0,0,1,2,1,5,0,0,0,1
        """

    /// libass is asked when something comes or goes, and for what moves; not for a text that stands.
    @Test func whatStandsIsNotDrawnAgain() throws {
        let store = CueStore(), time = ManualTime()
        func add(_ start: Double, _ end: Double, _ text: String) {
            store.add(
                DecodedSubtitle(
                    start: .seconds(start), end: .seconds(end), body: .text("x"), markup: "0,Default,,0,0,0,,\(text)"),
                track: Self.track)
        }
        add(1, 3, "still {\\i1}x")
        add(2, 3, "more")
        add(5, 6, "{\\fad(200,200)}fades")
        let header = Self.header
        var blender = SubtitleBlender(cues: store, storage: nil, header: { _ in header }, fonts: { [] })
        let demand = RasterDemand(box: nil, pixelAspect: 1, burning: .styled), bare = RasterImage(width: 64, height: 48)
        func draws(_ span: Range<Double>) -> Int {
            let before = blender.script?.drawCount ?? 0
            for number in 0..<24 {
                let pts = span.lowerBound + Double(number) / 24 * (span.upperBound - span.lowerBound)
                let image = blender.blended(bare, at: .seconds(pts), SubtitleChoice(track: Self.track), demand, clock: time)
                #expect(
                    (image != bare) == !store.visible(track: Self.track, at: .seconds(pts)).isEmpty || pts < 5.01, "at \(pts)")
            }
            return (blender.script?.drawCount ?? 0) - before
        }
        let counts = [draws(0..<1), draws(1..<2), draws(2..<3), draws(3..<4), draws(5..<6)]
        #expect(counts == [1, 1, 1, 1, 24])
    }

    /// Forty tracks of everything that a film can say stay within what is allowed, and none of them is lost.
    @Test func fortyTracksStayWithinTheirMemory() {
        let store = CueStore()
        let line = String(repeating: "x", count: 16 << 10)
        for minute in 0..<300 {
            for track in 0..<40 {
                store.add(
                    DecodedSubtitle(
                        start: .seconds(Double(minute) * 20), end: .seconds(Double(minute) * 20 + 5),
                        body: .text("\(track) " + line)),
                    track: TrackID(.container, track))
                #expect(store.byteCount <= CueStore.byteLimit)
            }
        }
        #expect(CueStore.byteLimit == 96 << 20 && store.byteCount > 90 << 20)
        for track in 0..<40 { #expect(store.visible(track: TrackID(.container, track), at: .seconds(5981)).count == 1) }
    }
}
