import AetherCore
import AetherSources
import AetherTestSupport
import Testing

@testable import AetherEngine
@testable import AetherMedia

/// Segments that are read while they are made, by HLS. Time is virtual: it passes where the server would hold an answer back.
@Suite struct LowLatencySourceTests {
    private func source(
        _ broadcast: LowLatencyBroadcast, _ origin: TestOrigin, profile: LiveJoinProfile = .lowLatency, kept: KeptSegments? = nil
    ) throws -> JoinedSource {
        let interrupt = Interrupt()
        let input = try MediaInput(.location(.url(origin.address + "/m.m3u8")), follows: true, interrupt: interrupt)
        let document = try #require(try StreamDocument(input))
        let time = broadcast.time
        var opening = StreamOpening(
            options: OpenOptions(), window: nil, interrupt: interrupt, time: time,
            waiting: { _, moment in
                time.advance(by: max(.zero, moment - time.now()))
                return moment > HostTime(nanoseconds: 120_000_000_000)
            })
        opening.profile = profile
        if let kept { opening.keeping = { kept } }
        return JoinedSource(try opening.sources(document))
    }

    private static let shapes: [LowLatencyBroadcast.Options] = {
        var plain = LowLatencyBroadcast.Options(), whole = plain, unhinted = plain, inSegments = plain, polled = plain
        whole.skips = false
        (unhinted.hints, unhinted.reports) = (false, false)
        inSegments.inSegments = true
        polled.blocks = false
        plain.made = 13
        return [plain, whole, unhinted, inSegments, polled]
    }()

    @Test(arguments: shapes.indices)
    func everyFrameOfEveryPartIsPlayedOnce(_ shape: Int) throws {
        let broadcast = try LowLatencyBroadcast(Self.shapes[shape]), origin = try broadcast.origin()
        let reading = try StreamReading(source(broadcast, origin), from: nil)
        let first = try #require(reading.video.min()), made = Self.shapes[shape].made
        // Three parts are held back, and playing begins with the segment of that point.
        let joined = (made - 3) / LowLatencyBroadcast.partsOfSegment * LowLatencyBroadcast.partsOfSegment
        let frames = (broadcast.count - joined) * LowLatencyBroadcast.framesOfPart
        #expect(
            reading.video.count == frames && reading.hasEveryFrame(frames, rate: 31.25), "\(reading.video.count) of \(frames)")
        #expect(reading.damage == 0 && first >= .zero)
        let holes = zip(reading.audio, reading.audio.dropFirst()).compactMap { a, b -> TimeSpan? in
            let hole = (b.time ?? .zero) - (a.time ?? .zero) - .seconds(1024.0 / 48_000)
            return hole.magnitude < .milliseconds(1) ? nil : hole
        }
        #expect(holes.isEmpty && reading.audio.count >= (broadcast.count - joined) * 24, "\(holes) \(reading.audio.count)")
        let counts = Dictionary(origin.requests.map { (String($0.target.prefix { $0 != "?" }), 1) }, uniquingKeysWith: +)
        let media = counts.filter { !$0.key.hasSuffix(".m3u8") }
        #expect(!origin.requests.contains { $0.status >= 400 })
        #expect(Self.shapes[shape].inSegments || media.values.allSatisfy { $0 == 1 }, "\(media)")
    }

    @Test(arguments: [0, 3]) func segmentsThatCameInPartsAreKeptWhole(_ shape: Int) throws {
        let broadcast = try LowLatencyBroadcast(Self.shapes[shape]), origin = try broadcast.origin(), storage = RingMemory()
        var options = TimeShiftOptions()
        options.byteLimit = 64 << 20
        let kept = KeptSegments(storage, options: options, by: .caller)
        let reading = try StreamReading(source(broadcast, origin, kept: kept), from: nil)
        let held = try #require(kept.held), last = try #require(reading.video.max())
        #expect(try #require(reading.video.min()) - held.lowerBound < .seconds(1) && last - held.upperBound < .seconds(0.1))
        // The file has the bytes of the parts, one behind the other.
        let track = try #require(broadcast.tracks.first), each = LowLatencyBroadcast.partsOfSegment
        let whole = track.parts[(broadcast.count / each - 1) * each..<broadcast.count / each * each].flatMap(\.self)
        let bytes = try #require(storage.read(storage.count, at: 0))
        #expect(bytes.firstRange(of: whole) != nil)
    }

    @Test func updatesAreAskedForBeforeTheyAreThereAndWithoutWhatIsKnown() throws {
        let broadcast = try LowLatencyBroadcast(.init()), origin = try broadcast.origin()
        _ = try StreamReading(source(broadcast, origin), from: nil)
        let lists = origin.requests.map(\.target).filter { $0.hasPrefix("/v.m3u8") }
        #expect(lists.dropFirst().allSatisfy { $0.contains("_HLS_msn=") && $0.contains("_HLS_part=") }, "\(lists)")
        #expect(lists.dropFirst().allSatisfy { $0.hasSuffix("&_HLS_skip=YES") }, "\(lists)")
        // One request for each part that was made meanwhile, as the specification wants it.
        #expect(lists.count <= broadcast.count - 10 + 2, "\(lists)")
        #expect(origin.requests.first { $0.target.hasPrefix("/a.m3u8") }?.target == "/a.m3u8?_HLS_msn=2&_HLS_part=1")
    }

    @Test func whoPlaysSafelyTakesWholeSegments() throws {
        let broadcast = try LowLatencyBroadcast(.init()), origin = try broadcast.origin()
        let reading = try StreamReading(source(broadcast, origin, profile: .safe), from: nil)
        #expect(!origin.requests.contains { $0.target.contains("_p") || $0.target.contains("_HLS_part") })
        #expect(reading.hasEveryFrame(broadcast.count * LowLatencyBroadcast.framesOfPart, rate: 31.25), "\(reading.video.count)")
    }

    @Test func aSeekToTheEdgeBeginsBehindTheHeldBackParts() throws {
        let broadcast = try LowLatencyBroadcast(.init()), origin = try broadcast.origin()
        let source = try source(broadcast, origin), edge = try #require(source.window.liveEdge)
        let end = Double(10) * LowLatencyBroadcast.partSeconds
        #expect(abs(edge.seconds - (end - 1.536)) < 0.001 && source.window.step == .seconds(0.512), "\(edge)")
    }
}
