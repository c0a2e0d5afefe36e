import AetherCore
import AetherMedia
import AetherSources
import Testing

@testable import AetherEngine

/// A real decoder under which time passes as told: so much for each packet, less where the picture was left out.
private struct SlowDecoder: VideoDecoding, ~Copyable {
    private var decoder: VideoDecoder
    private let script: Script
    private var discard = DecodeDiscard.none

    final class Script: Sendable {
        let time = ManualTime(HostTime(nanoseconds: 1_000_000_000_000))
        private let costs = Monitor((cost: TimeSpan.zero, packets: 0, pictures: 0))
        /// Sets the time that each frame takes from now on.
        func set(cost: TimeSpan) { costs.update { $0.cost = cost } }
        func pass(_ packets: Int) {
            let cost = costs.update { state in
                state.packets += packets
                return state.cost
            }
            if packets > 0 { time.advance(by: cost) }
        }
        var packets: Int { costs.read { $0.packets } }
    }

    init(_ info: StreamInfo, script: Script) throws(MediaError) {
        decoder = try VideoDecoder(info.parameters, threadCount: 1)
        self.script = script
    }

    mutating func send(_ packet: Packet?) throws(MediaError) -> SendResult { try decoder.send(packet) }
    mutating func receive() throws(MediaError) -> DecodedFrame? {
        let frame = try decoder.receive()
        if frame != nil { script.pass(1) }
        return frame
    }
    mutating func flush() { decoder.flush() }
    mutating func apply(_ effort: DecodeEffort) { decoder.apply(effort) }
    func needsReopening(for effort: DecodeEffort) -> Bool { false }
}

/// The video stage on a clock that only moves when a picture is decoded or awaited, with a pacer that takes what is due.
@Suite struct SlowDecoderTests {
    private struct Run {
        var shown: [(pts: MediaTime, late: TimeSpan)] = []
        var decoded = 0
        var dropped = 0

        /// Pictures shown, and the latest of them, in a stretch of the film.
        func shown(in range: Range<Double>) -> Int { shown.count { range.contains($0.pts.seconds) } }
        func worst(in range: Range<Double>) -> TimeSpan {
            shown.filter { range.contains($0.pts.seconds) }.map(\.late).max() ?? .seconds(99)
        }
    }

    /// Plays a film of 25 pictures a second whose decoder takes `cost(at)` for each. `toEnd`: also what the decoder holds at last, which
    /// comes all at once.
    private func play(_ path: String, toEnd: Bool = false, cost: (Double) -> Double) throws -> Run {
        let script = SlowDecoder.Script()
        let reader = try #require(try MediaLocation.file(path).openReader())
        var demuxer = try Demuxer(.reader(reader, name: path), interrupt: Interrupt())
        let info = try #require(demuxer.info.decodable(.video).first)
        let pipeline = Pipeline(), synchronizer = RenderSynchronizer(), counters = SessionCounters()
        pipeline.state.update {
            $0.intent.activeVideo = info.id
            $0.begin(Epoch(1), plan: SeekPlan(target: .zero, landing: .exact))
        }
        demuxer.select([info.index])
        do throws(MediaError) {
            while true {
                let packet = try demuxer.read(epoch: Epoch(1))
                pipeline.state.update { $0.append(packet) }
            }
        } catch {
            #expect(error.code == .endOfMedia)
        }
        pipeline.state.update { $0.endLanes(Epoch(1)) }
        let context = VideoContext(
            pipeline: pipeline, synchronizer: synchronizer, counters: counters, sink: NullVideoSink(), options: VideoOptions(),
            time: script.time, report: { _ in }, stream: { _ in info }, cues: CueStore())
        var work = VideoWork(
            stage: VideoStage(context: context) { info, _ throws(MediaError) in try SlowDecoder(info, script: script) })
        let start = script.time.now()
        synchronizer.anchor(ClockAnchor(media: .zero, host: start, rate: 1), epoch: Epoch(1))
        var run = Run()
        while pipeline.state.read({ !$0.output.isDrained }) {
            // Room for what one packet may give.
            while let head = pipeline.state.read({ $0.frames.count > 1 ? $0.frames.first : nil }) {
                let due = start + (head.pts - .zero)
                if due > script.time.now() { script.time.advance(by: due - script.time.now()) }
                _ = pipeline.state.update { $0.popFrame() }
                run.shown.append((head.pts, script.time.now() - due))
            }
            if !toEnd, pipeline.state.read({ $0.lanes[info.id]?.isEmpty ?? true }) { break }
            script.set(cost: .milliseconds(cost((script.time.now() - start).seconds)))
            _ = work.step()
        }
        while toEnd, let last = pipeline.state.update({ $0.popFrame() }) {
            run.shown.append((last.stamp.pts, script.time.now() - (start + (last.stamp.pts - .zero))))
        }
        run.decoded = script.packets
        run.dropped = counters.droppedLateDecode.current
        return run
    }

    @Test func aFastDecoderLeavesNothingOut() throws {
        let run = try play(try Clips.film(8)) { _ in 15 }
        #expect(run.decoded >= 195 && run.dropped == 0)
        // The first ones come three pictures late, by the reordering.
        #expect(run.worst(in: 0..<8) < .milliseconds(50))
        #expect(run.worst(in: 1..<8) < .milliseconds(1))
    }

    /// One picture of three is needed by no other: 50 ms for a picture are then 33 on average, and the film stays in time.
    @Test func aSlowOneLeavesOutWhatNothingNeedsAndStaysInTime() throws {
        let run = try play(try Clips.film(16)) { _ in 50 }
        #expect(run.decoded > 250 && run.decoded < 330)
        // Each attempt to decode all again costs a quarter of a second at most.
        #expect(run.worst(in: 4..<15) < .milliseconds(300))
        #expect(run.shown(in: 4..<15) > 11 * 15)
    }

    /// Even the pictures that others need take too long: the rest of each second is left out, and the next begins in time.
    @Test func aHopelessOneShowsTheBeginningsOfGroups() throws {
        let run = try play(try Clips.film(24)) { _ in 400 }
        #expect(run.decoded < 24 * 4)
        for second in 6..<22 {
            #expect(run.shown(in: Double(second)..<Double(second) + 3) > 0, "nothing shown from \(second) s on")
        }
        #expect(run.worst(in: 6..<22) < .seconds(2.5))
        #expect(run.dropped > 200)
    }

    /// However late it is.
    @Test(arguments: [15.0, 50, 400]) func aVideoStandsAtItsLastFrame(_ cost: Double) throws {
        let run = try play(try Clips.film(8), toEnd: true) { _ in cost }
        #expect(run.shown.last?.pts == .seconds(7.96))
    }

    @Test func itRecovers() throws {
        let run = try play(try Clips.film(24)) { $0 < 6 ? 80 : 10 }
        #expect(run.shown(in: 0..<6) < 120)
        #expect(run.shown(in: 12..<23) == 11 * 25)
        #expect(run.worst(in: 12..<23) < .milliseconds(1))
    }
}
