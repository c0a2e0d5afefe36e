import AetherCore
public import AetherEngine
import Synchronization

/// The meters and curves of the audio that is heard at a moment, for the Audio tab. A value.
public struct AudioView: Sendable, Equatable {
    /// The meters of the block that was heard last; nil before one.
    public internal(set) var reading: AudioMeter.Reading?
    /// The last seconds, the newest last.
    public internal(set) var columns: [AudioColumn] = []
    /// The device's readings of the last half minute, the newest last.
    public internal(set) var clock: [ClockReading] = []
}

/// A stretch of 1024 samples: their ends, and their spectrum.
public struct AudioColumn: Sendable, Equatable {
    /// Its end, in seconds of the source.
    let end: Double
    let least, most: Float
    /// The height of each band, 0...255: −66 dB and less … −6 dB and more.
    let bands: [UInt8]

    /// Bands of a column, from low to high.
    static let bandCount = 64
}

/// Meters what the engine's taps give while the Audio tab is open, and looks up what of it is heard now: the taps are ahead of the ear by a second
/// at most. Any thread; never blocks.
final class AudioScope: Sendable {
    private struct State {
        var meter: AudioMeter?
        var readings: [AudioMeter.Reading] = []
        var columns: [AudioColumn] = []
        /// Samples that are no column yet, mixed to one channel.
        var rest: [Float] = []
        var clock: [ClockReading] = []
        /// Buffers that were metered, for tests.
        var count = 0
    }
    private let state = Mutex(State())

    /// Seconds that are kept: what is ahead, and what is seen.
    private static let span = 12.0
    private static let clockLimit = 1500
    /// Columns that are seen: 5 s at 48 kHz.
    static let shown = 240

    /// Buffers that were metered so far.
    var count: Int { state.withLock { $0.count } }

    func take(_ buffer: ChannelTapBuffer) {
        state.withLock { state in
            state.count += 1
            if buffer.discontinuity {
                // After a seek what was metered belongs to another place; loudness goes on.
                state.readings.removeAll { $0.end > buffer.sourceTime || $0.end < buffer.sourceTime - Self.span }
                state.columns.removeAll { $0.end > buffer.sourceTime || $0.end < buffer.sourceTime - Self.span }
                state.rest = []
            }
            if state.meter?.format != buffer.format { state.meter = AudioMeter(buffer.format) }
            state.readings += state.meter?.take(buffer.samples, start: buffer.sourceTime) ?? []
            Self.addColumns(buffer, &state)
            if state.readings.count > 256 { state.readings.removeFirst(128) }
            if state.columns.count > 1536 { state.columns.removeFirst(512) }
        }
    }

    func take(_ reading: ClockReading) {
        state.withLock { state in
            guard state.clock.last?.host != reading.host else { return }
            state.clock.append(reading)
            if state.clock.count > Self.clockLimit { state.clock.removeFirst(Self.clockLimit / 2) }
        }
    }

    /// The view of the audio that is heard at a point of the source, in seconds.
    func view(at seconds: Double) -> AudioView {
        state.withLock { state in
            AudioView(
                reading: state.readings.last { $0.end <= seconds },
                columns: state.columns.filter { $0.end <= seconds }.suffix(Self.shown),
                clock: state.clock)
        }
    }

    private static func addColumns(_ buffer: ChannelTapBuffer, _ state: inout State) {
        let channels = max(1, buffer.format.channelCount), size = Spectrum.transform.count
        let before = state.rest.count
        for frame in 0..<buffer.samples.count / channels {
            var sum: Float = 0
            for channel in 0..<channels { sum += buffer.samples[frame * channels + channel] }
            let mean = sum / Float(channels)
            state.rest.append(mean.isFinite ? mean : 0)
        }
        var taken = 0
        while state.rest.count - taken >= size {
            let samples = Array(state.rest[taken..<taken + size])
            taken += size
            let end = buffer.sourceTime + Double(taken - before) / Double(max(1, buffer.format.sampleRate))
            state.columns.append(column(samples, end))
        }
        state.rest.removeFirst(taken)
    }

    private static func column(_ samples: [Float], _ end: Double) -> AudioColumn {
        let amplitudes = Spectrum.transform.amplitudes(samples)
        let bands = (0..<AudioColumn.bandCount).map { band -> UInt8 in
            let strongest = amplitudes[Spectrum.places(band, of: AudioColumn.bandCount, in: amplitudes.count)].max() ?? 0
            return Spectrum.height(strongest)
        }
        return AudioColumn(end: end, least: samples.min() ?? 0, most: samples.max() ?? 0, bands: bands)
    }
}
