import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine

@Suite(.serialized) struct FrameExtractorTests {
    private static let films: [(ext: String, codec: [String])] = [
        ("mkv", NumberedVideo.h264), ("mp4", NumberedVideo.h264), ("ts", NumberedVideo.h264), ("mpg", NumberedVideo.mpeg2),
        ("avi", NumberedVideo.mpeg4),
    ]

    private func extractor(_ path: String) -> FrameExtractor { FrameExtractor(.location(.file(path))) }

    @Test(arguments: 0..<5) func aSnapshotIsTheFrameOnScreenThen(film: Int) async throws {
        let extractor = extractor(try NumberedVideo.clip(Self.films[film].ext, codec: Self.films[film].codec))
        let start = try await extractor.open().startTime
        // The middles of pictures, forwards and backwards, and first and last.
        for number in [0, 1, 49, 50, 51, 137, 12, 13, 149, 150, 99, 3, 199] {
            let picture = await extractor.snapshot(at: start + .seconds((Double(number) + 0.5) / 25))
            #expect(picture.map { NumberedVideo.number(of: $0.image) } == number)
            #expect(picture?.image.size == PixelSize(width: 160, height: 96))
        }
        await extractor.shutdown()
    }

    @Test func aFrameBeginsExactlyAtItsTime() async throws {
        let extractor = extractor(try NumberedVideo.clip("mp4"))
        for number in [7, 60, 118] {
            let begin = MediaTime.seconds(Double(number) / 25)
            #expect(await extractor.snapshot(at: begin).map { NumberedVideo.number(of: $0.image) } == number)
            let before = MediaTime(nanoseconds: begin.nanoseconds - 1)
            #expect(await extractor.snapshot(at: before).map { NumberedVideo.number(of: $0.image) } == number - 1)
        }
        await extractor.shutdown()
    }

    @Test(arguments: 0..<5) func aThumbnailIsTheKeyFrameAtOrBefore(film: Int) async throws {
        let distances = ["mkv": 50, "mp4": 50, "ts": 50, "mpg": 12, "avi": 25]
        let (ext, codec) = Self.films[film]
        let extractor = extractor(try NumberedVideo.clip(ext, codec: codec))
        let start = try await extractor.open().startTime, distance = try #require(distances[ext])
        for number in [5, 77, 103, 150, 149, 190] {
            let picture = await extractor.thumbnail(at: start + .seconds((Double(number) + 0.5) / 25), maxWidth: 80)
            #expect(picture.map { NumberedVideo.number(of: $0.image) } == number / distance * distance)
            #expect(picture?.image.size == PixelSize(width: 80, height: 48))
        }
        await extractor.shutdown()
    }

    /// Shapes of pixels up to ten to one are believed, and make a still larger; beyond that they are garbage.
    @Test(arguments: [("10", 640, 48), ("1/10", 64, 480), ("100", 64, 48), ("1/100", 64, 48), ("11", 64, 48)])
    func aShapeThatNoPixelHasIsNotBelieved(_ aspect: String, _ width: Int, _ height: Int) async throws {
        let clip = try Fixtures.clip(
            ["-f", "lavfi", "-i", "testsrc=size=64x48:rate=5:duration=1", "-vf", "setsar=\(aspect)", "-c:v", "libx264"],
            ext: "mkv")
        let extractor = extractor(clip)
        #expect(await extractor.snapshot(at: .zero)?.image.size == PixelSize(width: width, height: height))
        let small = await extractor.thumbnail(at: .zero, maxWidth: 32)?.image.size
        #expect(small == PixelSize(width: 32, height: max(1, height * 32 / width)))
        await extractor.shutdown()
    }

    @Test(arguments: [(5000, 16, 5000, 16), (16, 6000, 16, 6000), (9000, 18, 8192, 16)])
    func aStillOfMoreThan4KIsWhole(_ width: Int, _ height: Int, _ shownWidth: Int, _ shownHeight: Int) async throws {
        let clip = try Fixtures.clip(
            ["-f", "lavfi", "-i", "color=size=\(width)x\(height):rate=1:duration=1", "-c:v", "ffv1", "-frames:v", "1"], ext: "mkv"
        )
        let extractor = extractor(clip)
        let picture = await extractor.snapshot(at: .zero)
        #expect(picture?.image.size == PixelSize(width: shownWidth, height: shownHeight))
        await extractor.shutdown()
    }

