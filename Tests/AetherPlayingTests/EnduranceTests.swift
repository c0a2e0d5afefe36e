import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine
@testable import AetherEngineTests

/// Long runs. Resources that must be back at zero afterwards are counted in a process of its own, because other suites run in this one.
@Suite(.serialized) struct EnduranceTests {
    @Test func twoHundredRandomWishesLandAndLeaveNothingBehind() async {
        await #expect(processExitsWith: .success) {
            let screening = try await Screening.of(try Clips.bilingual())
            var random = SeededRandom(seed: 20)
            for number in 0..<200 {
                let command = wish(&random, screening.snapshot)
                screening.engine.send(command)
                // Sometimes the next wish comes while this one is on its way.
                if random.below(3) == 0 { continue }
                let settled = await screening.eventually { $0.isSettled }
                #expect(settled, "wish \(number), \(command), ended in \(screening.snapshot.phase)")
                if !settled { break }
            }
            screening.engine.send(.set(.rate(1)))
            screening.engine.pause()
            #expect(await screening.eventually { $0.isSettled && $0.snapshot.phase != .playing })
            #expect(await screening.say(.seek(to: .seconds(3.3), .exact)))
            #expect(await screening.shows(.seconds(3.28)))
            await screening.engine.stop()
            #expect(MediaBalance.packets.current == 0)
            #expect(MediaBalance.payloadBlocks.current == 0)
            #expect(MediaBalance.frames.current == 0)
            #expect(MediaBalance.contexts.current == 0)
        }
    }

    @Test func twentyLoadsLeaveNoThreadAndNoDescriptor() async {
        await #expect(processExitsWith: .success) {
            let paths = [try Clips.film(2), try Clips.silentVideo(), try Clips.tone(), try Clips.bilingual()]
            let screening = Screening()
            // The first load starts what a process has once: the pool of tasks, log files.
            try await screening.engine.load(.location(.file(paths[0])), options: Screening.options())
            #expect(await screening.eventually { $0.frames.count > 2 })
            await screening.engine.stop()
            #expect(await screening.eventually { _ in descriptors() != nil })
            let files = descriptors(), threads = workers()
            for load in 0..<20 {
                screening.engine.begin(.location(.file(paths[load % 4])), options: Screening.options())
                // Every other one is replaced before or while it opens.
                if load % 2 == 0 { #expect(await screening.eventually { $0.snapshot.position > .seconds(0.05) }) }
            }
            await screening.engine.stop()
            #expect(MediaBalance.packets.current == 0)
            #expect(MediaBalance.payloadBlocks.current == 0)
            #expect(MediaBalance.frames.current == 0)
            #expect(MediaBalance.contexts.current == 0)
            // A thread that was joined is gone from /proc a moment later: the first look may have met one of those.
            #expect(await screening.eventually { _ in workers().count <= threads.count })
            #expect(await screening.eventually { _ in (descriptors() ?? .max) <= files ?? 0 })
        }
    }
}

extension EnduranceTests {
    /// Playlists, keys, init sections, connections: what a load of a stream holds is given back by the next one.
    @Test func twoHundredLoadsOfStreamsHoldNoMoreThanTheFirst() async {
        await #expect(processExitsWith: .success) {
            let films = try [SegmentedVideo.Shape.ladder, .fragments, .ciphered, .dashTimeline].map { shape in
                let film = try SegmentedVideo(shape), origin = try film.origin()
                return (film: film, origin: origin, address: origin.address + "/" + shape.manifest)
            }
            let screening = Screening()
            var heaps: [Int] = [], files: [Int] = [], sockets: [Int] = [], threads: [Int] = []
            for load in 0..<200 {
                let before = screening.frames.count
                screening.engine.begin(.location(.url(films[load % films.count].address)), options: Screening.options())
                // Every third one is replaced while it opens.
                if load % 3 != 2 { #expect(await screening.eventually { $0.frames.count > before }) }
                if load % 20 == 19 {
                    await screening.engine.stop()
                    #expect(MediaBalance.packets.current == 0 && MediaBalance.payloadBlocks.current == 0)
                    #expect(MediaBalance.frames.current == 0 && MediaBalance.contexts.current == 0)
                    #expect(await screening.eventually { _ in workers().isEmpty })
                    heaps.append(HeapUse.bytes)
                    let open = try descriptorTargets(), connected = open.filter { $0.hasPrefix("socket:") }.count
                    files.append(open.count - connected)
                    sockets.append(connected)
                    threads.append(workers().count)
                }
            }
            let grown = (heaps.suffix(3).min() ?? 0) - (heaps[1...3].max() ?? 0)
            // 120 loads lie between them: 4 KB for each would be seen. The frames that the test notes take 16 bytes each.
            #expect(grown < 512 << 10, "\(grown) bytes, \(heaps)")
            #expect((files.last ?? 0) <= files[1], "\(files)")
            // How many connections are kept varies: six to each server at most, with both ends in this process, and one that listens.
            #expect(sockets.allSatisfy { $0 <= films.count * 13 + 8 }, "\(sockets)")
            withExtendedLifetime(films) {}
        }
    }

