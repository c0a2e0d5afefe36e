import AetherCore
import Testing

@testable import AetherMedia

@Suite struct SeekRetreatTests {
    private struct Row {
        let name: String
        var target = 9.98
        var isStrict = false
        var isIndexed = true
        /// When decoding begins and when the first frame is shown, seek by seek.
        let found: [(begun: Double, shown: Double)]
        /// Where each of them leads to; nil: it holds.
        let goesTo: [Double?]
    }

    private static let table: [Row] = [
        Row(name: "a frame before the target", found: [(5, 5)], goesTo: [nil]),
        Row(name: "a frame at the target", target: 10, found: [(9.88, 10)], goesTo: [nil]),
        Row(
            name: "a step back from a key frame", target: 10, isStrict: true, found: [(9.88, 10), (0.2, 0.32)],
            goesTo: [9.879, nil]),
        Row(name: "a key frame decoded before and shown behind", found: [(9.88, 10), (0.2, 0.32)], goesTo: [9.879, nil]),
        Row(name: "two key frames back", found: [(9.9, 10.1), (9.6, 10), (5, 5)], goesTo: [9.899, 9.599, nil]),
        Row(
            name: "a search that comes out at the same place", found: [(9.9, 10.1), (9.9, 10.1), (9.9, 10.1), (5, 5)],
            goesTo: [9.899, 7.9, 5.9, nil]),
        Row(
            name: "the beginning is the last resort", target: 1, found: [(1.5, 1.6), (1.5, 1.6), (1.5, 1.6)],
            goesTo: [0.999, 0, nil]),
        Row(name: "the first key frame of the stream", target: 0.05, found: [(-0.08, 0.1)], goesTo: [nil]),
        Row(name: "the same, rounded on its way", target: 0.05, found: [(0.0009, 0.1)], goesTo: [nil]),
        Row(
            name: "a container that is searched", target: 100, isIndexed: false,
            found: [(110, 110), (110, 110), (110, 110), (110, 110), (110, 110), (110, 110), (110, 110)],
            goesTo: [98, 96, 92, 84, 68, 0, nil]),
        Row(name: "a search beyond the end", isIndexed: false, found: [(9e9, 9e9), (7, 7)], goesTo: [7.98, nil]),
    ]

    @Test func decodingBeginsFurtherBackUntilTheFirstFrameHolds() {
        for row in Self.table {
            var retreat = SeekRetreat(
                target: .seconds(row.target), start: .zero, isStrict: row.isStrict, isIndexed: row.isIndexed)
            for (found, point) in zip(row.found, row.goesTo) {
                let next = retreat.next(begun: .seconds(found.begun), shown: .seconds(found.shown))
                #expect(next == point.map { .seconds($0) }, "\(row.name): \(found)")
            }
        }
    }

    @Test func itEndsWhateverIsFound() {
        var retreat = SeekRetreat(target: .seconds(1000), start: .zero)
        var count = 0
        var begun = 1000.0
        while retreat.next(begun: .seconds(begun), shown: .seconds(2000)) != nil {
            count += 1
            begun -= 0.01
            if count > 100 { break }
        }
        #expect(count == SeekRetreat.limit)
    }
}
