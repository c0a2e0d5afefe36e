import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Testing

@testable import AetherEngine

/// Settings on their way to the source that follows without a gap. On the control plane alone: no source is opened, nothing sounds.
@Suite struct CarriedSettingsTests {
    private final class Told: Sendable {
        let published = Monitor(PublishedState())
    }

    /// A control whose first source, audio alone, is open and read to its end, and which was told what follows.
    private func following(_ told: Told, _ before: [SettingChange] = []) -> PlaybackControl {
        var control = PlaybackControl(
            sink: NullVideoSink(), time: ManualTime(), teardown: Monitor(Teardown()), audience: Audience(), taps: AudioTaps(),
            post: { _ in }, publish: { change in told.published.update { change(&$0) } })
        var options = LoadOptions()
        options.audioOutput = .none
        // Opening fails, on a thread of its own, and says so to nobody: what is said here to the machine counts.
        let missing = MediaSource.location(.file("/nowhere/at/all.flac"))
        told.published.update { $0.load = 1 }
        control.handle(.load(1, missing, options))
        let song = SourceShape(duration: .seconds(4), hasAudio: true)
        control.fold(.opened(song, start: nil))
        for change in before { control.handle(.command(.set(change))) }
        control.handle(.next(1, missing, options))
        control.stage(.readToEnd)
        return control
    }

    private func end(_ control: inout PlaybackControl) {
        control.upcoming[0].fold(.opened(SourceShape(duration: .seconds(4), hasAudio: true), start: nil))
        control.fold(.finished(.audio, control.machine.epoch, at: .seconds(4)))
    }

    private static let curve = EqualizerCurve("bass") ?? EqualizerCurve()

    @Test(arguments: [true, false]) func anEqualiserThatWasSetGoesOnIntoTheNextSong(_ isEarly: Bool) throws {
        let told = Told(), changes: [SettingChange] = [.equalizer(Self.curve), .rate(1.5), .muted(true), .volume(0.5)]
        var control = following(told, isEarly ? changes : [])
        try #require(control.upcoming.count == 1)
        if !isEarly { for change in changes { control.handle(.command(.set(change))) } }
        // The first sample of it is treated already as the last one before it.
        #expect(control.upcoming[0].session?.pipeline.state.read { $0.intent.settings } == control.machine.settings)
        _ = control.machine.handle(.primed(.audio, control.machine.epoch, .zero))
        end(&control)
        let snapshot = told.published.read { $0.snapshot }
        #expect(snapshot.advances == 1 && snapshot.equalizer == Self.curve)
        #expect(snapshot.settings.changes(since: PlaybackSettings()).count == 4)
        #expect(snapshot.settings == control.machine.settings)
        control.handle(.stop)
    }

    @Test func aSubtitleDelayStaysWithItsFile() throws {
        let told = Told()
        var control = following(told)
        control.handle(.command(.set(.subtitleDelay(.seconds(2)))))
        control.handle(.command(.set(.subtitleScale(2))))
        _ = control.machine.handle(.primed(.audio, control.machine.epoch, .zero))
        end(&control)
        let snapshot = told.published.read { $0.snapshot }
        #expect(snapshot.advances == 1 && snapshot.subtitleDelay == .zero && snapshot.subtitleScale == 2)
        control.handle(.stop)
    }
}
