import AetherCore
import AetherMedia
import AetherTestSupport
import Testing

@testable import AetherEngine

@Suite struct PacketLaneTests {
    @Test func givesBackInOrderAndCounts() throws {
        var lane = PacketLane()
        for number in 0..<1000 { lane.append(try packet(stream: 0, pts: Int64(number) * 40, bytes: 10)) }
        #expect(lane.count == 1000)
        #expect(lane.byteCount == 10_000)
        #expect(lane.span == .seconds(999 * 0.04))
        for number in 0..<999 { #expect(lane.popFirst()?.pts == .milliseconds(Double(number) * 40)) }
        #expect(lane.count == 1)
        #expect(lane.byteCount == 10)
        #expect(lane.popFirst() != nil)
        #expect(lane.popFirst() == nil)
        #expect(lane.isEmpty)
        #expect(lane.span == .zero)
        #expect(lane.byteCount == 0)
    }

    @Test func whatIsReadOnceMoreIsDroppedFromItsKeyPacketOn() throws {
        var lane = PacketLane()
        // Groups of ten; the border at 2000 is a key packet, and the one decoded before it is shown behind it.
        for number in 0..<100 {
            let isKey = number % 10 == 0
            lane.append(
                try packet(
                    stream: 0, pts: Int64(number) * 100 + (number == 19 ? 150 : 0), dts: Int64(number) * 100, bytes: 10,
                    isKey: isKey))
        }
        for _ in 0..<5 { _ = lane.popFirst() }
        lane.hasEnded = true
        lane.dropAhead(from: .milliseconds(2000), fromKey: true)
        #expect(lane.count == 15 && lane.byteCount == 150 && !lane.hasEnded)
        #expect(lane.newest == .milliseconds(1900) && lane.last?.time == .milliseconds(2050))
        #expect(lane.keys(around: .milliseconds(1950))?.after == nil)
        lane.append(try packet(stream: 0, pts: 2000, bytes: 10, isKey: true))
        #expect(lane.keys(around: .milliseconds(1950))?.after == .milliseconds(2000))
        // Nothing that was taken is touched.
        lane.dropAhead(from: .zero, fromKey: false)
        #expect(lane.isEmpty && lane.hasPast)
    }

    /// A playlist whose durations are rounded up has its border a little behind the key packet.
    @Test func aBorderThatIsRoundedIsThatOfTheKeyPacketBeforeIt() throws {
        var lane = PacketLane()
        for number in 0..<40 { lane.append(try packet(stream: 0, pts: Int64(number) * 100, bytes: 10, isKey: number % 10 == 0)) }
        lane.dropAhead(from: .milliseconds(2040), fromKey: true)
        #expect(lane.newest == .milliseconds(1900) && lane.count == 20)
    }

    /// Groups of ten; the decoder is in the middle of the second one when another quality of that comes.
    @Test func whatComesInThePlaceOfOthersWaitsUntilItReachesTheDecoder() throws {
        var lane = PacketLane()
        for number in 0..<40 { lane.append(try packet(stream: 0, pts: Int64(number) * 100, bytes: 10, isKey: number % 10 == 0)) }
        lane.hasEnded = true
        for _ in 0..<15 { _ = lane.popFirst() }
        lane.replaceAhead(from: .milliseconds(1000))
        #expect(lane.isReplaced && !lane.hasEnded)
        for number in 10..<18 {
            lane.append(try packet(stream: 0, pts: Int64(number) * 100 + 3, bytes: 20, isKey: number == 10))
        }
        // The decoder goes on with the old ones; 1.703 s is not far enough ahead of 1.5 s.
        #expect(lane.isReplaced && lane.popFirst()?.byteCount == 10 && lane.byteCount == 240)
        lane.append(try packet(stream: 0, pts: 1803, bytes: 20))
        #expect(lane.isReplaced)
        lane.append(try packet(stream: 0, pts: 1903, bytes: 20))
        #expect(!lane.isReplaced && lane.count == 10 && lane.byteCount == 200 && lane.keptBytes == 100)
        #expect(lane.popFirst()?.pts == .milliseconds(1003) && lane.newest == .milliseconds(1903))
        // Going back finds the other quality from its key packet on, and the old one before.
        #expect(lane.move(to: .milliseconds(1500), fromKey: true) && lane.next == .milliseconds(1003))
        #expect(lane.move(to: .milliseconds(950), fromKey: true) && lane.next == .zero && lane.count == 20)
    }

    @Test func whatComesInThePlaceOfOthersIsTakenWhereTheDecoderRunsDryOrTheSourceEnds() throws {
        func held() throws -> PacketLane {
            var lane = PacketLane()
            for number in 0..<20 {
                lane.append(try packet(stream: 0, pts: Int64(number) * 100, bytes: 10, isKey: number % 10 == 0))
            }
            return lane
        }
        var dry = try held()
        dry.replaceAhead(from: .milliseconds(1000))
        while dry.popFirst() != nil {}
        dry.append(try packet(stream: 0, pts: 1000, bytes: 20, isKey: true))
        #expect(!dry.isReplaced && dry.count == 1 && dry.next == .milliseconds(1000))
        var over = try held()
        for _ in 0..<12 { _ = over.popFirst() }
        over.replaceAhead(from: .milliseconds(1000))
        over.append(try packet(stream: 0, pts: 1000, bytes: 20, isKey: true))
        over.hasEnded = true
        #expect(!over.isReplaced && over.hasEnded && over.count == 1 && over.keptBytes == 100)
        // Nothing came: nothing is lost.
        var none = try held()
        none.replaceAhead(from: .milliseconds(1000))
        none.hasEnded = true
        #expect(none.count == 20 && none.byteCount == 200)
    }

    @Test func audioThatComesOnceMoreIsLeftOut() throws {
        var lane = PacketLane()
        for number in 0..<10 { lane.append(try packet(stream: 1, pts: Int64(number) * 20)) }
        lane.passOverHeld()
        for number in 4..<14 { lane.append(try packet(stream: 1, pts: Int64(number) * 20)) }
        #expect(lane.count == 14 && lane.newest == .milliseconds(260))
    }

    /// The border is a key frame's; the segment behind it begins with two packets of audio from before it.
    @Test func audioFromBeforeABorderComesOnce() throws {
        var lane = PacketLane()
        for number in 0..<12 { lane.append(try packet(stream: 1, pts: Int64(number) * 20)) }
        lane.dropAhead(from: .milliseconds(200), fromKey: false)
        for number in 8..<14 { lane.append(try packet(stream: 1, pts: Int64(number) * 20)) }
        #expect(lane.count == 14 && lane.newest == .milliseconds(260))
    }

    @Test func packetsWithoutTimesHaveNoSpan() throws {
        var lane = PacketLane()
        lane.append(try packet(stream: 0, pts: nil))
        lane.append(try packet(stream: 0, pts: nil))
        #expect(lane.span == .zero)
        lane.append(try packet(stream: 0, pts: 5000))
        #expect(lane.span == .zero)
        lane.removeAll()
        #expect(lane.count == 0)
        #expect(lane.newest == nil)
    }

    @Test func timesThatRunBackGiveNoNegativeSpan() throws {
        var lane = PacketLane()
        lane.append(try packet(stream: 0, pts: 90_000))
        lane.append(try packet(stream: 0, pts: 10))
        #expect(lane.span == .zero)
    }
}

@Suite struct PipelineStateTests {
    @Test func aFrameWithADamagedStampHoldsNobodyUp() {
        var state = PipelineState()
        state.begin(Epoch(1), plan: SeekPlan(target: .zero, landing: .exact))
        func frame(_ seconds: Double) -> QueuedFrame {
            QueuedFrame(
                pts: .seconds(seconds), end: .seconds(seconds + 0.04), epoch: Epoch(1), image: RasterImage(width: 1, height: 1))
        }
        for seconds in [95_443.0, 95_444] { state.append(frame(seconds)) }
        let before = state.revision
        state.append(frame(1))
        #expect(state.frames.map(\.pts) == [.seconds(1), .seconds(1), .seconds(1)])
        // Whoever sleeps until tomorrow looks again.
        #expect(state.revision > before)
    }

