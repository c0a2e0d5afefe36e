import AetherCore
import AetherMedia
import Testing

@testable import AetherEngine

/// Who decodes, by what a trial has measured.
@Suite struct AccelerationPolicyTests {
    /// Milliseconds of CPU and on the clock, for a frame.
    private func spending(_ processor: Double, _ clock: Double, frames: Int = 9, level: UInt8? = 100, width: Int = 1920)
        -> DecodeSpending
    {
        DecodeSpending(
            frames: frames, packets: 9, processor: .milliseconds(processor), clock: .milliseconds(clock),
            pictures: level.map {
                [FramePrint](repeating: FramePrint(size: PixelSize(width: width, height: 1080), level: $0), count: frames)
            } ?? [])
    }

    private func choice(
        _ device: DecodeSpending, _ software: DecodeSpending, interval: Double? = 40, threads: Int = 2
    ) -> DecodingChoice {
        AccelerationPolicy.choice(
            device: device, software: software, interval: interval.map { .milliseconds($0) }, threads: threads)
    }

    @Test(arguments: [
        // A device that saves a fifth and more, and is in time.
        (1.0, 5.0, 8.0, 8.0, true), (6.4, 7.0, 8.0, 8.0, true),
        // One that saves less, nothing, or costs more.
        (6.5, 7.0, 8.0, 8.0, false), (8.0, 8.0, 8.0, 8.0, false), (12.0, 12.0, 8.0, 8.0, false),
        // One that is late: 28 of 40 ms are the limit.
        (1.0, 28.0, 8.0, 8.0, true), (1.0, 29.0, 8.0, 8.0, false),
        // Late, and software, on both of its threads, later still.
        (1.0, 29.0, 60.0, 60.0, true),
        // No cheaper, but software is late, and the device is not.
        (90.0, 20.0, 100.0, 100.0, true), (90.0, 30.0, 100.0, 100.0, false),
    ])
    func cheaperAndInTime(_ device: Double, _ deviceClock: Double, _ software: Double, _ clock: Double, _ isUsed: Bool) {
        #expect(choice(spending(device, deviceClock), spending(software, clock)).usesDevice == isUsed)
    }

    @Test func theReasonIsTheOneThatDecided() {
        #expect(
            choice(spending(1, 5), spending(8, 8)) == .cheaper(.milliseconds(1), software: .milliseconds(8)))
        #expect(choice(spending(8, 8), spending(8, 8)) == .costlier(.milliseconds(8), software: .milliseconds(8)))
        #expect(choice(spending(1, 39), spending(8, 8)) == .late(.milliseconds(39), interval: .milliseconds(40)))
        #expect(
            choice(spending(100, 20), spending(100, 100)) == .inTime(software: .milliseconds(50), interval: .milliseconds(40)))
    }

    /// Without a rate nothing can be late.
    @Test func aStreamWithoutARateIsJudgedByItsCost() {
        #expect(choice(spending(1, 500), spending(8, 8), interval: nil).usesDevice)
        #expect(!choice(spending(9, 1), spending(8, 800), interval: nil).usesDevice)
    }

    @Test func tooLittleSaysNothing() {
        #expect(choice(spending(1, 1, frames: 3), spending(8, 8, frames: 3)) == .unmeasured)
        #expect(choice(spending(1, 1, frames: 0), spending(8, 8)) == .unmeasured)
    }

    /// It may not take as long as it likes: what it has by then counts, and so do its frames.
    @Test func aDeviceThatWasBrokenOffIsJudgedByWhatItHas() {
        var (costly, cheap, wrong) = (
            spending(90, 20, frames: 5), spending(1, 20, frames: 5), spending(1, 20, frames: 5, level: 9)
        )
        (costly.packets, cheap.packets, wrong.packets) = (5, 5, 5)
        #expect(choice(costly, spending(8, 8)) == .costlier(.milliseconds(90), software: .milliseconds(8)))
        #expect(choice(cheap, spending(8, 8)).usesDevice)
        #expect(choice(wrong, spending(8, 8)) == .differing)
    }

    /// Codecs without exact transforms drift by a level or two.
    @Test func otherFramesAreNoGain() {
        #expect(choice(spending(1, 5, level: 104), spending(8, 8, level: 100)).usesDevice)
        #expect(choice(spending(1, 5, level: 105), spending(8, 8, level: 100)) == .differing)
        #expect(choice(spending(1, 5, width: 1919), spending(8, 8)) == .differing)
        #expect(choice(spending(1, 5, frames: 8), spending(8, 8)) == .differing)
        #expect(choice(spending(1, 5, level: nil), spending(8, 8)).usesDevice)
    }

    @Test func sentencesHaveTheirFigures() {
        #expect(
            choice(spending(1.234, 5), spending(8, 8)).sentence
                == "VA-API decodes: 1.23 ms of CPU a frame, software takes 8.0")
        #expect(
            choice(spending(9.5, 10), spending(8, 8)).sentence
                == "software decodes: 8.0 ms of CPU a frame, VA-API takes 9.5")
        #expect(DecodingChoice.boxed.isNews && !DecodingChoice.unmeasured.isNews)
    }
}
