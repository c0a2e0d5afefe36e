import AetherCore
import AetherTestSupport
import Testing

@testable import AetherEngine

@Suite struct StillStoreTests {
    private func picture(_ seconds: Double, side: Int = 10) -> ExtractedStill {
        ExtractedStill(image: RasterImage(width: side, height: side), time: .seconds(seconds))
    }
    private let box = PixelSize(width: 320, height: 0)

    @Test func aFrameAnswersForItsStretchAndForNothingElse() {
        var store = StillStore(limit: 10_000)
        store.insert(picture(2), box: box, from: .seconds(2), to: .seconds(2.5))
        #expect(store.still(at: .seconds(2.3), box: box)?.time == .seconds(2))
        #expect(store.still(at: .seconds(2.6), box: box) == nil)
        #expect(store.still(at: .seconds(1.9), box: box) == nil)
        #expect(store.still(at: .seconds(2.3), box: PixelSize(width: 160, height: 0)) == nil)
    }

    @Test func whatIsFoundToLeadToTheSameKeyFrameIsRemembered() {
        var store = StillStore(limit: 10_000)
        store.insert(picture(2), box: box, from: .seconds(2), to: .seconds(2.5))
        #expect(store.still(from: .seconds(2), covering: .seconds(3.5), box: box) != nil)
        #expect(store.still(at: .seconds(3.2), box: box)?.time == .seconds(2))
        #expect(store.still(from: .seconds(4), covering: .seconds(4.5), box: box) == nil)
    }

    @Test func whatWasLongestNotAskedForGoesFirst() {
        var store = StillStore(limit: 3 * (400 + 128))
        for second in 0..<3 {
            store.insert(picture(Double(second)), box: box, from: .seconds(Double(second)), to: .seconds(Double(second)))
        }
        #expect(store.still(at: .seconds(0), box: box) != nil)
        store.insert(picture(3), box: box, from: .seconds(3), to: .seconds(3))
        #expect(store.still(at: .seconds(1), box: box) == nil)
        #expect(store.still(at: .seconds(0), box: box) != nil && store.still(at: .seconds(2), box: box) != nil)
    }

    @Test func neverHoldsMoreBytesThanItsLimit() {
        var random = SeededRandom(seed: 5)
        for limit in [0, 500, 5_000, 60_000] {
            var store = StillStore(limit: limit)
            for _ in 0..<2000 {
                let start = Double(random.next() % 50), side = Int(random.next() % 40) + 1
                store.insert(picture(start, side: side), box: box, from: .seconds(start), to: .seconds(start + 1))
                _ = store.still(at: .seconds(Double(random.next() % 50)), box: box)
                #expect(store.byteCount <= limit)
            }
            #expect((store.count == 0) == (store.byteCount == 0))
        }
    }
}
