import AetherCore
import AetherMedia
import AetherTestSupport
import Testing

@testable import AetherEngine

/// The layout that a device, and the converter in front of it, is asked for. On a device that takes everything and keeps a manual time.
@Suite struct AskedLayoutTests {
    private let pipeline = Pipeline()
    private let routes = Monitor<[AudioOutputRoute]>([])

    private var stage: AudioStage {
        let time = ManualTime(), routes = routes
        return AudioStage(
            pipeline: pipeline, synchronizer: RenderSynchronizer(), counters: SessionCounters(), time: time,
            report: { event in if case .audioOutput(let route) = event { routes.update { $0.append(route) } } },
            stream: { _ in nil }, devices: AudioDeviceList(count: 1, make: { _ in NullAudioDevice(time: time) }))
    }

    @Test(arguments: [(SpeakerLayout.auto, 6), (.stereo, 2), (.surround51, 6), (.surround71, 8)])
    func theDeviceIsOpenedInIt(_ layout: SpeakerLayout, _ count: Int) throws {
        pipeline.change { $0.settings.channels = layout }
        var feed = AudioFeed(stage: stage), renderer: AudioRenderer?
        feed.wanted = AudioFormat(sampleRate: 48_000, channelCount: 6)
        try feed.openDevice(into: &renderer)
        let heard = feed.converter?.output.channels
        #expect(heard == AudioChannel.usual(count))
        // The route names the source's own channels.
        let route = try #require(routes.read { $0.last })
        #expect(route.format.channels == AudioChannel.usual(count) && route.sourceChannels == AudioChannel.usual(6))
    }

    @Test func itIsOpenedAnewInAnotherOneAndNotInTheSame() throws {
        var feed = AudioFeed(stage: stage), renderer: AudioRenderer?
        feed.wanted = AudioFormat(sampleRate: 48_000, channelCount: 6)
        try feed.openDevice(into: &renderer)
        for (layout, isOther) in [(SpeakerLayout.auto, false), (.surround51, false), (.stereo, true), (.surround71, true)] {
            pipeline.change { $0.settings.channels = layout }
            let asked = renderer?.wanted
            let mustReopen = feed.mustReopen(nil, asked: asked)
            #expect(mustReopen == isOther, "\(layout)")
        }
    }
}
