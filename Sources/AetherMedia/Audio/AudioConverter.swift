public import AetherCore
import CFFmpeg

/// Turns decoded audio into interleaved frames of a device: sample type, rate and channels by libswresample in float, tempo with
/// the pitch kept, volume, a limiter where channels are mixed loud, then the device's sample type. The source may change its format at any frame.
/// Owned by one thread; blocks for the work alone, which filters and tempo do in a process of the box.
///
/// Time: samples are counted, never stamped. The caller knows where they belong on the source axis; at a gap it calls `drain` and
/// `reset`.
public struct AudioConverter: ~Copyable {
    /// The format of the output.
    public let output: AudioFormat
    /// Volume and mute, applied to all frames that come out from now on.
    public var gain = AudioGain()
    /// Whether loudness is brought to −18 LUFS before the volume; without any delay.
    public var isLevelled = false {
        didSet { if isLevelled != oldValue { leveller = isLevelled ? LoudnessLeveller(output) : nil } }
    }
    /// The equaliser, behind the leveller and in front of the volume; without any delay, and gliding where it changes.
    public var equalizer = EqualizerCurve() {
        didSet {
            guard equalizer != oldValue else { return }
            // Audio that plays already glides to its new gain; audio that has not begun begins with it.
            let before = outputFramesProduced > 0 ? oldValue : equalizer
            if bands == nil {
                bands = Equalizer(
                    before, channelCount: output.channelCount, sampleRate: output.sampleRate, isHeard: outputFramesProduced > 0
                )
            }
            bands?.set(equalizer)
        }
    }
    /// Each ear hears a little of the other's channel. Only of two channels; without any delay, and gliding where it changes.
    public var hasCrossfeed = false {
        didSet {
            guard hasCrossfeed != oldValue, output.channelCount == 2 else { return }
            if crossfeed == nil {
                crossfeed = Crossfeed(sampleRate: output.sampleRate, isOn: hasCrossfeed && outputFramesProduced == 0)
            }
            crossfeed?.set(hasCrossfeed)
        }
    }
    /// A person's filters, in front of tempo and volume. Takes effect with the next `convert`, which first brings out what the former held.
    public var filters: FilterGraph?
    /// The reason why libavfilter refused them, once: audio goes on without.
    public private(set) var filterFault: MediaError?
    /// Speed of play, 0.25...4 with the pitch kept. 1 bypasses the filter: no latency. Takes effect with the next `convert`, which
    /// first brings out what the filter held at the old tempo. What is outside is clamped; NaN is 1.
    public var tempo: Double = 1 {
        didSet { tempo = tempo.isNaN ? 1 : min(max(tempo, 0.25), 4) }
    }
    /// Whether what is mixed into fewer channels is lowered or limited. Takes effect with the next `convert`.
    public var downmix: Downmix {
        get { levels.downmix }
        set {
            isMixStale = isMixStale || newValue != levels.downmix
            levels.downmix = newValue
        }
    }
    /// Frames appended since `init` or `reset`.
    public private(set) var outputFramesProduced: Int64 = 0

    private var levels: MixLevels
    /// The resampler mixes by other levels.
    private var isMixStale = false
    private var resampler: Resampler?
    private var filter: TempoFilter?
    private var personal: AudioFilters?
    private var activeFilters, refusedFilters: FilterGraph?
    private var wantedFilters: FilterGraph? { filters == refusedFilters ? nil : filters }
    private var leveller: LoudnessLeveller?
    private var bands: Equalizer?
    private var crossfeed: Crossfeed?
    /// Only where mixed channels may add up beyond full scale; holds 5 ms back.
    private var limiter: PeakLimiter?
    private var activeTempo: Double = 1
    private var mixed: [Float] = []
    private var ready: [Float] = []

    /// A converter for a device's format. Formats outside 1...64 channels and 1000...1 536 000 Hz are brought inside.
    public init(output: AudioFormat, levels: MixLevels = MixLevels()) {
        let channels = output.channels.isEmpty ? [.frontCenter] : Array(output.channels.prefix(64))
        self.output = AudioFormat(
            sampleRate: min(max(output.sampleRate, 1000), 1_536_000), channels: channels, sample: output.sample)
        self.levels = levels
    }

    /// Converts one frame and appends whole device frames; a filter may hold some back. Throws `.decodeFailed` for frames that
    /// are no audio; the converter stays usable.
    public mutating func convert(_ frame: borrowing DecodedFrame, into bytes: inout [UInt8]) throws(MediaError) {
        let source = try Resampler.Source(frame.pointer)
        if wantedFilters != activeFilters { try changeFilters(into: &bytes) }
        if tempo != activeTempo { try changeTempo(into: &bytes) }
        mixed.removeAll(keepingCapacity: true)
        if resampler == nil || resampler?.source != source || isMixStale {
            isMixStale = false
            try resampler?.convert(nil, into: &mixed)
            resampler = nil
            let opened = try Resampler(source, output: output, levels: levels)
            if opened.mayExceed, limiter == nil {
                limiter = PeakLimiter(channelCount: output.channelCount, sampleRate: output.sampleRate)
            }
            resampler = consume opened
        }
        try resampler?.convert(frame.pointer, into: &mixed)
        try stretchAndDeliver(into: &bytes)
    }