    private func running() -> PipelineState {
        var state = PipelineState()
        state.intent.activeVideo = 0
        state.intent.activeAudio = 1
        state.begin(Epoch(1), plan: SeekPlan(target: .zero, landing: .exact))
        return state
    }
    private func frame(_ seconds: Double, epoch: UInt64 = 1) -> QueuedFrame {
        QueuedFrame(
            pts: .seconds(seconds), end: .seconds(seconds + 0.04), epoch: Epoch(epoch),
            image: RasterImage(width: 1, height: 1, pixels: [0]))
    }

    @Test func readsUntilEverySelectedStreamHasFourSeconds() throws {
        var state = running()
        state.intent.readAhead = .seconds(4)
        for number in 0..<100 { state.append(try packet(stream: 0, pts: Int64(number) * 50)) }
        #expect(state.wantsPackets, "sound has nothing yet")
        for number in 0...79 { state.append(try packet(stream: 1, pts: Int64(number) * 50)) }
        #expect(state.wantsPackets)
        state.append(try packet(stream: 1, pts: 4000))
        #expect(!state.wantsPackets)
        #expect(state.forwardBuffer == .seconds(4))
        #expect(state.bufferedPosition == .seconds(4))
        _ = state.popPacket(stream: 1)
        #expect(state.wantsPackets)
    }

