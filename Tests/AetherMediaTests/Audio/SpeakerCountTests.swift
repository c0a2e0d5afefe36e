import Testing

@testable import AetherMedia

@Suite struct SpeakerCountTests {
    @Test(arguments: [
        (1, [1]), (2, [2]), (3, [3, 6, 8, 2]), (5, [5, 6, 8, 4, 2]), (6, [6, 8, 5, 4, 2]), (7, [7, 8, 6, 5, 4, 2]),
        (8, [8, 6, 5, 4, 2]), (16, [16, 8, 6, 5, 4, 2]),
    ]) func moreSpeakersAreBetterThanFewer(_ wanted: Int, _ counts: [Int]) {
        #expect(ALSAChannelMap.counts(for: wanted) == counts)
    }

    /// A device that does not say what it has takes seven channels for six and one that goes nowhere.
    @Test(
        arguments: [
            ([true], 7, true), ([nil], 7, false), ([false], 7, false), ([nil], 8, true), ([false, true], 6, true),
            ([false, false], 6, false), ([nil, nil], 3, false),
        ] as [([Bool?], Int, Bool)]) func aCountIsAskedForWhereItsPlacesAreKnown(_ offers: [Bool?], _ count: Int, _ isFit: Bool)
    {
        #expect(ALSAChannelMap.isFit(offers: offers, count: count) == isFit)
    }
}
