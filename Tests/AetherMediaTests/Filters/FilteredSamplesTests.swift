import AetherCore
import CFFmpeg
import Testing

@testable import AetherMedia

/// A box whose filters hand over whatever they like.
private final class LyingBox: FilteringBox, BoxedFiltering {
    private let format: AVSampleFormat
    private let channels: Int
    let timeBase = TimeBase(1, 48000)

    init(_ format: AVSampleFormat, channels: Int) { (self.format, self.channels) = (format, channels) }

    func openFilters(_ order: FilterOrder) throws(MediaError) -> (any BoxedFiltering)? { self }
    func send(_ frame: borrowing DecodedFrame) throws(MediaError) {}
    func finish() throws(MediaError) {}

    /// Always one more.
    func receive() throws(MediaError) -> DecodedFrame? {
        guard let frame = av_frame_alloc() else { return nil }
        (frame.pointee.format, frame.pointee.sample_rate, frame.pointee.nb_samples) = (format.rawValue, 48000, 4096)
        ChannelLayout.setDefault(&frame.pointee.ch_layout, channelCount: channels)
        let isFilled = av_frame_get_buffer(frame, 0) >= 0, made = DecodedFrame(taking: frame, pts: nil, duration: nil)
        guard isFilled else { return nil }
        return made
    }
}

/// Samples of a box are of the wanted form and number, or refused.
@Suite struct FilteredSamplesTests {
    private let format = AudioFormat(sampleRate: 48000, channelCount: 2)

    @Test(
        arguments: [
            (AV_SAMPLE_FMT_U8, 2), (AV_SAMPLE_FMT_FLT, 1), (AV_SAMPLE_FMT_FLTP, 2), (AV_SAMPLE_FMT_S16, 2),
            (AV_SAMPLE_FMT_FLT, 8),
            // As wanted, without end.
            (AV_SAMPLE_FMT_FLT, 2),
        ] as [(AVSampleFormat, Int)])
    func neitherAnotherFormNorMoreThanThereIsPasses(_ sample: AVSampleFormat, _ channels: Int) throws {
        let box = LyingBox(sample, channels: channels), samples = [Float](repeating: 0.25, count: 2048)
        var tempo = try TempoFilter(tempo: 1.5, format: format, in: box), output: [Float] = [], fault: MediaError?
        do throws(MediaError) { try tempo.process(samples, into: &output) } catch { fault = error }
        #expect(fault?.code == .decodeFailed && output.count <= 2 * 48000 * 3)
        guard sample != AV_SAMPLE_FMT_FLT || channels != 2 else { return }
        var filters = try AudioFilters(try FilterGraph("volume=0.5", .audio), format: format, in: box)
        fault = nil
        do throws(MediaError) { try filters.process(samples, into: &output) } catch { fault = error }
        #expect(fault?.code == .decodeFailed)
    }
}
