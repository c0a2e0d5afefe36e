import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Testing

@testable import AetherEngine
@testable import AetherEngineTests

/// Sources whose streams do not fit together, that break off, and machines without a sound device.
@Suite(.serialized) struct OddSourceTests {
    @Test func audioThatBeginsLaterLeavesTheFrameInItsTime() async throws {
        let screening = try await Screening.of(try Clips.late(sound: true))
        #expect(await screening.eventually { $0.snapshot.position > .seconds(1) })
        let at = screening.snapshot.position
        let shown = try #require(screening.times.last)
        #expect((at - shown).magnitude < .milliseconds(250) + screening.punctuality.worst.scaled(by: 4))
        let isWhole = screening.times.prefix(10) == (0..<10).map { .seconds(Double($0) / 25) }[...]
        #expect(isWhole || !screening.punctuality.kept(.milliseconds(20)))
        #expect(await screening.reaches(.ended))
        #expect((screening.snapshot.position - .seconds(4)).magnitude < .milliseconds(100))
        await screening.engine.stop()
    }

    @Test func aFrameThatBeginsLaterIsShownWhenItIsDue() async throws {
        let screening = try await Screening.of(try Clips.late(sound: false)) { $0.start = .time(.seconds(2)) }
        #expect(await screening.eventually { $0.snapshot.position > .seconds(2.3) })
        #expect(await screening.eventually { $0.frames.count > 5 })
        #expect(screening.snapshot.position > .seconds(2.9))
        #expect(await screening.reaches(.ended))
        #expect((screening.snapshot.position - .seconds(4)).magnitude < .milliseconds(100))
        await screening.engine.stop()
    }

    /// One key frame a second and nothing else, each in a fragment of its own.
    @Test func fragmentsOfKeyFramesAloneArePlayedWhole() async throws {
        let film = try Fixtures.clip(
            ["-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=4", "-c:v", "libx264", "-preset", "ultrafast", "-g", "25"], ext: "mp4")
        let keys = try Fixtures.clip(
            ["-discard", "nokey", "-i", film, "-c", "copy", "-movflags", "frag_keyframe+empty_moov+default_base_moof"], ext: "mp4"
        )
        let screening = try await Screening.of(keys) { $0.isUntimed = true }
        #expect(await screening.reaches(.ended))
        #expect(screening.times == (0..<4).map { .seconds(Double($0)) })
        await screening.engine.stop()
    }

    @Test(arguments: [(2.0, 1.0), (1.0, 2.0)])
    func theLongerStreamDecidesTheEnd(_ lengths: (picture: Double, sound: Double)) async throws {
        let screening = try await Screening.of(try Clips.film(lengths.picture, sound: lengths.sound))
        #expect(await screening.reaches(.ended))
        #expect((screening.snapshot.position - .seconds(2)).magnitude < .milliseconds(100))
        #expect(screening.times.last == .seconds(lengths.picture - 0.04))
        await screening.engine.stop()
    }

    @Test func aSeekBehindTheAudioPlaysTheFramesThatRemain() async throws {
        let screening = try await Screening.of(try Clips.film(4, sound: 1))
        #expect(await screening.eventually { $0.snapshot.position > .seconds(0.2) })
        #expect(await screening.say(.seek(to: .seconds(2.5), .exact)))
        #expect(await screening.eventually { $0.snapshot.position > .seconds(2.8) })
        #expect(await screening.reaches(.ended))
        #expect(screening.times.last == .seconds(3.96))
        // And back to where there is sound.
        #expect(await screening.say(.seek(to: .seconds(0.2), .exact)))
        #expect(await screening.eventually { $0.snapshot.position > .seconds(1.3) })
        await screening.engine.stop()
    }