    @Test func aStillIsNeverMoreThanFitsIntoMemory() {
        let huge = StillSize.box(PixelSize(width: 16384, height: 16384), within: nil)
        #expect(huge == PixelSize(width: 8192, height: 4608))
        #expect(StillSize.box(PixelSize(width: 7680, height: 4320), within: nil) == PixelSize(width: 7680, height: 4320))
    }

    @Test func whatWasDecodedOnceIsNotDecodedAgain() async throws {
        let extractor = extractor(try NumberedVideo.clip("mkv"))
        for second in [2.1, 3.9, 2.5, 3.0, 2.0] { #expect(await extractor.thumbnail(at: .seconds(second))?.time == .seconds(2)) }
        #expect(extractor.decodeCount == 1)
        _ = await extractor.snapshot(at: .seconds(3))
        _ = await extractor.snapshot(at: .seconds(3.03))
        #expect(extractor.decodeCount == 2)
        await extractor.shutdown()
    }

    @Test func ofABurstOfHundredAtMostThreeAreDecodedAndTheLastIsAnswered() async throws {
        // A clock by which the hand does not rest before it is told to, however long the machine takes for the burst.
        let time = ManualTime(SystemTime().now() + .seconds(3600))
        let extractor = FrameExtractor(.location(.file(try NumberedVideo.clip("mkv"))), time: time)
        await extractor.prewarm()
        time.advance(by: .seconds(1))
        let answers = Monitor<[Int: ExtractedStill?]>([:])
        for number in 0..<100 {
            extractor.requestThumbnail(at: .seconds(Double(number) * 0.07)) { result in
                answers.update { answers in
                    if case .success(let picture) = result {
                        answers[number] = .some(picture)
                    } else {
                        answers[number] = .some(nil)
                    }
                }
            }
        }
        time.advance(by: ExtractionQueue.rest)
        extractor.lookAtTheClock()
        let all: [Int: ExtractedStill?]? = answers.wait(until: SystemTime().now() + .seconds(60)) { $0.count == 100 ? $0 : nil }
        #expect(all?[99]??.time == .seconds(6))
        #expect(extractor.decodeCount <= 3)
        await extractor.shutdown()
    }

    @Test func whatIsIdleForTenSecondsIsClosedAndOpensAgain() async throws {
        let time = ManualTime(SystemTime().now())
        let extractor = FrameExtractor(.location(.file(try NumberedVideo.clip("mkv"))), time: time)
        _ = await extractor.thumbnail(at: .seconds(1))
        time.advance(by: .seconds(9))
        extractor.lookAtTheClock()
        #expect(await extractor.thumbnail(at: .seconds(5)) != nil)
        #expect(extractor.openings == 1)
        time.advance(by: .seconds(11))
        extractor.lookAtTheClock()
        #expect(await extractor.thumbnail(at: .seconds(7)) != nil)
        #expect(extractor.openings == 2)
        await extractor.shutdown()
        #expect(extractor.openContexts == 0)
    }

    @Test func afterShutdownThereAreNoFrames() async throws {
        let extractor = extractor(try NumberedVideo.clip("mkv"))
        await extractor.shutdown()
        #expect(await extractor.thumbnail(at: .seconds(1)) == nil)
        await extractor.shutdown()
    }

    @Test(arguments: ["nothing.mkv", "/dev/null", "/"]) func whatIsNoVideoGivesNoFrame(path: String) async {
        let extractor = extractor(path)
        #expect(await extractor.thumbnail(at: .zero) == nil)
        #expect(await extractor.snapshot(at: .zero) == nil)
        await extractor.shutdown()
    }

    @Test func soundHasNoPictures() async throws {
        let extractor = extractor(try Clips.tone(1))
        #expect(await extractor.thumbnail(at: .zero) == nil)
        await extractor.shutdown()
    }

    /// In a process of its own: other suites open files in this one.
    @Test func hundredsOfFramesLeaveNothingBehind() async {
        await #expect(processExitsWith: .success) {
            let path = try NumberedVideo.clip("mp4")
            func round(_ count: Int) async {
                let extractor = FrameExtractorTests().extractor(path)
                for number in 0..<count {
                    if number % 3 == 0 {
                        _ = await extractor.snapshot(at: .seconds(Double(number % 190) / 25))
                    } else {
                        _ = await extractor.thumbnail(at: .seconds(Double(number % 8)), maxWidth: 16 + number % 64)
                    }
                }
                await extractor.shutdown()
            }
            await round(20)
            let descriptors = try FrameExtractorTests.entries("/proc/self/fd"), contexts = MediaBalance.contexts.current
            await round(200)
            #expect(try FrameExtractorTests.entries("/proc/self/fd") <= descriptors)
            #expect(MediaBalance.contexts.current <= contexts)
        }
    }

