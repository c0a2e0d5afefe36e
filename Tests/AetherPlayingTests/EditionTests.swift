import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Glibc
import Testing

@testable import AetherEngine
@testable import AetherEngineTests

/// Editions of Matroska: libavformat drops their borders, flags and order, so these are read by ourselves.
@Suite(.serialized) struct EditionTests {
    private static func english(_ name: String) -> [(String, String)] { [("eng", name), ("ger", name + "!")] }

    private static let editions = [
        EBML.edition(7, [EBML.atom(0, nil, english("One")), EBML.atom(2, nil, english("Two"))]),
        EBML.edition(8, isHidden: true, [EBML.atom(0, nil, english("Nobody sees it"))]),
        EBML.edition(
            9, isDefault: true, isOrdered: true, name: "Short\u{1B}[2J cut",
            [
                EBML.atom(3, 3.6, english("End")), EBML.atom(1, 1.2, english("Begin")), EBML.atom(1.2, 1.6, isHidden: true),
                EBML.atom(0, 9, english("Elsewhere"), segment: [1, 2]),
            ]),
    ]

    @Test func editionsAreTitles() async throws {
        let folder = try TemporaryFolder()
        let path = try EditionVideo.make(from: try Clips.film(), in: folder, Self.editions)
        let screening = try await Screening.of(path) {
            $0.autoplay = false
            $0.subtitleLanguages = ["de"]
        }
        let first = screening.snapshot
        #expect(first.titles.map(\.name) == ["", "Short[2J cut", ""] && first.titles.map(\.isHidden) == [false, false, true])
        #expect(first.titles.allSatisfy { $0.kind == .edition })
        // The one that the file marks, and what it leaves out is said.
        #expect(first.activeTitle == 2 && first.chapters.map(\.name) == ["End!", "Begin!"])
        #expect(first.titles[1].playingTime == .seconds(1.2))
        // A busy machine may have said something else since.
        #expect(await screening.eventually { $0.snapshot.notices.contains { $0.text.contains("another file") } })
        #expect(await screening.shows(.seconds(3)))
        #expect(first.activeVideoTrack != nil && first.activeAudioTrack != nil)
        // It plays the end before the beginning, and no more than these.
        screening.engine.play()
        #expect(await screening.reaches(.ended))
        let times = screening.times.map(\.seconds)
        let turn = try #require(zip(times, times.dropFirst()).enumerated().first { $0.element.1 < $0.element.0 }?.offset)
        #expect(times[...turn].allSatisfy { (2.99..<3.6).contains($0) }, "\(times)")
        #expect(times[(turn + 1)...].allSatisfy { (0.99..<1.6).contains($0) }, "\(times)")
        let isWhole = times[turn] > 3.5 && (times.last ?? 0) > 1.5 && times[turn + 1] < 1.05
        #expect(isWhole || !screening.punctuality.kept(.milliseconds(20)), "\(times)")
        // The other is the whole film.
        screening.engine.pause()
        #expect(await screening.say(.selectTitle(1)))
        #expect(screening.snapshot.chapters.map(\.name) == ["One!", "Two!"] && screening.snapshot.activeTitle == 1)
        #expect(await screening.say(.seek(to: .seconds(2), .exact)))
        #expect(await screening.shows(.seconds(2)))
        // The hidden one can be chosen, too.
        // Both are the whole film: nothing is sought.
        screening.engine.send(.selectTitle(3))
        #expect(await screening.eventually { $0.snapshot.activeTitle == 3 })
        #expect(screening.snapshot.chapters.map(\.name) == ["Nobody sees it!"] && screening.snapshot.activeTitle == 3)
        await screening.engine.stop()
    }

    @Test func oneEditionIsNoChoice() async throws {
        let folder = try TemporaryFolder()
        let nested = EBML.edition(7, [EBML.atom(0, nil, [("eng", "Part")], [EBML.atom(2, nil, [("eng", "Scene")])])])
        let path = try EditionVideo.make(from: try Clips.film(), in: folder, [nested])
        let screening = try await Screening.of(path) { $0.autoplay = false }
        #expect(screening.snapshot.titles.isEmpty && screening.snapshot.activeTitle == nil)
        #expect(screening.snapshot.chapters.map(\.name) == ["Part", "Scene"])
        #expect(await screening.say(.stepChapter(1)))
        #expect(await screening.shows(.seconds(2)))
        await screening.engine.stop()
    }

    /// Not even one of which nobody knows it: what is played is not the whole file.
    @Test func aSingleOrderedEditionIsFollowed() async throws {
        let folder = try TemporaryFolder()
        let only = EBML.edition(7, isOrdered: true, [EBML.atom(2, 2.4, [("eng", "A")]), EBML.atom(0.4, 0.8, [("eng", "B")])])
        let path = try EditionVideo.make(from: try Clips.film(), in: folder, [only])
        let screening = try await Screening.of(path)
        #expect(screening.snapshot.titles.isEmpty && screening.snapshot.chapters.map(\.name) == ["A", "B"])
        #expect(await screening.reaches(.ended))
        #expect(screening.times.allSatisfy { (1.99..<2.4).contains($0.seconds) || (0.39..<0.8).contains($0.seconds) })
        await screening.engine.stop()
    }

    /// Bytes that come once cannot be looked at before: the list is libavformat's.
    @Test func aPipeHasTheChaptersOfLibavformat() async throws {
        let folder = try TemporaryFolder()
        let path = try EditionVideo.make(from: try Clips.film(), in: folder, Self.editions)
        let screening = Screening()
        let descriptor = open(path, O_RDONLY)
        try #require(descriptor >= 0)
        let reader = PipeReader(descriptor: descriptor, owning: true)
        try await screening.engine.load(.custom(reader, name: "a.mkv"), options: Screening.options { $0.autoplay = false })
        #expect(screening.snapshot.titles.isEmpty && !screening.snapshot.chapters.isEmpty)
        await screening.engine.stop()
    }
}
