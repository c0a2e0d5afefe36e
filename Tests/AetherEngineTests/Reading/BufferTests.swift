import AetherCore
import Testing

@testable import AetherEngine

/// How far is read ahead, how long a buffer takes, and whether a source keeps up: values and virtual time.
@Suite struct BufferTests {
    @Test func aFileIsReadASecondAheadWhateverIsSaid() {
        #expect(BufferPolicy(.file, cache: nil) == .local)
        #expect(BufferPolicy(.memory, cache: 1 << 30) == .local)
        #expect(BufferPolicy.local.afterDryness == .local)
    }

    @Test(
        arguments: [
            (IOReaderTraits.network, nil, 30.0, 600.0, 32), (.network, 256 << 20, 30, 600, 128), (.network, 8 << 20, 30, 600, 32),
            (.pipe, nil, 10, 10, 32),
        ] as [(IOReaderTraits, Int?, Double, Double, Int)])
    func aServerIsReadFurtherAheadWithinTheMemory(
        _ traits: IOReaderTraits, _ cache: Int?, _ ahead: Double, _ standing: Double, _ mebibytes: Int
    ) {
        let policy = BufferPolicy(traits, cache: cache)
        #expect(policy.ahead == .seconds(ahead) && policy.aheadStanding == .seconds(standing))
        #expect(policy.bytes == mebibytes << 20)
    }

    @Test func eachDrynessAsksForMoreUpToABound() {
        var policy = BufferPolicy(.network, cache: nil), reserves: [Double] = []
        for _ in 0..<5 {
            policy = policy.afterDryness
            reserves.append(policy.reserve.seconds)
        }
        #expect(reserves == [2, 4, 8, 8, 8])
    }

    @Test func aPauseFillsFurtherAhead() {
        var intent = PlaybackIntent()
        intent.buffer = BufferPolicy(.network, cache: nil)
        #expect(intent.readAhead == .seconds(600))
        intent.clockRuns = true
        #expect(intent.readAhead == .seconds(30))
    }

    @Test func theTimeThatABufferTakesFollowsFromItsRate() {
        var estimate = BufferEstimate()
        let start = HostTime(nanoseconds: 0), needed = TimeSpan.seconds(4)
        func look(_ span: Double, at seconds: Double, epoch: UInt64 = 1) -> BufferFill {
            estimate.note(.seconds(span), of: needed, epoch: Epoch(epoch), now: start + .seconds(seconds))
        }
        #expect(look(0, at: 0) == BufferFill(fraction: 0, remaining: nil))
        #expect(look(0.1, at: 0.2) == BufferFill(fraction: 0.025, remaining: nil))
        #expect(look(1, at: 2) == BufferFill(fraction: 0.25, remaining: .seconds(6)))
        #expect(look(3, at: 6) == BufferFill(fraction: 0.75, remaining: .seconds(2)))
        #expect(look(5, at: 8) == BufferFill(fraction: 1, remaining: .zero))
        // Another epoch begins anew; nothing that comes promises nothing.
        #expect(look(0, at: 9, epoch: 2).remaining == nil)
        #expect(look(0, at: 60, epoch: 2).remaining == nil)
    }

    @Test func aSourceThatCannotKeepUpIsSaidOnceWithBothRates() {
        var pace = SourcePace()
        let start = HostTime(nanoseconds: 0)
        func dry(_ host: Double, _ media: Double, _ bytes: Int64, rate: Double = 1) -> SourcePace.Shortage? {
            pace.ranDry(start + .seconds(host), media: .seconds(media), bytes: bytes, rate: rate)
        }
        #expect(dry(10, 10, 1_000_000) == nil)
        // Ten seconds later five were played: 500 000 bytes.
        let shortage = dry(20, 15, 1_500_000)
        #expect(shortage == SourcePace.Shortage(given: 400_000, needed: 800_000))
        #expect(
            shortage?.sentence
                == "the source gives 400 kbit/s and needs 800 kbit/s: playing will stop now and then; a pause fills ahead")
        #expect(dry(30, 20, 2_000_000) == nil)
        #expect(SourcePace.Shortage(given: 1_240_000, needed: 3_400_000).sentence.contains("1.2 Mbit/s and needs 3.4 Mbit/s"))
    }

    @Test func aStutterOrASeekIsNoSlowSource() {
        var pace = SourcePace()
        let start = HostTime(nanoseconds: 0)
        #expect(pace.ranDry(start, media: .zero, bytes: 0, rate: 1) == nil)
        #expect(pace.ranDry(start + .seconds(2), media: .seconds(1), bytes: 1000, rate: 1) == nil)
        pace.forget()
        #expect(pace.ranDry(start + .seconds(60), media: .seconds(5), bytes: 2000, rate: 1) == nil)
        // Half the time at double speed is no shortage.
        #expect(pace.ranDry(start + .seconds(70), media: .seconds(25), bytes: 9000, rate: 2) == nil)
    }
}
