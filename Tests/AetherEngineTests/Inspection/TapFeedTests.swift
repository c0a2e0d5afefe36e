import AetherCore
import AetherMedia
import AetherTestSupport
import Testing

@testable import AetherEngine

@Suite struct TapFeedTests {
    /// Feeds the first frames of a clip of three channels at 44.1 kHz.
    private func feed(_ taps: AudioTaps, frames: Int = 4) throws {
        let path = try Fixtures.clip(
            ["-f", "lavfi", "-i", "sine=440:r=44100:d=1", "-af", "pan=2.1|FL=c0|FR=0.5*c0|LFE=0*c0", "-c:a", "flac"], ext: "mka")
        let input = try MediaInput(.location(.file(path)), interrupt: Interrupt())
        var demuxer = try Demuxer(input, options: OpenOptions(), interrupt: Interrupt())
        let stream = try #require(demuxer.info.streams.first { $0.kind == .audio })
        var decoder = try AudioDecoder(stream.parameters), feed = TapFeed(taps), count = 0
        while count < frames {
            _ = try decoder.send(try demuxer.read(epoch: Epoch()))
            while count < frames, let frame = try decoder.receive() {
                feed.take(frame, heardAt: frame.pts ?? .zero, isNew: count == 0)
                count += 1
            }
        }
    }

    @Test func aListenerGetsAllChannelsAtTheSourcesRate() async throws {
        let taps = AudioTaps(), stream = taps.channels.listen()
        try feed(taps)
        taps.finish()
        var buffers: [ChannelTapBuffer] = []
        for await buffer in stream { buffers.append(buffer) }
        #expect(buffers.count == 4 && buffers.map(\.discontinuity) == [true, false, false, false])
        let first = try #require(buffers.first), format = first.format
        #expect(format.sampleRate == 44_100 && format.channels == [.frontLeft, .frontRight, .lowFrequency])
        let peaks = (0..<3).map { channel in
            buffers.flatMap { buffer in stride(from: channel, to: buffer.samples.count, by: 3).map { abs(buffer.samples[$0]) } }
                .max() ?? 0
        }
        #expect(peaks[0] > 0.1 && abs(peaks[1] / peaks[0] - 0.5) < 0.01 && peaks[2] == 0)
        let length = Double(first.samples.count / 3) / 44_100
        #expect(abs(buffers[1].sourceTime - first.sourceTime - length) < 0.002)
    }

    /// Nobody listens: no converter is made, and nothing is converted.
    @Test func nothingIsConvertedForNobody() async throws {
        let taps = AudioTaps()
        #expect(!taps.channels.isHeard && !taps.mono.isHeard && !taps.clock.isHeard)
        try feed(taps)
        let listener = Task { for await _ in taps.channels.listen() {} }
        while !taps.channels.isHeard { await Task.yield() }
        // A tab that closes lets go at once.
        listener.cancel()
        _ = await listener.value
        #expect(!taps.channels.isHeard)
    }
}
