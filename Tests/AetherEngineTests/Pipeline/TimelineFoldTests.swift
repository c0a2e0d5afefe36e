import AetherCore
import Testing

@testable import AetherEngine

struct TimelineFoldTests {
    private func time(_ seconds: Double) -> MediaTime { .seconds(seconds) }

    @Test func anOrdinaryStreamIsLeftAlone() {
        var fold = TimelineFold()
        // B-frames' decode times rise; a reordered container may step back by seconds.
        for seconds in [0, 0.04, 0.08, 5, 1, 5.04, 700, 701] {
            #expect(fold.offset(stream: 0, time: time(seconds)) == .zero)
        }
        #expect(fold.seams == 0)
    }

    @Test func filesGluedTogetherPlayOn() {
        var fold = TimelineFold()
        for second in 0...60 {
            #expect(fold.offset(stream: 0, time: time(Double(second))) == .zero)
            #expect(fold.offset(stream: 1, time: time(Double(second) + 0.01)) == .zero)
        }
        // The second part begins at 1.4 s again, one stream after the other.
        let offset = fold.offset(stream: 1, time: time(1.4))
        #expect(time(1.4) + offset == time(60.05))
        // The last packet of the first part of the other stream, late in the interleaving, stays where it was.
        #expect(fold.offset(stream: 0, time: time(60.5)) == .zero)
        #expect(fold.offset(stream: 0, time: time(1.4)) == offset)
        #expect(fold.offset(stream: 1, time: time(2.4)) == offset)
        #expect(fold.seams == 1)
    }

    @Test func aSecondSeamIsCountedFromTheFirst() {
        var fold = TimelineFold()
        _ = fold.offset(stream: 0, time: time(100))
        let first = fold.offset(stream: 0, time: time(0))
        for seconds in 10...50 { _ = fold.offset(stream: 0, time: time(Double(seconds))) }
        let second = fold.offset(stream: 0, time: time(0))
        #expect(time(0) + first > time(100) && time(0) + second > time(50) + first)
        #expect(fold.seams == 2)
    }

    @Test func onePacketWithADamagedTimeIsNoSeam() {
        var fold = TimelineFold()
        for seconds in [0, 0.04, 95_443, 95_443.04, 95_460, 0.12, 0.16, 0.2] {
            #expect(fold.offset(stream: 0, time: time(seconds)) == .zero)
            #expect(fold.offset(stream: 1, time: time(min(seconds, 0.3))) == .zero)
        }
        #expect(fold.seams == 0)
        // The next real one is still found.
        for seconds in 1...30 { #expect(fold.offset(stream: 0, time: time(Double(seconds))) == .zero) }
        #expect(time(1.4) + fold.offset(stream: 0, time: time(1.4)) > time(30))
        #expect(fold.seams == 1)
    }

    @Test func aSeekForgetsTheSeams() {
        var fold = TimelineFold()
        _ = fold.offset(stream: 0, time: time(100))
        _ = fold.offset(stream: 0, time: time(0))
        fold.reset()
        #expect(fold.offset(stream: 0, time: time(3)) == .zero)
    }
}
