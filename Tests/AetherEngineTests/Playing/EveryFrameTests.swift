import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Testing

@testable import AetherEngine

/// Of every frame of short films in every kind of GOP and container: a still of its time, a seek to it and a step back from the next one all show
/// it. What decoding from start to end gives is the truth.
@Suite(.serialized) struct EveryFrameTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let film: SeekVideo
        let packing: SeekVideo.Packing
        var testDescription: String { "\(film.rawValue) in \(packing.rawValue)" }

        static let all = SeekVideo.allCases.flatMap { film in SeekVideo.Packing.allCases.map { Case(film: film, packing: $0) } }
    }

    /// The frames as they are shown, with the place in the middle of each.
    private struct Truth {
        let frames: [Screening.Shown]
        func middle(_ number: Int) -> MediaTime { frames[number].pts + .milliseconds(15) }

        init(_ path: String, hidden: Int) throws {
            frames = try reference(path)
            #expect(frames.count == SeekVideo.count - hidden)
            #expect(Set(frames.map(\.hash)).count == frames.count)
            #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.pts < $1.pts })
        }
    }

    @Test(arguments: Case.all) func aStillIsTheFrameOnScreenThen(_ entry: Case) async throws {
        let path = try entry.film.clip(entry.packing)
        let truth = try Truth(path, hidden: entry.packing.hidden)
        let wrong: [String] = await withCheckedContinuation { continuation in
            _ = WorkerThread(name: "test-stills") {
                let extractor = FrameExtractor(.location(.file(path)))
                defer { extractor.shutDown() }
                var wrong: [String] = []
                var random = SeededRandom(seed: 3)
                for number in truth.frames.indices.shuffled(using: &random) {
                    do throws(MediaError) {
                        let picture = try extractor.waitForStill(at: truth.middle(number), isExact: true, width: 160)
                        let hash = HashVideoSink.hash(picture.image)
                        if hash != truth.frames[number].hash {
                            let other = truth.frames.firstIndex { $0.hash == hash }
                            wrong.append("\(number) shows \(other.map { "\($0)" } ?? "another")")
                        }
                    } catch {
                        wrong.append("\(number): \(error)")
                    }
                }
                continuation.resume(returning: wrong)
            }
        }
        #expect(wrong.isEmpty)
    }

    private func open(_ path: String, start: MediaTime? = nil, cacheBytes: Int = 0) async throws -> Screening {
        try await Screening.of(path) {
            ($0.audioOutput, $0.autoplay, $0.cacheBytes) = (.none, false, cacheBytes)
            $0.findsSubtitleFiles = false
            if let start { $0.start = .time(start - .zero) }
        }
    }

    /// Whether this frame is the last one shown, once nothing is on its way.
    private func shows(_ screening: Screening, _ frame: Screening.Shown) async -> Bool {
        await screening.eventually { $0.frames.last == frame && $0.snapshot.hasLanded($0.engine) }
    }

    @Test(arguments: Case.all) func aSeekAndAStepBackShowEveryFrame(_ entry: Case) async throws {
        let path = try entry.film.clip(entry.packing)
        let truth = try Truth(path, hidden: entry.packing.hidden)
        let screening = try await open(path, cacheBytes: entry.packing == .nut ? 64 << 20 : 0)
        #expect(await screening.reaches(.paused))
        var random = SeededRandom(seed: 5)
        var wrong: [String] = []
        for number in truth.frames.indices.shuffled(using: &random) {
            #expect(await screening.say(.seek(to: truth.middle(number), .exact)))
            if await shows(screening, truth.frames[number]) { continue }
            wrong.append("seek to \(number)")
            break
        }
        #expect(await screening.say(.seek(to: truth.middle(truth.frames.count - 1), .exact)))
        for number in truth.frames.indices.dropLast().reversed() {
            #expect(await screening.say(.stepFrame(-1)))
            if await shows(screening, truth.frames[number]) { continue }
            wrong.append("step back to \(number)")
            break
        }
        #expect(wrong.isEmpty)
        await screening.engine.stop()
    }

    /// Around key frames, where leading frames lie.
    @Test(arguments: Case.all.filter { $0.packing.hidden == 0 && $0.packing != .raw })
    func playingBeginsWithTheFrameOnScreenThen(_ entry: Case) async throws {
        let path = try entry.film.clip(entry.packing)
        let truth = try Truth(path, hidden: 0)
        for number in [10, 23, 24, 46] {
            let screening = try await open(path, start: truth.middle(number) - (truth.frames[0].pts - .zero))
            #expect(await shows(screening, truth.frames[number]))
            #expect(screening.frames.count == 1)
            await screening.engine.stop()
        }
    }

    /// Keys while paused: the key frame first, the frame at the target in the end.
    @Test(arguments: [SeekVideo.h264, .hevcOpen]) func aKeyEndsOnTheExactFrame(_ film: SeekVideo) async throws {
        let path = try film.clip(.mkv)
        let truth = try Truth(path, hidden: 0)
        let screening = try await open(path)
        #expect(await screening.reaches(.paused))
        for (command, number) in [
            (.skip(by: .seconds(1.4), .refined), 35), (.skip(by: .seconds(-0.6), .refined), 20), (.seekToFraction(0.5), 30),
            (.skip(by: .seconds(0.4), .refined), 40), (.seekToFraction(0.9), 54),
        ] as [(PlayerCommand, Int)] {
            let former = screening.frames.last
            #expect(await screening.say(command))
            #expect(await shows(screening, truth.frames[number]), "\(command)")
            #expect(screening.snapshot.position >= truth.frames[number].pts && screening.snapshot.phase == .paused)
            // Nothing that was shown on the way lies behind where it came from, in its direction.
            if case .skip(let span, _) = command, let former, let began = screening.frames.lastIndex(of: former) {
                for shown in screening.frames[began...].dropFirst() {
                    #expect(span > .zero ? shown.pts > former.pts : shown.pts < former.pts)
                }
            }
        }
        await screening.engine.stop()
    }
}