    fileprivate static func entries(_ path: String) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: path).count
    }

    @Test func neverKeepsMoreThanItsBytes() async throws {
        let path = try NumberedVideo.clip("mp4")
        let extractor = FrameExtractor(
            StillOrigin(.location(.file(path))), time: SystemTime(), thumbnailBytes: 50_000, snapshotBytes: 150_000)
        for number in 0..<60 {
            _ = await extractor.snapshot(at: .seconds(Double(number * 7 % 190) / 25))
            _ = await extractor.thumbnail(at: .seconds(Double(number % 8)), maxWidth: 40 + number)
            #expect(extractor.heldBytes.thumbnails <= 50_000 && extractor.heldBytes.snapshots <= 150_000)
        }
        await extractor.shutdown()
    }

    // MARK: - Beside a player

    @Test(arguments: [true, false]) func whatThePlayerHoldsNeedsNoSource(isSeekable: Bool) async throws {
        let path = try NumberedVideo.clip("mkv")
        // It gives no second reader, as a pipe.
        let reader = CountingReader(try #require(try MediaLocation.file(path).openReader()), isSeekable: isSeekable)
        let screening = Screening()
        try await screening.engine.load(.custom(reader, name: path), options: Screening.options { $0.audioOutput = .none })
        #expect(await screening.reaches(.ended))
        let calls = reader.calls.current
        let extractor = try #require(screening.engine.makeFrameExtractor())
        for number in [3, 120, 57, 199] {
            let point = MediaTime.seconds((Double(number) + 0.5) / 25)
            #expect(await extractor.snapshot(at: point).map { NumberedVideo.number(of: $0.image) } == number)
            #expect(await extractor.thumbnail(at: point).map { NumberedVideo.number(of: $0.image) } == number / 50 * 50)
        }
        #expect(reader.calls.current == calls)
        await extractor.shutdown()
        await screening.engine.stop()
    }

    /// A broadcast that leaps by two hours is played without the hole: a still of a point is what was on screen then.
    @Test func behindALeapOfTheSourcesTimesAStillIsWhatWasOnScreen() async throws {
        let film = try NumberedVideo.clip("ts")
        let parts = [
            // Before the next key frame, which would be there twice.
            try Fixtures.clip(["-i", film, "-t", "3.9", "-c", "copy"], ext: "ts"),
            try Fixtures.clip(["-ss", "4", "-i", film, "-c", "copy", "-output_ts_offset", "7204"], ext: "ts"),
        ]
        let bytes = try BentClips.glued(parts)
        let screening = Screening()
        try await screening.engine.load(
            .custom(MemoryReader(bytes), name: "leap.ts"),
            options: Screening.options { ($0.audioOutput, $0.isUntimed, $0.cacheBytes) = (.none, true, 0) })
        #expect(await screening.reaches(.ended))
        let times = screening.times
        try #require(times.count == 200)
        let extractor = try #require(screening.engine.makeFrameExtractor())
        for number in [10, 90, 120, 151, 199] {
            let point = times[number] + .milliseconds(10)
            #expect(await extractor.snapshot(at: point).map { NumberedVideo.number(of: $0.image) } == number)
            #expect(await extractor.thumbnail(at: point).map { NumberedVideo.number(of: $0.image) } == number / 50 * 50)
        }
        await extractor.shutdown()
        await screening.engine.stop()
    }

    @Test func whatAPipeGivesNoLongerIsNotExtracted() async throws {
        let path = try NumberedVideo.clip("mkv")
        let reader = CountingReader(try #require(try MediaLocation.file(path).openReader()), isSeekable: false)
        let screening = Screening()
        try await screening.engine.load(
            .custom(reader, name: path), options: Screening.options { ($0.audioOutput, $0.cacheBytes) = (.none, 0) })
        #expect(await screening.reaches(.ended))
        let extractor = try #require(screening.engine.makeFrameExtractor())
        #expect(await extractor.thumbnail(at: .seconds(1)) == nil)
        await extractor.shutdown()
        await screening.engine.stop()
        #expect(screening.engine.makeFrameExtractor() == nil)
    }
}
