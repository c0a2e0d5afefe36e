import AetherCore
import AetherLibrary
import Testing

@Suite struct ResumePolicyTests {
    /// Seconds left at, of how many, seen to the end, and where it goes on.
    private static let table: [(left: Double, duration: Double?, isFinished: Bool, start: Double?)] = [
        (600, 5400, false, 600),
        (271, 5400, false, 271),
        // Within the first and the last twentieth.
        (270, 5400, false, nil),
        (5130, 5400, false, nil),
        (5129, 5400, false, 5129),
        // A song.
        (120, 240, false, nil),
        (150, 300, false, nil),
        (150, 301, false, 150),
        (600, 5400, true, nil),
        // Of unknown length: a recording in progress.
        (600, nil, false, 600),
        (301, nil, false, 301),
        (300, nil, false, nil),
        (600, nil, true, nil),
        (600, 0, false, nil),
        (6000, 5400, false, nil),
        (-5, 5400, false, nil),
    ]

    @Test(arguments: table) func aVideoGoesOnWhereItWasLeftInItsMiddle(
        _ row: (left: Double, duration: Double?, isFinished: Bool, start: Double?)
    ) {
        let start = ResumePolicy().position(
            left: .seconds(row.left), of: row.duration.map { .seconds($0) }, isFinished: row.isFinished)
        #expect(start == row.start.map { .seconds($0) })
    }

    @Test func whoLeavesInTheCreditsHasSeenIt() {
        #expect(ResumePolicy().isFinished(left: .seconds(5130), of: .seconds(5400)))
        #expect(!ResumePolicy().isFinished(left: .seconds(5129), of: .seconds(5400)))
        #expect(!ResumePolicy().isFinished(left: .seconds(5129), of: nil))
        #expect(!ResumePolicy().isFinished(left: .zero, of: .zero))
    }
}
