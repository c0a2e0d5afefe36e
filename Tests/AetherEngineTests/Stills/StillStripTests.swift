import AetherCore
import AetherFormats
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine

@Suite struct StillStripTests {
    private func entry(_ seconds: Double, _ count: Int = 10) -> StillStrip.Entry {
        StillStrip.Entry(time: .seconds(seconds), data: [UInt8](repeating: UInt8(seconds), count: count))
    }
    private func strip(_ seconds: [Double], _ count: Int = 10) -> StillStrip {
        var strip = StillStrip()
        for second in seconds { strip.insert(entry(second, count)) }
        return strip
    }

    @Test func keepsTheOrderOfTimesAndEachOnce() {
        #expect(strip([3, 1, 2, 1]).entries.map(\.time.seconds) == [1, 2, 3])
    }

    @Test func theNearestIsFoundIfItIsNearEnough() {
        let strip = strip([0, 10, 20])
        #expect(strip.nearest(to: .seconds(14), within: .seconds(5))?.time == .seconds(10))
        #expect(strip.nearest(to: .seconds(30), within: .seconds(5)) == nil)
        #expect(StillStrip().nearest(to: .zero, within: .seconds(5)) == nil)
    }

    @Test func isReadAsItWasWritten() { #expect(StillStrip(strip([1, 2, 3]).bytes) == strip([1, 2, 3])) }

    @Test func whatIsCutOrChangedIsRefusedAndNeverTraps() {
        let bytes = strip([1, 2, 3]).bytes
        for count in 0..<bytes.count { #expect(StillStrip(Array(bytes.prefix(count))) == nil) }
        #expect(StillStrip(bytes + [0]) == nil)
        var random = SeededRandom(seed: 8)
        for _ in 0..<2000 {
            var damaged = bytes
            damaged[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
            _ = StillStrip(damaged)
        }
    }

    // MARK: On disk

    @Test func aVideoIsKnownByItsFileAndNotByItsName() throws {
        let folder = try TemporaryFolder()
        try Data([1, 2, 3]).write(to: URL(filePath: folder.path("a.mkv")))
        let identity = try #require(StripStore.identity(of: folder.path("a.mkv")))
        try FileManager.default.moveItem(atPath: folder.path("a.mkv"), toPath: folder.path("b.mkv"))
        #expect(StripStore.identity(of: folder.path("b.mkv")) == identity)
        try Data([1, 2, 3, 4]).write(to: URL(filePath: folder.path("b.mkv")))
        #expect(StripStore.identity(of: folder.path("b.mkv")) != identity)
        #expect(StripStore.identity(of: folder.url.path) == nil && StripStore.identity(of: "/nothing") == nil)
    }

    @Test func whatTwoPlayersKeepIsKeptTogether() throws {
        let store = StripStore(directory: try TemporaryFolder().path("a/b"))
        #expect(store.strip("film") == StillStrip())
        #expect(store.keep(strip([1, 3]), "film") && store.keep(strip([2]), "film"))
        #expect(store.strip("film").entries.map(\.time.seconds) == [1, 2, 3])
        #expect(try FileManager.default.contentsOfDirectory(atPath: store.directory) == ["film.strip"])
    }

    @Test func manyAtOnceLeaveAWholeFileAndLoseNothing() throws {
        let store = StripStore(directory: try TemporaryFolder().path("cache"))
        let threads = (0..<4).map { number in
            WorkerThread(name: "store") {
                for second in 0..<20 { store.keep(self.strip([Double(number * 20 + second)]), "film") }
            }
        }
        for thread in threads { thread.join() }
        let strip = store.strip("film")
        #expect(strip.entries.map(\.time.seconds) == (0..<80).map(Double.init))
        #expect(try FileManager.default.contentsOfDirectory(atPath: store.directory) == ["film.strip"])
    }

    @Test func neverTakesMoreThanItsRoom() throws {
        let store = StripStore(directory: try TemporaryFolder().path("cache"), limit: 50_000)
        for film in 0..<30 {
            store.keep(strip([1], 9000), "film\(film)")
            let names = try FileManager.default.contentsOfDirectory(atPath: store.directory)
            #expect(names.count <= 5 && names.contains("film\(film).strip"))
        }
    }

    /// Drafts of a player that was killed count, for they are ours; somebody's letters do not.
    @Test func onlyWhatIsOursIsDropped() throws {
        let store = StripStore(directory: try TemporaryFolder().path("cache"), limit: 20_000)
        store.keep(strip([1], 9000), "first")
        for name in ["letter.txt", ".first.1.2.draft"] {
            try Data(count: 50_000).write(to: URL(filePath: store.directory + "/" + name))
        }
        store.keep(strip([1], 9000), "second")
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: store.directory)) == ["letter.txt", "second.strip"])
    }