    @Test func oneFrameWithADamagedStampDoesNotHoldUpTheVideo() async throws {
        let began = SystemTime().now()
        let screening = try await Screening.of(try Clips.damagedStamp())
        #expect(await screening.reaches(.ended))
        let worst = screening.punctuality.worst
        #expect(SystemTime().now() - began < .seconds(8) + worst.scaled(by: 20))
        #expect(screening.frames.count >= 48 || worst > .milliseconds(20))
        #expect((screening.snapshot.position - screening.snapshot.startTime - .seconds(2)).magnitude < .milliseconds(100))
        await screening.engine.stop()
    }

    @Test func audioAloneHasAClockSeeksAndAnEnd() async throws {
        let screening = try await Screening.of(try Clips.tone(2))
        #expect(await screening.eventually { $0.snapshot.position > .seconds(0.2) })
        #expect(await screening.say(.seek(to: .seconds(1.5), .exact)))
        #expect(screening.snapshot.position >= .seconds(1.49))
        #expect(await screening.reaches(.ended))
        #expect((screening.snapshot.position - .seconds(2)).magnitude < .milliseconds(100))
        #expect(screening.frames.isEmpty)
        // Once more from the beginning, to the end again.
        let ended = screening.snapshot.epoch
        screening.engine.play()
        #expect(await screening.eventually { $0.snapshot.epoch > ended && $0.snapshot.phase == .ended })
        await screening.engine.stop()
    }

    @Test func framesAloneHaveAClockSeeksAndAnEnd() async throws {
        let screening = try await Screening.of(try Clips.silentVideo())
        #expect(await screening.eventually { $0.snapshot.position > .seconds(0.2) })
        #expect(await screening.say(.seek(to: .seconds(1.5), .exact)))
        #expect(await screening.reaches(.ended))
        #expect((screening.snapshot.position - .seconds(2)).magnitude < .milliseconds(50))
        #expect(screening.times.last == .seconds(1.96))
        await screening.engine.stop()
    }

    @Test func aMissingDeviceLeavesTheFrameOnTheMonotonicClock() async throws {
        let screening = try await Screening.of(try Clips.film(2)) { $0.audioOutput = .alsa(device: "nosuchdevice") }
        #expect(await screening.eventually { $0.snapshot.position > .seconds(0.5) })
        #expect(screening.snapshot.isSilent)
        #expect(screening.snapshot.notice == nil)
        #expect(await screening.say(.seek(to: .seconds(1.2), .exact)))
        #expect(await screening.reaches(.ended))
        #expect(screening.times.last == .seconds(1.96))
        await screening.engine.stop()
    }

    /// A file and a pipe: neither is opened a second time.
    @Test(arguments: [true, false])
    func audioAloneWithoutADevicePlaysInItsTimeAndSilence(isSeekable: Bool) async throws {
        let reader = try UnsteadyReader(try Clips.tone(1), limit: 1, edge: .end, isSeekable: isSeekable)
        let screening = Screening()
        let began = SystemTime().now()
        try await screening.engine.load(
            .custom(reader, name: "tone.flac"), options: Screening.options { $0.audioOutput = .alsa(device: "nosuchdevice") })
        #expect(await screening.eventually { $0.snapshot.position > .seconds(0.3) && $0.snapshot.phase == .playing })
        #expect(screening.snapshot.isSilent)
        #expect(await screening.reaches(.ended))
        let lasted = SystemTime().now() - began
        #expect(lasted > .seconds(0.95) && lasted < .seconds(4) + screening.punctuality.worst.scaled(by: 20))
        #expect((screening.snapshot.position - .seconds(1)).magnitude < .milliseconds(50))
        #expect(screening.snapshot.notice == nil)
        await screening.engine.stop()
    }

    @Test func anotherTrackWithoutADeviceDoesNotHang() async throws {
        let screening = try await Screening.of(try Clips.bilingual()) { $0.audioOutput = .alsa(device: "nosuchdevice") }
        #expect(await screening.eventually { $0.snapshot.isSilent && $0.snapshot.position > .seconds(0.2) })
        let other = screening.snapshot.audioTracks[1].id
        screening.engine.selectAudioTrack(id: other)
        #expect(await screening.eventually { $0.snapshot.activeAudioTrack == other && $0.snapshot.phase == .playing })
        let at = screening.snapshot.position
        #expect(await screening.eventually { $0.snapshot.position > at + .milliseconds(200) })
        await screening.engine.stop()
    }

