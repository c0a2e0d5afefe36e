import AetherCore
import AetherTestSupport
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

    /// Three parts of two seconds, each from 1.4 s on: shorter than any step back that means something elsewhere.
    @Test func shortFilesGluedTogetherPlayOn() {
        var fold = TimelineFold()
        var last = time(1.36)
        for part in 0..<3 {
            for frame in 0..<50 {
                let picture = time(1.4 + Double(frame) / 25), sound = time(1.42 + Double(frame) / 25)
                let offset = fold.offset(stream: 0, time: picture, isDecodeTime: true)
                #expect((picture + offset - last - .milliseconds(40)).magnitude < .milliseconds(25), "\(part) \(frame)")
                #expect(fold.offset(stream: 1, time: sound, isDecodeTime: true) == offset)
                last = picture + offset
            }
        }
        #expect(fold.seams == 2)
    }

    /// Pyramids of pictures at four a second whose decode times are none.
    @Test func timesThatStepBackWithinAGroupAreNoNewBeginning() {
        var fold = TimelineFold()
        for seconds in [0, 1, 0.5, 0.25, 0.75, 2, 1.5] {
            #expect(fold.offset(stream: 0, time: time(seconds), isDecodeTime: true) == .zero)
        }
        #expect(fold.seams == 0)
    }

    /// The second part of a recording begins a little before the end of the first; the sound of that ends before its picture.
    @Test(arguments: [1.2, 5, 9], [0.0, 0.3]) func partsThatOverlapPlayOnTogether(overlap: Double, missing: Double) {
        var fold = TimelineFold(mayLeap: true)
        var last = [time(0), time(0)]
        for from in [0, 10 - overlap] {
            for tick in 0..<250 {
                for stream in 0...1 where from > 0 || stream == 0 || Double(tick) / 25 < 10 - missing {
                    let stamp = time(from + Double(tick) / 25 + Double(stream) * 0.01)
                    let placed = stamp + fold.offset(stream: StreamID(number: stream), time: stamp, isDecodeTime: true)
                    #expect(placed >= last[stream])
                    last[stream] = placed
                }
            }
        }
        #expect(fold.seams == 1)
        #expect((last[0] - time(20)).magnitude < .milliseconds(50) && (last[1] - last[0]).magnitude < .milliseconds(20))
    }

    /// Decode times that leap by seconds, forward or back, and return at once were damaged, or are no decode times.
    @Test(arguments: [1, 3, 20], [5.0, -5]) func damageOfSecondsLeavesTheRestWhereItWas(packets: Int, leap: Double) {
        var fold = TimelineFold(mayLeap: true)
        for tick in 0..<500 {
            let stamp = Double(tick) / 25, isDamaged = (200..<200 + packets).contains(tick)
            let picture = time(isDamaged ? stamp + leap : stamp)
            let placed = picture + fold.offset(stream: 0, time: picture, isDecodeTime: true)
            #expect((placed - time(stamp)).magnitude < .milliseconds(1) || isDamaged && leap > 0, "\(stamp)")
            #expect(fold.offset(stream: 1, time: time(stamp), isDecodeTime: true) == .zero)
        }
        // And the next seam is still found.
        let behind = time(16) + fold.offset(stream: 0, time: time(16), isDecodeTime: true)
        #expect((behind - time(20)).magnitude < .milliseconds(1))
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

    @Test func damagedTimesAreClosedUpAndThenTimeGoesOn() {
        var fold = TimelineFold()
        var last = time(0)
        for seconds in [0, 0.04, 95_443, 95_443.04, 95_460, 0.12, 0.16, 0.2] {
            let placed = time(seconds) + fold.offset(stream: 0, time: time(seconds))
            #expect(seconds == 95_460 || (placed - last).magnitude < .milliseconds(100))
            if seconds < 1 { #expect(placed == time(seconds)) }
            if seconds != 95_460 { last = placed }
            #expect(fold.offset(stream: 1, time: time(min(seconds, 0.3))) == .zero)
        }
        // The next real seam is still found.
        for seconds in 1...30 { #expect(fold.offset(stream: 0, time: time(Double(seconds))) == .zero) }
        #expect(time(1.4) + fold.offset(stream: 0, time: time(1.4)) > time(30))
    }

    @Test(arguments: [true, false]) func aLeapOfAllStreamsByHoursIsClosed(mayLeap: Bool) {
        var fold = TimelineFold(mayLeap: mayLeap)
        for tick in 0..<50 {
            for stream in 0...2 { _ = fold.offset(stream: StreamID(number: stream), time: time(10 + Double(tick) / 25)) }
        }
        let picture = fold.offset(stream: 0, time: time(7210))
        #expect(time(7210) + picture == time(12))
        // The rest of the old sound, then the new: by the same amount, so that both stay together.
        #expect(fold.offset(stream: 1, time: time(12)) == .zero)
        #expect(fold.offset(stream: 1, time: time(7210.1)) == picture)
        // Subtitles that have been silent for a while find the same seam.
        for second in 7211...7224 { #expect(fold.offset(stream: 0, time: time(Double(second))) == picture) }
        #expect(fold.offset(stream: 2, time: time(7225)) == picture)
        #expect(fold.seams == 1)
    }

    /// A programme, an advertisement with a clock of its own, and the programme again where it was left: all of it is played, in order.
    @Test(arguments: [2.0, 5, 9, 30], [20_000.0, -20_000]) func aProgrammeGoesOnBehindAnAdvertisement(
        seconds: Double, shift: Double
    ) {
        var fold = TimelineFold(mayLeap: true)
        var last = [time(0), time(0)], began = false
        func play(_ from: Double, _ length: Double) {
            for tick in 0..<Int(length * 25) {
                for stream in 0...1 {
                    let stamp = time(from + Double(tick) / 25 + Double(stream) * 0.01)
                    let placed = stamp + fold.offset(stream: StreamID(number: stream), time: stamp)
                    if began { #expect((placed - last[stream] - .milliseconds(40)).magnitude < .milliseconds(50), "\(stamp)") }
                    last[stream] = placed
                }
                // The last subtitle lies a little ahead of the frame.
                if tick == Int(length * 25) - 5 { _ = fold.offset(stream: 2, time: time(from + length)) }
                began = true
            }
        }
        play(30_000, 8)
        play(30_000 + shift, seconds)
        play(30_008, 8)
        play(30_000 + shift + seconds, seconds)
        play(30_016, 8)
        #expect((last[1] - last[0]).magnitude < .milliseconds(60))
    }

    /// Sound goes on where the picture's stamps are wrong for three seconds: both are together again afterwards.
    @Test func aStreamOfDamagedTimesComesBackToTheOther() {
        var fold = TimelineFold(mayLeap: true)
        for tick in 0..<300 {
            let seconds = 100 + Double(tick) / 25
            let picture = time((100..<175).contains(tick) ? seconds + 50_000 : seconds)
            let offset = fold.offset(stream: 0, time: picture)
            #expect(fold.offset(stream: 1, time: time(seconds)) == .zero)
            if tick >= 176 { #expect(offset == .zero) }
        }
    }

    @Test func aGapOfOneStreamIsNoLeap() {
        var fold = TimelineFold(mayLeap: true)
        _ = fold.offset(stream: 1, time: time(0))
        for second in 0...60 { #expect(fold.offset(stream: 0, time: time(Double(second))) == .zero) }
        #expect(fold.offset(stream: 1, time: time(60)) == .zero)
        #expect(fold.seams == 0)
        // And where times are promised to be unbroken, pictures of minutes are believed.
        var slides = TimelineFold()
        for second in [0, 900, 1800, 5000] { #expect(slides.offset(stream: 0, time: time(Double(second))) == .zero) }
        #expect(slides.seams == 0)
    }

    @Test func seeksAreTranslatedWhereTimesLeapForward() {
        var fold = TimelineFold(mayLeap: true)
        for tick in 0..<50 { _ = fold.offset(stream: 0, time: time(10 + Double(tick) / 25)) }
        let offset = fold.offset(stream: 0, time: time(7210))
        #expect(fold.begin(at: time(12.5)) == time(7210.5))
        #expect(fold.offset(stream: 0, time: time(7210.5)) == offset)
        #expect(fold.begin(at: time(11)) == time(11))
        for tick in 25..<50 { #expect(fold.offset(stream: 0, time: time(10 + Double(tick) / 25)) == .zero) }
        #expect(fold.offset(stream: 0, time: time(7210)) == offset)
    }

    @Test func whereTwoPlacesHaveOneTimeASeekForgetsTheSeams() {
        var fold = TimelineFold()
        _ = fold.offset(stream: 0, time: time(100))
        _ = fold.offset(stream: 0, time: time(0))
        #expect(fold.begin(at: time(101)) == time(101))
        #expect(fold.offset(stream: 0, time: time(3)) == .zero)
    }

    @Test(arguments: 0..<10) func whateverComesTimeNeverRunsBackByMoreThanReordering(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var fold = TimelineFold(mayLeap: seed % 2 == 0)
        var newest: [Int: MediaTime] = [:]
        for _ in 0..<1000 {
            let stream = random.below(3)
            let source = time(Double(random.below(1 << 20)) - Double(1 << 19))
            let placed = source + fold.offset(stream: StreamID(number: stream), time: source)
            if let last = newest[stream] { #expect(placed >= last - .seconds(3700)) }
            newest[stream] = max(newest[stream] ?? placed, placed)
        }
    }
}
