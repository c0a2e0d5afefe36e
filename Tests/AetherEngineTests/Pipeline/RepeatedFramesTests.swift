import AetherCore
import Testing

@testable import AetherEngine

@Suite("Frames of two qualities")
struct RepeatedFramesTests {
    /// The former quality was given packets up to 2 s, and its frames up to 1.5 s were handed on.
    private func former() -> RepeatedFrames {
        var repeats = RepeatedFrames()
        for time in [0, 1, 2, 1.8] { repeats.noteSent(.seconds(time)) }
        for time in [0, 1.5, 1] { repeats.noteOut(.seconds(time)) }
        return repeats
    }

    /// Which of the frames at these times, in the order in which the decoder gives them, come once more.
    private func repeated(_ repeats: inout RepeatedFrames, _ times: [Double?]) -> [Bool] {
        times.map { repeats.isRepeated($0.map { .seconds($0) }) }
    }

    @Test("Packets behind the newest one follow on, and all their frames are shown")
    func followingOn() {
        var repeats = former()
        #expect(repeats.start(of: .seconds(2.04)) == nil && repeats.start(of: nil) == nil)
        repeats.change(from: nil)
        #expect(!repeats.covers(.seconds(1)))
        #expect(repeated(&repeats, [1]) == [false])
    }

    @Test("Of the former decoder, frames from the repetition on are left out while it is emptied")
    func emptying() {
        var repeats = former()
        #expect(repeats.start(of: .seconds(1)) == .seconds(1))
        repeats.beginEmptying(from: .seconds(1))
        #expect(repeated(&repeats, [0.96, 0.9995, 1.96]) == [false, true, true])
        repeats.endEmptying()
        #expect(repeated(&repeats, [1.96]) == [false])
    }

    @Test("Of the new decoder, frames up to the newest that was handed on are only decoded, until one lies behind it")
    func covered() {
        var repeats = former()
        repeats.change(from: .seconds(1))
        #expect(repeats.covers(.seconds(1.5)) && !repeats.covers(.seconds(1.54)))
        // Behind the first one that is new, a broadcast whose clock begins anew is not held back.
        #expect(repeated(&repeats, [1.5, 1.5009, nil, 1.54, 1]) == [true, true, false, false, false])
    }

    @Test("Packets that the new decoder was not given are no repetition of its own")
    func secondChange() {
        var repeats = former()
        repeats.change(from: .seconds(1))
        #expect(repeats.start(of: .seconds(1.5)) == nil)
        repeats.noteSent(.seconds(1.6))
        #expect(repeats.start(of: .seconds(1.5)) == .seconds(1.5))
    }
}

@Suite("Cost of decoding")
struct DecodeCostTests {
    @Test("A frame costs the time of the packets since the one before and its own")
    func sum() {
        var cost = DecodeCost()
        func at(_ milliseconds: Int64) -> HostTime { HostTime(nanoseconds: milliseconds * 1_000_000) }
        cost.begin(at: at(0))
        cost.end(at: at(3))
        cost.begin(at: at(10))
        cost.end(at: at(14))
        cost.begin(at: at(20))
        let first = cost.takeFrame(at: at(21))
        #expect(first == .milliseconds(8) && cost.frame == first)
        cost.begin(at: at(30))
        let second = cost.takeFrame(at: at(32))
        #expect(second == .milliseconds(2))
    }
}
