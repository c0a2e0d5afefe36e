import AetherCore
import AetherMedia
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine

/// Endless transport streams that are read for long, through the ring of their past: ten minutes, or 20 hours with AETHER_LONG in the environment.
@Suite(.serialized) struct LongTransportTests {
    private static let loops = ProcessInfo.processInfo.environment["AETHER_LONG"] == nil ? 100 : 12_000

    /// All that is read of it to the end: counts, and the steps between packets of a stream that are none of theirs.
    private func read(_ transport: LoopedTransport, held: Int64 = 1 << 20) throws -> (
        video: Int, audio: Int, steps: [Double], resets: Int
    ) {
        let container = try ContainerSource(
            .reader(transport, name: "looped.ts"), options: OpenOptions(), nameLanguages: [], interrupt: Interrupt())
        var options = TimeShiftOptions(folder: "/")
        (options.byteLimit, options.span) = (held, .seconds(60))
        let memory = RingMemory()
        let source = TimeShiftSource(
            container, ring: memory, options: options, below: Interrupt(), above: Interrupt(), time: SystemTime())
        _ = try source.seek(to: SeekPlan(target: .zero, landing: .exact), video: nil)
        let video = source.description.info.streams.first { $0.kind == .video }?.id
        var counts = (0, 0), last: [StreamID: MediaTime] = [:], steps: [Double] = [], resets = 0
        while true {
            do throws(MediaError) {
                switch try source.read(run: Epoch(1)) {
                case .packet(let packet):
                    let isVideo = packet.stream == video
                    if isVideo { counts.0 += 1 } else { counts.1 += 1 }
                    guard let time = packet.pts else { continue }
                    let step = last[packet.stream].map { (time - $0).seconds } ?? 0, own = isVideo ? 0.04 : 0.024
                    if last[packet.stream] != nil, abs(step - own) > 0.0015 { steps.append(step) }
                    last[packet.stream] = time
                case .discontinuity, .reset: resets += 1
                // The ring holds less than is read ahead: nothing may be lost of what is played at its pace.
                case .expired(let oldest): Issue.record("lost up to \(oldest.seconds)")
                default: break
                }
            } catch {
                #expect(error.code == .endOfMedia && memory.count <= held + 200_000, "\(error), \(memory.count) bytes")
                return (counts.0, counts.1, steps, resets)
            }
        }
    }

    /// From ten seconds before the turn of the clocks on.
    @Test func clocksThatGoOnThroughTheirTurnCostNothing() throws {
        let transport = try LoopedTransport(loops: Self.loops, from: 1 << 33 - 10 * 90_000, goesOn: true)
        let read = try read(transport, held: 64 << 20)
        #expect(read.video == Self.loops * LoopedTransport.frames && read.audio == Self.loops * LoopedTransport.audioPackets)
        #expect(read.steps == [] && read.resets == 0)
    }

    /// Each loop follows on the one before it, whatever its clock says, and each new beginning is told once.
    @Test func clocksThatBeginAnewGoOnWhereTheyWere() throws {
        let transport = try LoopedTransport(loops: Self.loops, goesOn: false)
        let read = try read(transport, held: 64 << 20)
        #expect(read.video == Self.loops * LoopedTransport.frames && read.audio == Self.loops * LoopedTransport.audioPackets)
        #expect(read.steps.allSatisfy { $0 > 0 && $0 < 0.1 }, "\(read.steps.prefix(20))")
        #expect(read.resets == Self.loops - 1, "\(read.resets)")
    }
}
