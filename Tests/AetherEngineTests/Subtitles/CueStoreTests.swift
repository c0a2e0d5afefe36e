import AetherCore
import AetherMedia
import Testing

@testable import AetherEngine

@Suite struct CueStoreTests {
    private let track = TrackID(.container, 2)

    private func add(_ store: CueStore, _ start: Double, _ end: Double?, _ line: String, track: TrackID? = nil) {
        store.add(
            DecodedSubtitle(start: .seconds(start), end: end.map { .seconds($0) }, lines: line.isEmpty ? [] : [line]),
            track: track ?? self.track)
    }
    private func lines(_ store: CueStore, at time: Double) -> [String] {
        store.visible(track: track, at: .seconds(time)).flatMap(\.lines)
    }
    private func change(_ store: CueStore, after time: Double) -> Double? {
        store.nextChange(track: track, after: .seconds(time))?.seconds
    }

    @Test func aCueStandsFromItsStartUntilItsEnd() {
        let store = CueStore()
        add(store, 1, 2, "one")
        add(store, 2, 3, "two")
        let table: [(time: Double, lines: [String], change: Double?)] = [
            (0.999, [], 1), (1, ["one"], 2), (1.999, ["one"], 2), (2, ["two"], 3), (3, [], nil),
        ]
        for row in table {
            #expect(lines(store, at: row.time) == row.lines)
            #expect(change(store, after: row.time) == row.change)
        }
        #expect(store.visible(track: TrackID(.container, 3), at: .seconds(1)).isEmpty)
        #expect(store.nextChange(track: TrackID(.container, 3), after: .zero) == nil)
    }

    @Test func aSourceThatPlaysOnceMoreHasItsCuesFromTheStart() throws {
        let store = CueStore()
        store.advance(to: .zero)
        add(store, 1, 2, "one")
        add(store, 3, nil, "two")
        store.advance(to: .seconds(4))
        let again = CueStore(former: store), before = store.cues(track: track)
        #expect(again.cues(track: track) == before && again.listing(of: track).spans == [.zero ... .seconds(4)])
        again.advance(to: .zero)
        add(again, 1, 2, "one")
        add(again, 3, nil, "two")
        #expect(again.cues(track: track) == before && again.listing(of: track).spans == [.zero ... .seconds(4)])
        // The former one is as it was.
        add(again, 5, 6, "three")
        #expect(store.cues(track: track) == before)
    }

    @Test func theSameLineReadAgainIsTheSameCue() {
        let store = CueStore()
        add(store, 1, 2, "one")
        let first = store.visible(track: track, at: .seconds(1.5))
        for _ in 0..<3 { add(store, 1, 2, "one") }
        #expect(store.visible(track: track, at: .seconds(1.5)) == first)
        add(store, 1, 2, "another at the same time")
        #expect(lines(store, at: 1.5) == ["one", "another at the same time"])
    }

    @Test func cuesReadOutOfOrderAreInOrder() {
        let store = CueStore()
        for start in [5.0, 1, 3, 4, 2] { add(store, start, 10, "\(Int(start))") }
        #expect(lines(store, at: 6) == ["1", "2", "3", "4", "5"])
        #expect(change(store, after: 3.5) == 4)
    }

    @Test func anOpenEndIsClosedByTheNextCue() {
        let store = CueStore()
        add(store, 1, nil, "one")
        #expect(lines(store, at: 5.9) == ["one"])
        #expect(lines(store, at: 6) == [])
        add(store, 3, nil, "two")
        #expect(lines(store, at: 2.9) == ["one"])
        #expect(lines(store, at: 3) == ["two"])
    }

    @Test func anOpenEndReadAgainIsStillClosedByTheNextCue() {
        let store = CueStore()
        add(store, 100, nil, "one")
        // A seek back before the next was read.
        add(store, 90, 91, "earlier")
        add(store, 100, nil, "one")
        add(store, 102, 103, "two")
        #expect(lines(store, at: 101) == ["one"])
        #expect(lines(store, at: 102) == ["two"])
    }

    @Test func openEndsAtTheSameStartAreAllClosed() {
        let store = CueStore()
        add(store, 1, nil, "above")
        add(store, 1, nil, "below")
        add(store, 3, 4, "next")
        #expect(lines(store, at: 2) == ["above", "below"])
        #expect(lines(store, at: 3) == ["next"])
    }

    @Test func aClosedEndStaysClosedWhenReadAgain() {
        let store = CueStore()
        for _ in 0..<2 {
            add(store, 1, nil, "one")
            add(store, 3, nil, "two")
        }
        #expect(lines(store, at: 3.5) == ["two"])
        #expect(lines(store, at: 1.5) == ["one"])
    }

    @Test func emptyAndEndlessAndBrokenTextsDoNoHarm() {
        let store = CueStore()
        add(store, 1, 2, "")
        add(store, 5, 4, "ends before it begins")
        store.add(
            DecodedSubtitle(start: MediaTime(nanoseconds: .max), end: nil, lines: ["far"]), track: track)
        store.add(
            DecodedSubtitle(start: MediaTime(nanoseconds: .min), end: MediaTime(nanoseconds: .max), lines: ["all"]), track: track)
        #expect(lines(store, at: 1.5) == [])
        #expect(lines(store, at: 4.5) == [])
    }

    @Test func aFloodOfCuesIsBounded() {
        let store = CueStore()
        for number in 0..<21_000 { add(store, Double(number), Double(number) + 0.5, "x") }
        #expect(lines(store, at: 20_999.2) == ["x"])
        #expect(lines(store, at: 999.2) == [])
        #expect(store.cues(track: track).count == 20_000)
    }
}