    /// Brings out everything that is held back: the end of the media, or a gap in it. Converting may go on afterwards.
    public mutating func drain(into bytes: inout [UInt8]) throws(MediaError) {
        mixed.removeAll(keepingCapacity: true)
        try resampler?.convert(nil, into: &mixed)
        resampler = nil
        try stretchAndDeliver(into: &bytes)
        try finishFilters(into: &bytes)
        try finishTempo(into: &bytes)
        activeTempo = tempo
    }

    /// Forgets everything held back, and the count: after a seek. Tempo and gain stay.
    public mutating func reset() {
        resampler = nil
        filter = nil
        personal = nil
        activeFilters = nil
        limiter = nil
        leveller?.reset()
        bands?.reset()
        crossfeed?.reset()
        activeTempo = tempo
        outputFramesProduced = 0
    }

    // MARK: Filters

    /// The reason why the filters were refused; told once.
    public mutating func takeFilterFault() -> MediaError? {
        defer { filterFault = nil }
        return filterFault
    }

    private mutating func changeFilters(into bytes: inout [UInt8]) throws(MediaError) {
        try finishFilters(into: &bytes)
        activeFilters = wantedFilters
    }

    private mutating func finishFilters(into bytes: inout [UInt8]) throws(MediaError) {
        guard personal != nil else { return }
        mixed.removeAll(keepingCapacity: true)
        do throws(MediaError) {
            try personal?.finish(into: &mixed)
        } catch {
            filterFault = error
        }
        personal = nil
        activeFilters = nil
        try stretch(into: &bytes)
    }

    /// Sends `mixed` through the person's filters. Audio that they refuse passes as it is.
    private mutating func applyFilters() {
        guard let activeFilters else { return }
        var filtered: [Float] = []
        do throws(MediaError) {
            if personal == nil { personal = try AudioFilters(activeFilters, format: output) }
            try personal?.process(mixed, into: &filtered)
            mixed = filtered
        } catch {
            filterFault = error
            personal = nil
            // Not asked again until others are wanted.
            refusedFilters = activeFilters
            self.activeFilters = nil
        }
    }

    // MARK: Tempo

    private mutating func changeTempo(into bytes: inout [UInt8]) throws(MediaError) {
        try finishTempo(into: &bytes)
        activeTempo = tempo
    }

    private mutating func finishTempo(into bytes: inout [UInt8]) throws(MediaError) {
        if filter != nil {
            ready.removeAll(keepingCapacity: true)
            // Also where its process has ended for good.
            defer { filter = nil }
            try filter?.finish(into: &ready)
            deliver(into: &bytes)
        }
        releaseLimiter(into: &bytes)
    }

    private mutating func stretchAndDeliver(into bytes: inout [UInt8]) throws(MediaError) {
        applyFilters()
        try stretch(into: &bytes)
    }

    private mutating func stretch(into bytes: inout [UInt8]) throws(MediaError) {
        guard activeTempo != 1 else {
            swap(&mixed, &ready)
            return deliver(into: &bytes)
        }
        if filter == nil { filter = try TempoFilter(tempo: activeTempo, format: output) }
        ready.removeAll(keepingCapacity: true)
        try filter?.process(mixed, into: &ready)
        deliver(into: &bytes)
    }

    // MARK: Delivery

    /// Takes everything in `ready` to the device's format.
    private mutating func deliver(into bytes: inout [UInt8]) {
        let (channelCount, sampleRate) = (output.channelCount, output.sampleRate)
        var gain = gain, leveller = leveller.take(), bands = bands.take(), crossfeed = crossfeed.take()
        ready.withUnsafeMutableBufferPointer {
            leveller?.apply(to: $0)
            bands?.apply(to: $0)
            crossfeed?.apply(to: $0)
            gain.apply(to: $0, channelCount: channelCount, sampleRate: sampleRate)
        }
        (self.gain, self.leveller, self.bands, self.crossfeed) = (gain, leveller, bands, crossfeed)
        limiter?.apply(to: &ready)
        write(into: &bytes)
    }

    /// Gives out the samples that the limiter holds back.
    private mutating func releaseLimiter(into bytes: inout [UInt8]) {
        guard limiter != nil else { return }
        ready.removeAll(keepingCapacity: true)
        limiter?.finish(into: &ready)
        write(into: &bytes)
    }

    private mutating func write(into bytes: inout [UInt8]) {
        SampleWriter.append(ready, as: output.sample, to: &bytes)
        outputFramesProduced += Int64(ready.count / output.channelCount)
    }
}
