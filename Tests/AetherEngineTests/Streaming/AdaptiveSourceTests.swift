import AetherCore
import AetherFormats
import AetherSources
import AetherTestSupport
import Synchronization
import Testing

@testable import AetherEngine
@testable import AetherMedia

/// A source whose quality is chosen while it is read. Time stands: what the link gives is said, and not measured.
@Suite struct AdaptiveSourceTests {
    /// The state that the adapter sees.
    private final class Scene: Sendable {
        private let state = Mutex((view: StreamAdapter.View(), samples: [LinkSample]()))

        init(buffer: Double) { state.withLock { $0.view.buffer = .seconds(buffer) } }

        var view: StreamAdapter.View { state.withLock { $0.view } }
        func change(_ change: @Sendable (inout StreamAdapter.View) -> Void) { state.withLock { change(&$0.view) } }
        func give(megabits: Double) {
            state.withLock { $0.samples = [LinkSample(bytes: Int64(megabits * 125_000), span: .seconds(1))] }
        }
        func take() -> [LinkSample] {
            state.withLock { state in
                defer { state.samples = [] }
                return state.samples
            }
        }
    }

    /// Two sizes, of 2 Mbit/s and of 20 kbit/s, as the list says; the same frames of one are a few KB in truth.
    private func ladder(_ shape: SegmentedVideo.Shape = .ladder) throws -> SegmentedVideo {
        let film = try SegmentedVideo(shape)
        try film.rewrite("master.m3u8") { text in
            text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
                let rate = line.contains("RESOLUTION=96x64") ? "2000000" : "20000"
                return line.replacing(/:BANDWIDTH=\d+/, with: ":BANDWIDTH=\(rate)")
            }.joined(separator: "\n")
        }
        return film
    }

    private func adapter(_ scene: Scene, _ options: AdaptationOptions = AdaptationOptions()) -> StreamAdapter {
        StreamAdapter(
            options, decoding: .unlimited, time: ManualTime(), view: { scene.view }, samples: { (scene.take(), nil) })
    }

    private func open(
        _ film: SegmentedVideo, _ adapter: StreamAdapter, _ wishes: VariantChoice = VariantChoice([.worst]),
        time: any TimeSource = ManualTime()
    ) throws -> JoinedSource {
        let interrupt = Interrupt()
        let input = try MediaInput(.location(.file(film.path("master.m3u8"))), follows: true, interrupt: interrupt)
        let document = try #require(try StreamDocument(input))
        return JoinedSource(
            try StreamOpening(
                options: OpenOptions(), window: nil, wishes: wishes, adapter: adapter, interrupt: interrupt, time: time
            ).sources(document))
    }

    /// The packets of a source that is read to its end, without those that come again. The video's by the format that they have.
    private struct Reading {
        var frames: [(time: MediaTime, format: Int)] = []
        /// Those without a time stamp follow the one before them.
        var audio: [(time: MediaTime, span: TimeSpan)] = []
        var again: [MediaTime] = []

        mutating func comeAgain(from point: MediaTime) {
            again.append(point)
            frames.removeAll { $0.time >= point }
            audio.removeAll { $0.time >= point }
        }

        var isEven: Bool { zip(frames, frames.dropFirst()).allSatisfy { abs(($1.time - $0.time).seconds - 0.04) < 0.0015 } }
        /// None is missing, and none comes twice: 4 s are 187.5 packets. The first PES packet of MPEG-TS has no lengths.
        var isAudioWhole: Bool {
            let known = audio.drop { $0.span == .zero }, count = 186...190
            return count.contains(audio.count)
                && zip(known, known.dropFirst()).allSatisfy { ($1.time - $0.time - $0.span).magnitude < .milliseconds(1) }
        }
    }

    /// Reads the video, and the audio of the same segments; `step` is called behind each packet of the video.
    private func read(_ source: JoinedSource, _ step: (Int) -> Void) throws -> Reading {
        let streams = source.description.info.streams, video = try #require(streams.first { $0.kind == .video }?.id)
        let audio = streams.first { $0.kind == .audio }?.id
        source.select(Set([video, audio].compactMap { $0 }))
        var reading = Reading()
        while true {
            do throws(MediaError) {
                switch try source.read(run: Epoch()) {
                case .packet(let packet) where packet.stream == video:
                    reading.frames.append((packet.pts ?? .zero, packet.format))
                    step(reading.frames.count)
                case .packet(let packet):
                    let last = reading.audio.last.map { $0.time + $0.span }
                    if let time = packet.pts ?? last { reading.audio.append((time, packet.duration ?? .zero)) }
                case .again(let point): reading.comeAgain(from: point)
                default: break
                }
            } catch {
                guard error.code == .endOfMedia else { throw error }
                reading.frames.sort { $0.time < $1.time }
                return reading
            }
        }
    }

    @Test func theQualityChangesAtABorderWithoutAFrameLostOrDoubled() throws {
        let film = try ladder(), scene = Scene(buffer: 9), adapter = adapter(scene)
        let source = try open(film, adapter)
        scene.give(megabits: 40)
        let reading = try read(source) { count in
            // Within the second segment the link breaks down.
            if count == 30 { (0..<8).forEach { _ in scene.give(megabits: 0.2) } }
        }
        #expect(reading.frames.count == 100 && reading.again.isEmpty, "\(reading.frames.count)")
        #expect(Set(reading.frames.map(\.format)).count >= 2, "\(adapter.note as Any)")
        #expect(reading.isEven)
        #expect((adapter.note?.switches ?? 0) >= 1 && source.description.variants?.isAdaptive == true)
    }

    @Test func whatIsHeldOfALowerQualityIsReadOnceMoreWhereTheLinkHasPlenty() throws {
        let film = try ladder(), scene = Scene(buffer: 12), adapter = adapter(scene)
        let source = try open(film, adapter)
        let start = source.description.info.startTime
        // Nothing of the 4 s lies six seconds ahead of the decoders; half a second does.
        scene.change { $0.next = start - .seconds(5.5) }
        let reading = try read(source) { count in if count == 60 { scene.give(megabits: 400) } }
        #expect(reading.frames.count == 100 && reading.again.count <= 1, "\(reading.frames.count)")
        #expect(Set(reading.frames.map(\.format)).count == 2)
        #expect(reading.isEven)
    }

    @Test func thePersonsChoiceStaysUntilAutoIsChosen() throws {
        let film = try ladder(), scene = Scene(buffer: 20), adapter = adapter(scene)
        let source = try open(film, adapter)
        let variants = try #require(source.description.variants)
        let low = variants.active
        _ = try source.choose(low, behind: .zero)
        scene.give(megabits: 400)
        #expect(!adapter.isChoosing && source.description.variants?.isAdaptive == false)
        let reading = try read(source) { _ in scene.give(megabits: 400) }
        #expect(reading.frames.count == 100 && Set(reading.frames.map(\.format)).count == 1)
        _ = try source.choose(nil, behind: .zero)
        #expect(adapter.isChoosing && source.description.variants?.isAdaptive == true)
    }

    @Test func offStaysWithTheFirstChoice() throws {
        var options = AdaptationOptions()
        options.isOn = false
        let film = try ladder(), scene = Scene(buffer: 20), adapter = adapter(scene, options)
        let source = try open(film, adapter)
        let reading = try read(source) { _ in scene.give(megabits: 400) }
        #expect(
            reading.frames.count == 100 && Set(reading.frames.map(\.format)).count == 1
                && source.description.variants?.isAdaptive == false)
    }

    /// Of several that the person's wishes leave, the highest; a single one is held, until Auto is chosen from all.
    @Test(arguments: [("height IN {360p, 720p}", true, "720p"), ("best", false, "2160p"), ("peak > 100M", true, "2160p")])
    func itChoosesAmongWhatTheWishesLeave(_ wish: String, _ isChoosing: Bool, _ chosen: String) throws {
        let scene = Scene(buffer: 20), active = isChoosing ? "360p" : "180p"
        let adapter = StreamAdapter(
            AdaptationOptions(), wishes: VariantChoice([try MediaVariantQualifier(wish)]), decoding: .unlimited,
            time: ManualTime(), view: { scene.view }, samples: { (scene.take(), nil) })
        adapter.begin(AdaptationTests.ladder, active: active)
        #expect(adapter.isChoosing == isChoosing)
        scene.give(megabits: 400)
        if !isChoosing {
            #expect(adapter.isFollowed(0, duration: .seconds(4)))
            adapter.pin(nil)
        }
        #expect(!adapter.isFollowed(1, duration: .seconds(4)))
        #expect(adapter.takeDecision()?.variant == chosen)
    }

    @Test(arguments: [("best", 96), ("worst", 48), ("2", nil), ("width < 80", 48), ("peak >= 1M", 96)] as [(String, Int?)])
    func theWishIsWhatIsOpened(_ wish: String, _ width: Int?) throws {
        let film = try ladder(), adapter = adapter(Scene(buffer: 9))
        let source = try open(film, adapter, VariantChoice([try MediaVariantQualifier(wish)], isRequired: true))
        let variants = try #require(source.description.variants)
        let active = try #require(variants.list.first { $0.id == variants.active })
        #expect(variants.list.count == 2 && active.size?.width == width ?? variants.list[1].size?.width)
    }

    @Test(arguments: [
        ("9", "unknown quality 9: the list has 2"), ("peak > 100M", "none of its 2 qualities meets ‘peak > 100M’"),
    ])
    func whereARequiredWishLeavesNothingOneSentenceSaysSo(_ wish: String, _ words: String) throws {
        let film = try ladder()
        let error = #expect(throws: MediaError.self) {
            try open(film, adapter(Scene(buffer: 9)), VariantChoice([try MediaVariantQualifier(wish)], isRequired: true))
        }
        #expect(error?.description.hasSuffix(words) == true && error?.code == .unsupported, "\(error as Any)")
    }

    /// Time that stands until it is told to run: then it is a second later each time that it is looked at.
    private final class RunningTime: TimeSource {
        private let time = ManualTime(), runs = Mutex(false)

        func run() { runs.withLock { $0 = true } }
        func now() -> HostTime {
            if runs.withLock({ $0 }) { time.advance(by: .seconds(1)) }
            return time.now()
        }
    }

    /// The demuxer holds the last packets of the segment before the one that is given up.
    @Test(arguments: [SegmentedVideo.Shape.ladder, .muxedLadder])
    func noPacketBeforeASegmentThatIsGivenUpIsLost(_ shape: SegmentedVideo.Shape) throws {
        let film = try ladder(shape), wishes = VariantChoice([try MediaVariantQualifier("peak < 100M")])
        for slow in [10, 30, 49, 60] {
            let scene = Scene(buffer: 1), time = RunningTime()
            let adapter = StreamAdapter(
                AdaptationOptions(), decoding: .unlimited, time: time, view: { scene.view }, samples: { (scene.take(), nil) })
            let source = try open(film, adapter, wishes, time: time)
            let reading = try read(source) { count in if count == slow { time.run() } }
            #expect(adapter.note?.switches == 1 && reading.again.count == 1, "\(adapter.note as Any)")
            #expect(
                reading.frames.count == 100 && Set(reading.frames.map(\.format)).count == 2,
                "slow from \(slow): \(reading.frames.count)")
            #expect(reading.isEven)
            #expect(reading.isAudioWhole, "\(reading.audio.count)")
        }
    }

    /// Other cameras are no qualities: they are chosen by hand, and then the quality is chosen among theirs.
    @Test func theQualityIsChosenInTheCameraThatIsShown() throws {
        let variants = try VariantFixtures.hls(
            """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="l",NAME="Main",DEFAULT=YES
            #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="l",NAME="Dugout",URI="l2"
            #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="h",NAME="Main",DEFAULT=YES
            #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="h",NAME="Dugout",URI="h2"
            #EXT-X-STREAM-INF:BANDWIDTH=100000,RESOLUTION=320x180,VIDEO="l"
            l1
            #EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=640x360,VIDEO="h"
            h1

            """)
        #expect(VariantChoice().left(of: variants)?.map(\.id) == ["l1", "h1"])
        #expect(VariantChoice([.best]).left(of: variants)?.map(\.id) == ["h1"])
        #expect(VariantChoice([.number(2)]).left(of: variants)?.map(\.id) == ["l2"])
        let scene = Scene(buffer: 20), adapter = adapter(scene)
        adapter.begin(variants, active: "l1")
        func chosen(_ number: Int64) -> String? {
            scene.give(megabits: 50)
            _ = adapter.isFollowed(number, duration: .seconds(2))
            return adapter.takeDecision()?.variant
        }
        #expect(chosen(1) == "h1")
        adapter.pin("l2")
        #expect(!adapter.isChoosing && chosen(2) == nil)
        adapter.pin(nil)
        #expect(adapter.isChoosing && chosen(3) == "h2")
        adapter.pin("h1")
        adapter.pin(nil)
        #expect(chosen(4) == nil && adapter.note?.variant == "h1")
    }

    @Test func aSegmentThatComesTooSlowlyEndsTheBytes() throws {
        let film = try ladder(), time = ManualTime(), scene = Scene(buffer: 1)
        let adapter = StreamAdapter(
            AdaptationOptions(), decoding: .unlimited, time: time, view: { scene.view }, samples: { (scene.take(), nil) })
        let interrupt = Interrupt()
        let input = try MediaInput(.location(.file(film.path("master.m3u8"))), follows: true, interrupt: interrupt)
        let document = try #require(try StreamDocument(input))
        let catalog = try StreamCatalog(document, fetch: StreamFetch(document, interrupt: interrupt), time: time)
        let variants = catalog.variants, high = try #require(catalog.presentation.variants.first { $0.size?.width == 96 })
        adapter.begin(variants, active: high.id)
        let run = try #require(SegmentRun(high.rendition, try catalog.segments(of: high.rendition), from: 1))
        let reader = SegmentReader(run, fetch: catalog.fetch, adapter: adapter, time: time)
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 376, alignment: 1)
        defer { piece.deallocate() }
        var count = 0
        while try reader.read(piece) > 0 {
            count += 1
            time.advance(by: .seconds(0.4))
        }
        // The first look is at once, the next ones are due every quarter of a second, and half a second is the least to judge by.
        #expect(reader.isGivenUp && count == 2, "\(count)")
        let decision = try #require(adapter.takeDecision())
        #expect(decision.entry == .abandoning && decision.reason == .abandoned && decision.variant != high.id)
        #expect(try reader.read(piece) == 0)
    }
}