    @Test func aDirectoryThatCannotBeWrittenKeepsNothing() {
        #expect(!StripStore(directory: "/proc/nothing").keep(strip([1]), "film"))
    }

    // MARK: Where and when

    @Test(arguments: [(3, 1), (20, 4), (120, 24), (500, 100), (20_000, 100)])
    func aStripIsSparse(seconds: Int, count: Int) {
        let plan = StripPlan(start: .seconds(10), duration: .seconds(Double(seconds)))
        #expect(plan.points.count == count && Set(plan.points.map(\.nanoseconds)).count == count)
        #expect(plan.points.allSatisfy { $0 > .seconds(10) && $0 < .seconds(10 + Double(seconds)) })
    }

    @Test func aStripThatIsNotFinishedCoversAllOfTheVideo() {
        let points = StripPlan(start: .zero, duration: .seconds(1000)).points.prefix(13).map(\.seconds).sorted()
        #expect(zip(points, points.dropFirst()).allSatisfy { $1 - $0 < 170 })
    }

    @Test func aPlayerThatDropsFramesIsLeftAlone() {
        var policy = FillPolicy()
        var snapshot = EngineSnapshot()
        func note(_ phase: PlaybackPhase, drops: Int, at seconds: Double) -> Bool {
            snapshot.phase = phase
            snapshot.telemetry = LiveTelemetry()
            snapshot.telemetry?.droppedLateDecode = drops
            return policy.note(snapshot, at: HostTime(nanoseconds: 0) + .seconds(seconds))
        }
        #expect(!note(.playing, drops: 0, at: 0))
        #expect(note(.playing, drops: 0, at: 3))
        #expect(!note(.playing, drops: 1, at: 4))
        #expect(!note(.playing, drops: 1, at: 6))
        #expect(note(.playing, drops: 1, at: 9))
        #expect(!note(.seeking, drops: 1, at: 10))
        #expect(!note(.paused, drops: 1, at: 11))
        #expect(note(.paused, drops: 1, at: 15))
    }

    @Test func stillsOfAStreamWaitForItsBuffer() {
        var policy = FillPolicy()
        var snapshot = EngineSnapshot()
        snapshot.variants = [MediaVariant(Variant(id: "1", rendition: "r", peakBitRate: 1_000_000), audio: [])]
        (snapshot.phase, snapshot.position, snapshot.duration) = (.playing, .seconds(10), .seconds(100))
        snapshot.telemetry = LiveTelemetry()
        func note(ahead: Double, at seconds: Double) -> Bool {
            snapshot.bufferedPosition = snapshot.position + .seconds(ahead)
            return policy.note(snapshot, at: HostTime(nanoseconds: 0) + .seconds(seconds))
        }
        #expect(!note(ahead: 10, at: 0) && !note(ahead: 10, at: 4))
        #expect(FillPolicy.mayFetch(snapshot), "one that somebody looks for needs less")
        #expect(!note(ahead: 25, at: 5) && note(ahead: 25, at: 8))
        #expect(!note(ahead: 4, at: 9) && !FillPolicy.mayFetch(snapshot))
        snapshot.position = .seconds(96)
        #expect(!note(ahead: 4, at: 10) && note(ahead: 4, at: 13) && FillPolicy.mayFetch(snapshot), "all is held")
        snapshot.variants = []
        #expect(note(ahead: 1, at: 14), "a file gives what it has at once")
    }

    @Test func aStreamOfAnotherLengthHasAnotherStrip() {
        let names = ["https://a.example/m.mpd", "https://a.example/n.mpd"].flatMap { url in
            [10, 11].map { StripStore.identity(of: url, duration: .seconds($0)) }
        }
        #expect(Set(names).count == 4)
        #expect(names.allSatisfy { !$0.contains("/") && !$0.contains("example") })
    }
}
