import AetherCore
import Testing

@testable import AetherEngine

struct ChapterStepTests {
    private let starts = [0, 30, 60].map { MediaTime.seconds($0) }

    @Test(arguments: [
        // At the source's first time stamp, which may lie a little before the first chapter, one is in it.
        (-0.007, 1, 1), (0, 1, 1), (29.5, 1, 1), (29.95, 1, 2), (30, 1, 2), (45, 1, 2),
        (2, -1, 0), (31, -1, 0), (34, -1, 1), (61, -1, 1), (64, -1, 2),
    ])
    func leads(_ position: Double, _ count: Int, _ chapter: Int) {
        #expect(ChapterStep.destination(from: .seconds(position), count: count, starts: starts) == chapter)
    }

    @Test func beyondTheLastThereIsNothing() {
        #expect(ChapterStep.destination(from: .seconds(60), count: 1, starts: starts) == nil)
        #expect(ChapterStep.destination(from: .zero, count: 1, starts: []) == nil)
        #expect(ChapterStep.destination(from: .seconds(5), count: -1, starts: [.seconds(10)]) == nil)
        #expect(ChapterStep.destination(from: .seconds(5), count: 1, starts: [.seconds(10)]) == 0)
    }
}