    /// Ten minutes of film, untimed, in place of two hours (`make soak`): what is held at the end is what was held after the first minutes.
    @Test func aLongVideoHoldsNoMoreAtItsEnd() async {
        await #expect(processExitsWith: .success) {
            let minute = try Clips.film(60)
            let folder = try TemporaryFolder()
            let made = try Fixtures.run(
                "ffmpeg", ["-v", "error", "-stream_loop", "9", "-i", minute, "-c", "copy", folder.path("long.mkv")])
            try #require(made.status == 0)
            // A cache that is full after two minutes of it.
            let screening = try await Screening.of(folder.path("long.mkv")) {
                $0.isUntimed = true
                $0.audioOutput = .none
                $0.cacheBytes = 2 << 20
            }
            var looks: [(heap: Int, workers: Int, files: Int)] = []
            for minute in 1...9 {
                // By frames, of which there are 25 a second: the position is the clock's, which does not hurry.
                #expect(await screening.eventually { $0.frames.count > minute * 1500 })
                looks.append((HeapUse.bytes, workers().count, descriptors() ?? 0))
            }
            #expect(await screening.reaches(.ended))
            let (early, late) = (looks[2...4], looks[6...8])
            let grown = (late.map(\.heap).min() ?? 0) - (early.map(\.heap).max() ?? 0)
            #expect(grown < 2 << 20, "\(grown) bytes, \(looks.map(\.heap))")
            #expect(late.allSatisfy { $0.workers <= looks[2].workers && $0.files <= looks[2].files })
            await screening.engine.stop()
        }
    }
}

/// One thing a person may ask for.
private func wish(_ random: inout SeededRandom, _ snapshot: EngineSnapshot) -> PlayerCommand {
    let target = MediaTime.milliseconds(Double(random.below(6500)) - 200)
    switch random.below(14) {
    case 0...3: return .seek(to: target, .exact)
    case 4, 5: return .seek(to: target, .keyframe)
    case 6: return .skip(by: .milliseconds(Double(random.below(4000) - 2000)), random.below(2) == 0 ? .exact : .keyframe)
    case 7: return .play
    case 8: return .pause
    case 9: return .togglePlayPause
    case 10: return .set(.rate([0.5, 1, 1.5, 4][random.below(4)]))
    case 11: return .selectAudioTrack(snapshot.audioTracks[random.below(2)].id)
    case 12: return .stepFrame(random.below(2) * 2 - 1)
    default: return .seekToFraction(Double(random.below(100)) / 100)
    }
}

/// Threads of sessions: those of the runtime's own pool come and go.
private func workers() -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task"))?.compactMap { task in
        // A thread that ends between the listing and this look has no name: it is gone.
        try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8).trimmingCharacters(in: .newlines)
    }
    let own: Set = ["demux", "video", "audio", "pace", "reaper", "open-wait"]
    return (names ?? []).filter { own.contains($0) || $0.hasPrefix("av:") }.sorted()
}

private func descriptors() -> Int? {
    // Where /proc is missing there is nothing to count.
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count
}

/// The targets of this process's descriptors, without that of the listing itself, which is closed by then.
private func descriptorTargets() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { name in
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name)
    }
}

extension Screening {
    /// Landed, the clock stands or runs as it should, and a picture of this epoch is out.
    var isSettled: Bool {
        let now = snapshot
        guard now.seekTarget == nil, now.hasFirstFrame else { return false }
        switch now.phase {
        case .playing: return (clockRate ?? 0) > 0
        case .paused: return clockRate == 0
        case .ended: return true
        default: return false
        }
    }
}
