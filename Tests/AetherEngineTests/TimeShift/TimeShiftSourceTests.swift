import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Synchronization
import Testing

@testable import AetherEngine

/// A live source whose past is kept: reading, going back, recording, and a disk that fails. The clock stands: the script is shorter than what is
/// read ahead.
@Suite struct TimeShiftSourceTests {
    private static let info = Result {
        let path = try Clips.silentVideo()
        let reader = try #require(try MediaLocation.file(path).openReader())
        return try Demuxer(.reader(reader, name: path), interrupt: Interrupt()).info
    }

    /// A packet each 40 ms and a key frame each second, for 20 s. `said` gets the sentences for the person.
    private func shifted(
        on storage: any RingStorage = RingMemory(), above: Interrupt = Interrupt(), said: Said = Said()
    ) throws -> TimeShiftSource {
        let script = ScriptedSource(0, describedBy: try Self.info.get(), step: 40, length: 20_000, keys: 1000)
        return TimeShiftSource(
            script, ring: storage, options: TimeShiftOptions(folder: "/"), below: Interrupt(), above: above,
            time: ManualTime(), say: { said.add($0) })
    }

    private final class Said: Sendable {
        private let sentences = Mutex<[String]>([])
        var all: [String] { sentences.withLock { $0 } }
        func add(_ sentence: String) { sentences.withLock { $0.append(sentence) } }
    }

    /// The times of packets to the end, in milliseconds, each told once.
    private func times(_ source: TimeShiftSource) throws -> [Int64] {
        var times: [Int64] = []
        while true {
            do throws(MediaError) {
                if case .packet(let packet) = try source.read(run: Epoch(1)) {
                    times.append((packet.pts?.nanoseconds ?? -1) / 1_000_000)
                }
            } catch {
                #expect(error.code == .endOfMedia)
                return times
            }
        }
    }

    private static let whole = stride(from: Int64(0), to: 20_000, by: 40).map { $0 }

    @Test func allThatCameIsRead() throws {
        let source = try shifted()
        _ = try source.seek(to: SeekPlan(target: .zero, landing: .exact), video: nil)
        #expect(try times(source) == Self.whole)
        #expect(source.window.held == .zero ... .seconds(19.96) && source.window.liveEdge == nil)
    }

    @Test func whatWasReadCanBeGoneBackTo() throws {
        let source = try shifted()
        _ = try source.seek(to: SeekPlan(target: .zero, landing: .exact), video: nil)
        _ = try times(source)
        #expect(try source.seek(to: SeekPlan(target: .seconds(7.5), landing: .exact), video: StreamID(source: 0, number: 0)))
        #expect(try times(source) == Self.whole.filter { $0 >= 7000 })
    }

    @Test(arguments: [RingFault.full, .system(13)], [0, 30_000])
    func aDiskThatCannotBeWrittenNeverEndsPlaying(fault: RingFault, room: Int) throws {
        let said = Said(), source = try shifted(on: RingMemory(room: room, fault: fault), said: said)
        _ = try source.seek(to: SeekPlan(target: .zero, landing: .exact), video: nil)
        #expect(try times(source) == Self.whole)
        #expect(said.all.count == 1 && said.all[0].contains(fault.reason), "\(said.all)")
    }

    @Test func aDiskThatLosesBytesCostsTheseAlone() throws {
        let memory = RingMemory(), source = try shifted(on: memory)
        _ = try source.seek(to: SeekPlan(target: .zero, landing: .exact), video: nil)
        _ = try times(source)
        memory.damage(10_000..<10_010)
        _ = try source.seek(to: SeekPlan(target: .zero, landing: .exact), video: nil)
        let rest = try times(source)
        #expect(rest.first == 0 && rest.last == 19_960 && (Self.whole.count - 26..<Self.whole.count).contains(rest.count))
        #expect(source.damageCount == 1)
    }

    @Test func aFolderThatCannotBeMadeIsAFault() {
        #expect(throws: RingFault.self) { try RingFile(in: "/proc/aether-no-such-folder") }
    }

