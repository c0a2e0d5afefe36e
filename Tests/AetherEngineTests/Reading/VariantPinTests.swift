import AetherCore
import Testing

@testable import AetherEngine

@Suite("Entry of another quality")
struct VariantPinTests {
    private func entry(
        _ turn: VariantTurn, next: Double? = nil, newest: Double? = nil, oldest: Double? = nil, hasVideo: Bool = true
    ) -> (turn: VariantTurn, point: MediaTime) {
        VariantPin(id: nil, turn: turn).entry(
            next: next.map { .seconds($0) }, newest: newest.map { .seconds($0) }, oldest: oldest.map { .seconds($0) },
            hasVideo: hasVideo)
    }

    @Test("At a border it enters a second behind the decoder, else behind what is held, else behind the source's start")
    func border() {
        #expect(entry(.atBorder, next: 10, newest: 15).point == .seconds(11))
        #expect(entry(.atBorder, newest: 15, oldest: 2).point == .seconds(16))
        #expect(entry(.atBorder, oldest: 2).point == .seconds(3))
        #expect(entry(.atBorder).point == .seconds(1))
    }

    @Test("At once it enters half a second behind the decoder, and no further than packets are held")
    func atOnce() {
        #expect(entry(.atOnce, next: 10, newest: 15) == (.atOnce, .seconds(10.5)))
        #expect(entry(.atOnce, next: 10, newest: 10.2) == (.atOnce, .seconds(10.2)))
        // Times of decoding rise, those of a stream that is bent may not.
        #expect(entry(.atOnce, next: 10, newest: 9) == (.atOnce, .seconds(10)))
    }

    @Test("Audio alone goes over at a border: nothing is heard twice")
    func audio() {
        #expect(entry(.atOnce, next: 10, newest: 15, hasVideo: false) == (.atBorder, .seconds(11)))
    }
}