    @Test func aTrackThatDoesNotExistDoesNotHang() async throws {
        let screening = try await Screening.of(try Clips.film(4))
        #expect(await screening.eventually { $0.snapshot.position > .seconds(0.2) })
        screening.engine.selectAudioTrack(id: TrackID(.container, 77))
        #expect(await screening.eventually { $0.snapshot.isSilent })
        #expect(await screening.eventually { $0.snapshot.position > .seconds(0.8) })
        await screening.engine.stop()
    }

    @Test func anotherFrameGoesOnWhereOneIs() async throws {
        let screening = try await Screening.of(try Clips.twoPictures())
        #expect(await screening.eventually { $0.snapshot.position > .seconds(0.5) && !$0.frames.isEmpty })
        #expect(screening.snapshot.videoSize == PixelSize(width: 96, height: 64))
        let other = screening.snapshot.videoTracks[1].id, at = screening.snapshot.position
        #expect(await screening.say(.selectVideoTrack(other)))
        #expect(screening.snapshot.activeVideoTrack == other)
        #expect(screening.snapshot.videoSize == PixelSize(width: 64, height: 96))
        #expect((screening.snapshot.position - at).magnitude < .seconds(1) + screening.punctuality.worst.scaled(by: 10))
        // The other stream has 10 pictures a second: their times lie 100 ms apart.
        let shown = screening.frames.count
        #expect(await screening.eventually { $0.frames.count > shown + 4 })
        let steps = zip(screening.times.dropFirst(shown + 1), screening.times.dropFirst(shown + 2)).map { $1 - $0 }
        let isWhole = steps.allSatisfy { ($0 - .milliseconds(100)).magnitude < .milliseconds(2) }
        #expect(isWhole || !screening.punctuality.kept(.milliseconds(20)))
        await screening.engine.stop()
    }

    @Test func anotherTrackGoesOnWhereOneIs() async throws {
        let screening = try await Screening.of(try Clips.bilingual()) {
            $0.audioLanguages = ["de"]
            $0.cacheBytes = 0
        }
        #expect(screening.snapshot.activeAudioTrack == screening.snapshot.audioTracks[1].id)
        #expect(await screening.eventually { $0.snapshot.position > .seconds(0.5) })
        let other = screening.snapshot.audioTracks[0].id, at = screening.snapshot.position
        #expect(await screening.say(.selectAudioTrack(other)))
        #expect(screening.snapshot.activeAudioTrack == other)
        #expect((screening.snapshot.position - at).magnitude < .seconds(1) + screening.punctuality.worst.scaled(by: 10))
        #expect(await screening.eventually { $0.snapshot.position > at + .milliseconds(300) })
        await screening.engine.stop()
    }

    @Test func aSourceThatBreaksOffPlaysWhatItGaveAndSaysSo() async throws {
        let reader = try UnsteadyReader(try Clips.film(4), limit: 0.6, edge: .breakOff)
        let screening = Screening()
        try await screening.engine.load(.custom(reader, name: "broken.mkv"), options: Screening.options { $0.rate = 4 })
        #expect(await screening.reaches(.ended))
        #expect(screening.snapshot.notice?.text.hasPrefix("the source broke off") == true)
        let last = try #require(screening.times.last)
        #expect(last > .seconds(1) && last < .seconds(3.9))
        await screening.engine.stop()
    }

