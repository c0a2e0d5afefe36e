import AetherCore
import Testing

@testable import AetherEngine

struct ChapterStepTests {
    private let chapters = [0, 30, 60].map(chapter)

    private static func chapter(_ start: Double) -> ChapterInfo {
        ChapterInfo(id: 0, name: "", start: .seconds(start), duration: .seconds(30))
    }

    @Test(arguments: [
        // At the source's first time stamp, which may lie a little before the first chapter, one is in it.
        (-0.007, 1, 1), (0, 1, 1), (29.5, 1, 1), (29.95, 1, 2), (30, 1, 2), (45, 1, 2),
        (2, -1, 0), (31, -1, 0), (34, -1, 1), (61, -1, 1), (64, -1, 2),
    ])
    func leads(_ position: Double, _ count: Int, _ chapter: Int) {
        #expect(ChapterStep.destination(from: .seconds(position), count: count, chapters: chapters) == chapter)
    }

    @Test func beyondTheLastThereIsNothing() {
        #expect(ChapterStep.destination(from: .seconds(60), count: 1, chapters: chapters) == nil)
        #expect(ChapterStep.destination(from: .zero, count: 1, chapters: []) == nil)
        #expect(ChapterStep.destination(from: .seconds(5), count: -1, chapters: [Self.chapter(10)]) == nil)
        #expect(ChapterStep.destination(from: .seconds(5), count: 1, chapters: [Self.chapter(10)]) == 0)
    }

    /// In the order of playing, not of time.
    @Test func anEditionThatGoesToAndFro() {
        let cut = [60, 0, 120].map(Self.chapter)
        for (position, index) in [(0.0, 1), (29, 1), (30, nil), (60, 0), (95, nil), (121, 2)] as [(Double, Int?)] {
            #expect(ChapterStep.index(at: .seconds(position), chapters: cut) == index, "\(position)")
        }
        #expect(ChapterStep.destination(from: .seconds(61), count: 1, chapters: cut) == 1)
        #expect(ChapterStep.destination(from: .seconds(1), count: -1, chapters: cut) == 0)
    }
}
