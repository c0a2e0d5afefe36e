import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Testing

@testable import AetherEngine

/// Several sources on one timeline, without threads or files.
@Suite struct JoinedSourceTests {
    private static let info: SourceInfo? = {
        guard let path = try? Clips.silentVideo(), let reader = try? MediaLocation.file(path).openReader() else { return nil }
        return try? Demuxer(.reader(reader, name: path), interrupt: Interrupt()).info
    }()

    /// Video with a packet each 40 ms and a key frame each second, and audio with one each 20 ms, both of them wanted.
    private func joined(
        videoLength: Int = 2000, audioLength: Int = 2000
    ) throws -> (joined: JoinedSource, video: ScriptedSource, audio: ScriptedSource) {
        let info = try #require(Self.info)
        let video = ScriptedSource(0, describedBy: info, step: 40, length: videoLength, keys: 1000)
        let audio = ScriptedSource(1, describedBy: info, step: 20, length: audioLength)
        let joined = JoinedSource(video)
        joined.add(audio)
        joined.select([StreamID(source: 0, number: 0), StreamID(source: 1, number: 0)])
        return (joined, video, audio)
    }

    private struct Step: Equatable {
        var source: Int
        var milliseconds: Int64
        var isEnd = false
    }

    private func step(_ joined: JoinedSource, _ run: UInt64 = 1) throws -> Step? {
        do throws(MediaError) {
            switch try joined.read(run: Epoch(run)) {
            case .packet(let packet):
                return Step(source: packet.stream.source, milliseconds: (packet.pts?.nanoseconds ?? -1) / 1_000_000)
            case .end(let source, _): return Step(source: source, milliseconds: 0, isEnd: true)
            default: return nil
            }
        } catch {
            guard error.code == .endOfMedia else { throw error }
            return nil
        }
    }

    private func all(_ joined: JoinedSource, _ run: UInt64 = 1) throws -> [Step] {
        var steps: [Step] = []
        while let next = try step(joined, run) { steps.append(next) }
        return steps
    }

    @Test func readsTheOneThatIsLeastFar() throws {
        let (joined, _, _) = try joined()
        _ = try joined.seek(to: SeekPlan(target: .zero, landing: .exact), video: 0)
        var newest = [Int64](repeating: -40, count: 2)
        for step in try all(joined) where !step.isEnd {
            #expect(step.milliseconds > newest[step.source])
            newest[step.source] = step.milliseconds
            #expect((newest[0] - newest[1]).magnitude <= 60, "\(newest)")
        }
        #expect(newest == [1960, 1980])
    }

    @Test func eachHasItsOwnEnd() throws {
        let (joined, _, _) = try joined(videoLength: 400, audioLength: 1000)
        _ = try joined.seek(to: SeekPlan(target: .zero, landing: .exact), video: 0)
        let steps = try all(joined)
        let ends = steps.filter(\.isEnd)
        #expect(ends == [Step(source: 0, milliseconds: 0, isEnd: true)])
        #expect(steps.count { !$0.isEnd && $0.source == 1 } == 50)
        // And again after a seek back.
        _ = try joined.seek(to: SeekPlan(target: .seconds(0.2), landing: .exact), video: 0)
        #expect(try all(joined, 2).filter(\.isEnd) == ends)
    }

    /// Whose times begin anew is said of each source, and no packet is lost by it.
    @Test func aDiscontinuityNamesItsSource() throws {
        let (joined, video, audio) = try joined(videoLength: 1000, audioLength: 1000)
        var ofVideo = TimelineSeams(), ofAudio = TimelineSeams()
        ofVideo.append(.seconds(5), from: .seconds(0.4))
        ofAudio.append(.seconds(7), from: .seconds(0.6))
        (video.seam, audio.seam) = ((400, ofVideo), (600, ofAudio))
        _ = try joined.seek(to: SeekPlan(target: .zero, landing: .exact), video: 0)
        var told: [Int: TimelineSeams] = [:], packets = [0, 0]
        while !(packets == [25, 50]) {
            switch try joined.read(run: Epoch(1)) {
            case .packet(let packet): packets[packet.stream.source] += 1
            case .discontinuity(let source, let seams): told[source] = seams
            default: break
            }
        }
        #expect(told == [0: ofVideo, 1: ofAudio])
    }