    @Test func memoryIsBoundedWhateverIsMissing() throws {
        var state = running()
        state.intent.byteLimit = 1000
        for number in 0..<9 { state.append(try packet(stream: 0, pts: Int64(number), bytes: 100)) }
        #expect(state.wantsPackets)
        state.append(try packet(stream: 0, pts: 10, bytes: 100))
        #expect(!state.wantsPackets)
    }

    @Test func streamsWithoutTimesAreBoundedByCount() throws {
        var state = PipelineState()
        state.intent.activeVideo = 0
        state.begin(Epoch(1), plan: SeekPlan(target: .zero, landing: .exact))
        for _ in 0..<4095 { state.append(try packet(stream: 0, pts: nil, bytes: 1)) }
        #expect(state.wantsPackets)
        state.append(try packet(stream: 0, pts: nil, bytes: 1))
        #expect(!state.wantsPackets)
    }

    @Test func aStreamThatIsOverIsNotReadFor() throws {
        var state = running()
        state.append(try packet(stream: 1, pts: 0))
        state.endLanes(Epoch(9))
        #expect(state.wantsPackets, "another epoch's end")
        state.endLanes(Epoch(1))
        #expect(!state.wantsPackets)
        #expect(state.packets.isExhausted(0))
        #expect(!state.packets.isExhausted(1))
        #expect(state.forwardBuffer == .zero)
        _ = state.popPacket(stream: 1)
        #expect(state.packets.isExhausted(1))
        #expect(state.forwardBuffer == nil)
    }

    @Test func whatIsOfAnotherEpochIsDropped() throws {
        var state = running()
        state.append(try packet(stream: 0, pts: 0, epoch: 1))
        state.append(frame(0))
        state.begin(Epoch(2), plan: SeekPlan(target: .seconds(9), landing: .frameBefore))
        #expect(state.byteCount == 0)
        #expect(state.frames.isEmpty)
        #expect(state.output.landing == nil)
        state.append(try packet(stream: 0, pts: 0, epoch: 1))
        state.append(frame(0, epoch: 1))
        #expect(state.packets.isEmpty(0))
        #expect(state.frames.isEmpty)
        state.append(try packet(stream: 0, pts: 0, epoch: 2))
        state.append(frame(0, epoch: 2))
        #expect(!state.packets.isEmpty(0))
        #expect(state.popFrame()?.epoch == Epoch(2))
        #expect(state.popFrame() == nil)
    }

    @Test func anEpochBeginsWithNothingLeftOfTheOneBefore() {
        var state = running()
        (state.intent.clockRuns, state.intent.stepsWanted) = (true, 3)
        state.drainVideo(Epoch(1))
        state.block(Epoch(1))
        state.endLanes(Epoch(1))
        let revision = state.revision
        state.begin(Epoch(2), plan: SeekPlan(target: .seconds(9), landing: .exact))
        #expect(!state.intent.clockRuns && state.intent.stepsWanted == 0)
        #expect(!state.output.isDrained && !state.packets.isBlockedFull)
        #expect(!state.packets.isExhausted(0))
        #expect(state.output.landing == .seconds(9))
        #expect(state.revision != revision)
    }

    @Test func packetsOfNoSelectedStreamAreNotKept() throws {
        var state = running()
        state.append(try packet(stream: 7, pts: 0))
        #expect(state.byteCount == 0)
        #expect(state.packets.isExhausted(7))
    }

    /// Sound that is given up in mid-play must not fill the memory that pictures are read into.
    @Test func aStreamThatIsGivenUpKeepsNoMemory() throws {
        var state = running()
        state.intent.byteLimit = 1000
        for number in 0..<5 { state.append(try packet(stream: 1, pts: Int64(number), bytes: 100)) }
        state.intent.activeAudio = nil
        #expect(state.byteCount == 0)
        for number in 5..<50 { state.append(try packet(stream: 1, pts: Int64(number), bytes: 100)) }
        #expect(state.byteCount == 0)
        #expect(state.wantsPackets)
    }
}