    @Test func aSourceThatIsHadOnceMoreIsToldOnceAndFollowsOnWhatWasThere() throws {
        let path = try Clips.silentVideo(), interrupt = Interrupt(), count = Mutex(0)
        let reopening = TimeShiftReopening(isStated: true) { _ throws(MediaError) in
            // Once: from then on it cannot be had.
            guard
                count.withLock({ count in
                    count += 1
                    return count == 1
                })
            else { throw MediaError(.cannotOpen, "open", subject: path) }
            let input = try MediaInput(.location(.file(path)), interrupt: interrupt)
            return try ContainerSource(input, options: OpenOptions(), interrupt: interrupt)
        }
        let script = ScriptedSource(0, describedBy: try Self.info.get(), step: 40, length: 4000, keys: 1000)
        let source = TimeShiftSource(
            script, ring: RingMemory(), options: TimeShiftOptions(folder: "/"), below: interrupt, above: Interrupt(),
            time: SteppingTime(), reopening: reopening)
        _ = try source.seek(to: SeekPlan(target: .zero, landing: .exact), video: nil)
        var resets = 0, times: [Int64] = []
        while times.count < 120 {
            switch try source.read(run: Epoch(1)) {
            case .reset: resets += 1
            case .packet(let packet): times.append(((packet.dts ?? packet.pts)?.nanoseconds ?? -1) / 1_000_000)
            default: break
            }
        }
        #expect(resets == 1)
        // Decode times of frames that are shown out of order begin a little before what they follow on.
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 > -200 })
        #expect(times[100] - times[99] < 200, "\(times[98...102])")
    }

    /// Nobody says that it has no end, and it broke off at once: it is asked for once more, and a second time it has ended.
    @Test func aSourceThatBreaksOffAtOnceIsHadOnceMoreAndNotTwice() throws {
        let path = try Clips.silentVideo(), interrupt = Interrupt(), count = Mutex(0), said = Said()
        let reopening = TimeShiftReopening(isStated: false) { _ throws(MediaError) in
            count.withLock { $0 += 1 }
            let input = try MediaInput(.location(.file(path)), interrupt: interrupt)
            return try ContainerSource(input, options: OpenOptions(), interrupt: interrupt)
        }
        let script = ScriptedSource(0, describedBy: try Self.info.get(), step: 40, length: 4000, keys: 1000)
        script.breaksOff = true
        let source = TimeShiftSource(
            script, ring: RingMemory(), options: TimeShiftOptions(folder: "/"), below: interrupt, above: Interrupt(),
            time: SteppingTime(), reopening: reopening, say: { said.add($0) })
        _ = try source.seek(to: SeekPlan(target: .zero, landing: .exact), video: nil)
        let all = try times(source)
        #expect(all.count > 120, "\(all.count)")
        #expect(count.withLock { $0 } == 1)
        #expect(said.all == ["the source has ended: it is asked for again"])
    }

    // MARK: - Recording

    private func recorded(_ past: RecordedPast) -> [Int64] {
        var reading = past.reading(), times: [Int64] = []
        while true {
            switch reading.next() {
            case .packet(let packet): times.append((packet.pts?.nanoseconds ?? -1) / 1_000_000)
            case .described, .lost: break
            case .end: return times
            }
        }
    }

    @Test func aRecordingBeginsAtAnyPointWhateverIsPlayed() throws {
        let source = try shifted()
        _ = try source.seek(to: SeekPlan(target: .zero, landing: .exact), video: nil)
        _ = try times(source)
        #expect(recorded(source.past(from: .seconds(5.3))) == Self.whole.filter { $0 >= 5000 })
        #expect(recorded(source.past(from: nil)) == Self.whole)
        #expect(recorded(source.past(from: source.window.held?.upperBound)) == Self.whole.filter { $0 >= 19_000 })
        #expect(recorded(source.past(from: .seconds(-9))) == Self.whole)
    }

    @Test func aRecordingThatIsClosedHasWhatHadComeByThen() throws {
        let source = try shifted()
        _ = try source.seek(to: SeekPlan(target: .zero, landing: .exact), video: nil)
        _ = try times(source)
        let past = source.past(from: .zero)
        past.close()
        #expect(recorded(past) == Self.whole)
    }
}