    /// Audio begins where the video's key frame lies, with what its decoder needs before that.
    @Test func theOthersFollowTheKeyFrameOfTheLeadingOne() throws {
        let (joined, video, audio) = try joined()
        #expect(try joined.seek(to: SeekPlan(target: .seconds(1.5), landing: .exact), video: 0))
        let steps = try all(joined)
        #expect(steps.first { $0.source == 0 }?.milliseconds == 1000)
        #expect(steps.first { $0.source == 1 }?.milliseconds == 900)
        #expect(video.calls.first == .seek(.seconds(1.5)) && audio.calls.first == .seek(.seconds(0.9)))
        #expect(steps.count { $0.source == 0 } == 26, "what was read ahead of its turn is not lost")
    }

    @Test func aSourceThatBeginsLaterInThePlaylistOfStreamsJoinsWhereTheOthersAre() throws {
        let (joined, _, audio) = try joined()
        joined.select([0])
        _ = try joined.seek(to: SeekPlan(target: .zero, landing: .exact), video: 0)
        for _ in 0..<20 { _ = try step(joined) }
        #expect(audio.calls.isEmpty)
        joined.select([StreamID(source: 0, number: 0), StreamID(source: 1, number: 0)])
        let next = try #require(try step(joined))
        #expect(next == Step(source: 1, milliseconds: 660), "the video has come to 760 ms")
    }

    /// A source that was left and chosen again while nothing was read: what it had given was dropped meanwhile, and it comes once more.
    @Test func aSourceThatWasLeftAndChosenMeanwhileComesOnceMore() throws {
        let (joined, _, audio) = try joined(), both = [0, StreamID(source: 1, number: 0)] as Set
        _ = try joined.seek(to: SeekPlan(target: .zero, landing: .exact), video: 0)
        _ = try all(joined)
        joined.select(both, begun: [])
        #expect(try step(joined) == nil, "all was read")
        joined.joinPoint = .seconds(1)
        joined.select(both, begun: [StreamID(source: 1, number: 0)])
        let steps = try all(joined).filter { !$0.isEnd }
        #expect(steps.map(\.source).allSatisfy { $0 == 1 } && steps.first?.milliseconds == 900, "\(steps.prefix(3))")
        #expect(steps.last?.milliseconds == 1980 && audio.calls.contains(.seek(.seconds(0.9))))
    }

    @Test func anInterruptionLosesNothing() throws {
        let (joined, video, audio) = try joined()
        video.interruptsAt = 1000
        _ = try joined.seek(to: SeekPlan(target: .seconds(1.5), landing: .exact), video: 0)
        #expect(throws: MediaError.self) { try joined.read(run: Epoch(1)) }
        #expect(!audio.calls.contains(.read))
        let steps = try all(joined)
        #expect(steps.first { $0.source == 0 }?.milliseconds == 1000 && steps.first { $0.source == 1 }?.milliseconds == 900)
    }

    @Test func aBrokenSourceBesideEndsAloneAndTheLastOneTellsWhy() throws {
        let (joined, video, audio) = try joined(videoLength: 400, audioLength: 200)
        audio.breaksOff = true
        _ = try joined.seek(to: SeekPlan(target: .zero, landing: .exact), video: 0)
        var failures: [Int] = []
        while true {
            do throws(MediaError) {
                if case .end(let source, let failure?) = try joined.read(run: Epoch(1)) {
                    #expect(failure.code == .readFailed)
                    failures.append(source)
                }
            } catch {
                #expect(error.code == .endOfMedia)
                break
            }
        }
        #expect(failures == [1])
        video.breaksOff = true
        _ = try joined.seek(to: SeekPlan(target: .seconds(0.3), landing: .exact), video: 0)
        let error = #expect(throws: MediaError.self) { while true { _ = try joined.read(run: Epoch(2)) } }
        #expect(error?.code == .readFailed)
    }

    @Test func whatIsAddedIsDescribedAndRaisesTheRevision() throws {
        let info = try #require(Self.info)
        let joined = JoinedSource(ScriptedSource(0, describedBy: info, step: 40, length: 400))
        let before = joined.description
        joined.add(ScriptedSource(1, describedBy: info, step: 40, length: 400))
        #expect(joined.description.revision > before.revision && joined.count == 2)
        #expect(joined.description.info.streams.count == 2 * info.streams.count)
    }
}

/// Sources beside the opened one are moved to its start, unless they share its axis.
@Suite struct ContainerSourceTests {
    @Test(arguments: [(0.0, 0.0, 0.0), (0, 0.08, 0), (0, 1.4, 1.4), (36_000, 1.4, -35_998.6), (1.4, 1.0, 0)])
    func startsAreAligned(start: Double, opened: Double, shift: Double) {
        let found = ContainerSource.alignment(of: .seconds(start), to: .seconds(opened))
        #expect((found - TimeSpan.seconds(shift)).magnitude < TimeSpan(nanoseconds: 1000))
    }
}