    /// The clock stands while nothing comes, and the end is still found when all that comes then is the end.
    @Test func aSourceThatRunsDryStandsAndThenEnds() async throws {
        let reader = try UnsteadyReader(try Clips.film(4), limit: 0.5, edge: .wait, isSeekable: false)
        let screening = Screening()
        try await screening.engine.load(.custom(reader, name: "slow.mkv"), options: Screening.options())
        #expect(await screening.reaches(.rebuffering))
        let stood = screening.snapshot.position
        #expect(!(await screening.passes(.milliseconds(150)) { $0.snapshot.position != stood }))
        reader.move(limit: 0.5, edge: .end)
        #expect(await screening.reaches(.ended))
        await screening.engine.stop()
    }

    @Test func aSourceThatRunsDryGoesOnWhenThereIsMore() async throws {
        let reader = try UnsteadyReader(try Clips.film(4), limit: 0.5, edge: .wait, isSeekable: false)
        let screening = Screening()
        try await screening.engine.load(.custom(reader, name: "slow.mkv"), options: Screening.options())
        #expect(await screening.reaches(.rebuffering))
        let stood = screening.snapshot.position
        reader.move(limit: 1, edge: .end)
        #expect(await screening.eventually { $0.snapshot.phase == .playing && $0.snapshot.position > stood + .milliseconds(300) })
        #expect(await screening.reaches(.ended))
        #expect(screening.times.last == .seconds(3.96))
        await screening.engine.stop()
    }

    /// Without sound nobody but the pictures can say that the source is slow.
    @Test func framesThatRunDryStopTheClockAndNoneIsLeftOut() async throws {
        let reader = try UnsteadyReader(try Clips.silentStream(), limit: 0.5, edge: .wait, isSeekable: false)
        let screening = Screening()
        try await screening.engine.load(.custom(reader, name: "slow.mkv"), options: Screening.options())
        #expect(await screening.reaches(.rebuffering))
        let stood = screening.snapshot.position
        #expect(!(await screening.passes(.milliseconds(150)) { $0.snapshot.position != stood }))
        reader.move(limit: 1, edge: .end)
        #expect(await screening.reaches(.ended))
        #expect(screening.times.last == .seconds(3.96))
        #expect(screening.frames.count >= 98 || !screening.punctuality.kept(.milliseconds(20)))
        await screening.engine.stop()
    }

    @Test func stoppingDuringALoadEndsTheLoad() async throws {
        let reader = try UnsteadyReader(try Clips.film(4), limit: 0.01, edge: .wait)
        let screening = Screening()
        async let loaded = Result {
            try await screening.engine.load(.custom(reader, name: "never.mkv"), options: Screening.options())
        }
        #expect(await screening.eventually { _ in reader.waitCount > 0 })
        await screening.engine.stop()
        guard case .failure(let error as MediaError) = await loaded else {
            Issue.record("a load that was stopped did not fail")
            return
        }
        #expect(error.code == .interrupted)
        #expect(screening.snapshot.phase == .idle)
    }

    @Test(arguments: 0..<10) func stoppingRightAfterTheLoadBeganLeavesNothingBehind(round: Int) async throws {
        let screening = Screening()
        screening.engine.begin(.location(.file(try Clips.film(4))), options: Screening.options())
        await screening.engine.stop()
        #expect(screening.engine.session == nil)
        #expect(screening.snapshot.phase == .idle)
    }

    @Test func whatIsNoMediaIsAnError() async throws {
        let screening = Screening()
        do throws(MediaError) {
            try await screening.engine.load(
                .custom(MemoryReader([UInt8](repeating: 7, count: 5000)), name: "noise.bin"), options: Screening.options())
            Issue.record("noise was opened")
        } catch {
            #expect(error.code == .notMedia)
            #expect(screening.snapshot.phase == .error(error))
        }
        // The next source is not harmed.
        try await screening.engine.load(.location(.file(try Clips.film(2))), options: Screening.options())
        #expect(await screening.eventually { $0.frames.count > 3 })
        await screening.engine.stop()
    }
}

extension Result where Failure == any Error {
    /// The result of an asynchronous body: its value or its error.
    init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
