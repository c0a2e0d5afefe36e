import AetherCore
import AetherFormats
import AetherMedia
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine
@testable import AetherEngineTests

/// Sources that are kept ready beside the one that plays.
@Suite(.serialized) struct StandbyTests {
    private static func requests(_ origin: TestOrigin) -> [String: Int] {
        origin.requests.reduce(into: [:]) { $0[$1.target, default: 0] += 1 }
    }

    private static let options = Screening.options { options in
        (options.autoplay, options.liveJoinProfile) = (false, .fastZap)
    }

    /// Four segments of a second, of a broadcast that does not go on.
    private struct Broadcast {
        let film: SegmentedVideo
        let origin: TestOrigin
        var channel: MediaSource { .location(.url(origin.address + "/l0.m3u8")) }

        /// Blocks until all of it was read: the list is asked for more.
        func isRead() async -> Bool {
            await WorkerThread.value(name: "wait") { [origin] in
                origin.wait { requests in requests.count { $0.target == "/l0.m3u8" } >= 2 }
            }
        }
    }

    private static func broadcast() throws -> Broadcast {
        let film = try SegmentedVideo(.muxedLadder)
        try film.rewrite("l0.m3u8") { text in
            text.replacing("#EXT-X-ENDLIST", with: "").replacing("#EXT-X-PLAYLIST-TYPE:VOD\n", with: "")
        }
        return Broadcast(film: film, origin: try film.origin())
    }

    @Test func aBroadcastThatWasReadAlongBeginsWithoutARequest() async throws {
        let broadcast = try Self.broadcast(), origin = broadcast.origin, channel = broadcast.channel, screening = Screening()
        try await screening.engine.load(.location(.file(try Clips.silentVideo())), options: Self.options)
        screening.engine.keepReady([(channel, Self.options)])
        #expect(await broadcast.isRead())
        let before = Self.requests(origin), shown = screening.frames.count
        #expect(before["/s0_2.ts"] == 1 && before["/s0_3.ts"] == 1 && before["/s0_1.ts"] == nil, "\(before)")
        try await screening.engine.load(channel, options: Self.options)
        #expect(await screening.eventually { $0.frames.count > shown && $0.snapshot.phase == .paused })
        // The newest key frame with a segment and a half behind it; the axis is the list's, a reordered frame late.
        #expect(screening.times.last.map { abs($0.seconds - 2) < 0.1 } == true, "\(screening.times)")
        let after = Self.requests(origin)
        #expect(["/s0_2.ts", "/s0_3.ts"].allSatisfy { after[$0] == 1 } && after["/s0_0.ts"] == nil, "\(after)")
        #expect(screening.snapshot.activeAudioTrack != nil && screening.snapshot.isLive)
        await screening.engine.stop()
    }

    /// Threads of this process that read sources.
    private static func readers() -> Int {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        // A thread that has ended since has no name.
        return tasks.count { (try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)) == "demux\n" }
    }

    @Test func whatIsNotWantedAnyMoreEnds() async {
        await #expect(processExitsWith: .success) {
            let broadcast = try StandbyTests.broadcast(), screening = Screening()
            screening.engine.keepReady([(broadcast.channel, StandbyTests.options)])
            #expect(await broadcast.isRead())
            #expect(StandbyTests.readers() == 1)
            screening.engine.keepReady([])
            #expect(await screening.eventually { _ in StandbyTests.readers() == 0 })
            await screening.engine.stop()
        }
    }

    /// Another start, or other headers: it is opened as if nothing had been ready.
    @Test func aLoadThatAsksForSomethingElseOpensItAnew() async throws {
        let broadcast = try Self.broadcast(), origin = broadcast.origin, channel = broadcast.channel, screening = Screening()
        screening.engine.keepReady([(channel, Self.options)])
        #expect(await broadcast.isRead())
        var other = Self.options
        other.http.headers["X-Own"] = "1"
        try await screening.engine.load(channel, options: other)
        #expect(origin.requests.contains { $0.target == "/s0_2.ts" && $0.fields["x-own"] == "1" })
        await screening.engine.stop()
    }

    @Test func whatCannotBeOpenedIsToldWhenItIsPlayed() async throws {
        let origin = try TestOrigin([:]), screening = Screening()
        let channel = MediaSource.location(.url(origin.address + "/none.m3u8"))
        screening.engine.keepReady([(channel, Self.options)])
        #expect(await WorkerThread.value(name: "wait") { origin.waitForRequests(1) })
        await #expect(throws: MediaError.self) { try await screening.engine.load(channel, options: Self.options) }
        await screening.engine.stop()
    }

    /// A file has no edge: it stands open at its start.
    @Test func aFileOfAServerIsOpenAlready() async throws {
        let origin = try TestOrigin(["/a.mkv": .file(try Clips.silentVideo())]), screening = Screening()
        let file = MediaSource.location(.url(origin.address + "/a.mkv"))
        var options = Self.options
        options.audioOutput = .none
        screening.engine.keepReady([(file, options)])
        #expect(await WorkerThread.value(name: "wait") { origin.waitForRequests(1) })
        try await screening.engine.load(file, options: options)
        #expect(await screening.eventually { $0.frames.count == 1 && $0.snapshot.phase == .paused })
        #expect(screening.times == [.zero] && origin.requests.count { $0.offset ?? 0 == 0 } == 1, "\(Self.requests(origin))")
        await screening.engine.stop()
    }
}
