import AetherCore
import AetherMedia

/// The decoding half of the audio thread: packets of one stream in, device samples in the renderer's queue out, each placed on the
/// media axis. Opens the device at the first audio there is. Owns decoder and converter.
struct AudioFeed: ~Copyable {
    let stage: AudioStage
    var decoder: AudioDecoder?
    /// In the place of decoder and converter where the bitstream goes out untouched.
    var bursts: BurstMuxer?
    var heldPacket: Packet?
    /// Which of the formats of its stream the packets had last, and whether the decoder was told that no more of it come.
    private var format = 0
    private var isFormatOver = false
    /// The device would not take the bitstream: the stream is decoded.
    var isBitstreamRefused = false
    var converter: AudioConverter?
    var tap: TapFeed
    var epoch = Epoch()
    var stream: StreamID?
    /// Media seconds per second of what is decoded now.
    var tempo = 1.0
    /// Where the next decoded sample belongs.
    var expected: MediaTime?
    var isFirstPiece = true
    /// The last piece did not lie where it was expected, by far.
    var jumpIsLikely = false
    /// Times were counted at another sample rate than this audio has: its samples are what counts.
    var isMiscounted = false
    /// The stream has given all it will in this epoch.
    var hasEnded = false
    /// Silence still to be queued before `heldPiece`: in small portions, for a hole may last minutes.
    var holeLeft = TimeSpan.zero
    var heldPiece: DecodedFrame?
    /// Device frames still to be cut off: a filter may give none of them with the piece that they belong to.
    var skipOwed = 0
    /// Where audio goes, and what the last device was asked for.
    var roster: DeviceRoster
    var wanted: AudioFormat?
    /// The device that is being opened in the place of a stand-in.
    var prospect: DeviceProspect?
    /// There is audio, but it is not to be heard yet: the device is left alone.
    var awaitsDevice = false
    /// The device plays the end of another source in this format: audio that cannot join that waits for a device of its own.
    var joined: AudioFormat?
    var isRefused = false
    /// The yield of the decoder so far.
    private(set) var yield = DecoderYield()
    /// Packets of this epoch were passed over: decoding begins at a key packet.
    private var hasPassedOver = false
    /// Listeners of the tap have not heard yet that the next piece does not join the one before.
    var tapIsBroken = false
    /// The factor of the recording's samples.
    var level = 1.0
    /// Dolby Atmos in the log.
    var atmos = AtmosNews()
    /// How much later than stamped audio is heard. Everything here counts on the audio's own axis; the clock's is ahead by this.
    var delay = AudioLag()
    static var log: ModuleLog { Log.module("audio") }

    init(stage: AudioStage) {
        self.stage = stage
        roster = DeviceRoster(stage.devices, patience: stage.patience)
        tap = TapFeed(stage.tap)
    }

    /// Begins an epoch of a stream (nil: of none). Throws when the stream cannot be decoded.
    mutating func restart(_ epoch: Epoch, stream: StreamID?) throws(MediaError) {
        // A decoder of another stream must not be left to this one where none can be opened for it.
        if stream != self.stream {
            decoder = nil
            isBitstreamRefused = false
            yield = DecoderYield()
            format = 0
        }
        if isFormatOver { decoder = nil }
        isFormatOver = false
        bursts = nil
        heldPacket = nil
        (self.epoch, self.stream) = (epoch, stream)
        (expected, isFirstPiece, hasEnded, jumpIsLikely, isMiscounted) = (nil, true, false, false, false)
        (holeLeft, skipOwed) = (.zero, 0)
        (hasPassedOver, tapIsBroken) = (false, false)
        heldPiece = nil
        awaitsDevice = false
        delay.settle()
        guard let stream else { return }
        let info = describe(stream)
        level = stage.options.isLoudnessLevelled ? 1 : info?.replayGain.factor(stage.options.replayGain) ?? 1
        converter?.gain.level = level
        converter?.reset()
        if let parameters = info?.parameters, try beginBursts(parameters) { return }
        if decoder == nil {
            guard let parameters = info?.parameters else {
                throw MediaError(.unsupported, "play audio", reason: "that track does not exist")
            }
            decoder = try AudioDecoder(parameters)
        } else {
            decoder?.flush()
        }
    }

    /// The stream in the format of the packets that came last.
    private func describe(_ stream: StreamID) -> StreamInfo? {
        stage.pipeline.state.read { $0.format(format, of: stream) } ?? stage.stream(stream)
    }

    /// The packets have another format from here on: what the decoder holds comes out first, then another is opened. Returns false while the
    /// packet that showed it has to wait.
    private mutating func change(to packet: Packet, into renderer: inout AudioRenderer?) throws(MediaError) -> Bool {
        if keepsDecoder(for: packet) {
            format = packet.format
            return true
        }
        if !isFormatOver { _ = try decoder?.send(nil) }
        isFormatOver = true
        if try receiveFrames(into: &renderer) {
            heldPacket = packet
            return false
        }
        (format, isFormatOver) = (packet.format, false)
        guard let stream, let parameters = describe(stream)?.parameters else { return true }
        if let carrier = bursts?.format.carrier {
            if try beginBursts(parameters), bursts?.format.carrier == carrier { return true }
            // The device takes no samples.
            bursts = nil
            renderer = nil
            isBitstreamRefused = true
        }
        decoder = try AudioDecoder(parameters)
        return true
    }

    /// Another rendition, or what stands behind a discontinuity, in the same form: a decoder that was opened anew would begin with silence,
    /// where the frames of the codec overlap.
    private mutating func keepsDecoder(for packet: Packet) -> Bool {
        guard isDecoding, !isFormatOver, bursts == nil, let stream, let present = describe(stream) else { return false }
        let next = stage.pipeline.state.read { $0.format(packet.format, of: stream) }
        return next.map { $0.parameters.continuesAudio(of: present.parameters) } ?? false
    }

    /// Whether there is a decoder for the stream.
    var isDecoding: Bool {
        mutating get { decoder != nil }
    }

    /// Audio that is converted from now on has these settings, but for the speed: see `changeTempo`.
    mutating func follow(_ settings: PlaybackSettings) {
        delay.set(settings.audioDelay, at: stage.time.now())
        converter?.gain.volume = settings.volume
        converter?.gain.isMuted = settings.isMuted
        if converter?.equalizer != settings.equalizer { converter?.equalizer = settings.equalizer }
        if converter?.hasCrossfeed != settings.hasCrossfeed { converter?.hasCrossfeed = settings.hasCrossfeed }
        if converter?.downmix != settings.downmix { converter?.downmix = settings.downmix }
        if converter?.filters != settings.audioFilters { converter?.filters = settings.audioFilters }
        if let fault = converter?.takeFilterFault() {
            stage.report(.notice(translated("\(fault): audio goes on without filters")))
        }
    }

    /// Samples decoded from now on pass at another speed; what the filter holds comes out at the old one.
    mutating func changeTempo(to rate: Double, into renderer: inout AudioRenderer?) throws(MediaError) {
        guard !isBitstream else { return }
        tempo = rate
        guard renderer != nil, converter != nil else { return }
        _ = try renderer?.enqueue { bytes throws(MediaError) in try converter?.drain(into: &bytes) }
        converter?.tempo = rate
        if let expected, !isFirstPiece { renderer?.beginSegment(media: expected, rate: rate) }
    }

    // MARK: - Decoding

    /// Decodes one packet's worth; returns whether anything moved (else there is nothing to decode now).
    mutating func decodeMore(landing: MediaTime?, into renderer: inout AudioRenderer?) throws(MediaError) -> Bool {
        guard let stream else { return false }
        if awaitsDevice {
            guard stage.pipeline.state.read({ $0.intent.mayOpenDevice }) else { return false }
            awaitsDevice = false
        }
        guard let landing else {
            waitForLanding()
            return true
        }
        if expected == nil { expected = startingPoint(landing) }
        if try fillHole(into: &renderer) { return true }
        if let packet = heldPacket.take() {
            try send(packet, into: &renderer)
            return true
        }
        if try receiveFrames(into: &renderer) { return true }
        let (packet, exhausted): (Packet?, Bool) = stage.pipeline.state.update { state in
            guard state.intent.epoch == epoch else { return (nil, false) }
            return (state.popPacket(stream: stream), state.packets.isExhausted(stream))
        }
        if let packet {
            if !passesOver(packet) { try send(packet, into: &renderer) }
            return true
        }
        if exhausted { return try endInput(into: &renderer) }
        return false
    }

    /// Further before the first sample that is wanted no packet is decoded: key packets lie closer together in all codecs of audio.
    private static var longestLead: TimeSpan { .seconds(5) }
    /// A decoder needs this much at most to be right, from a key packet on.
    private static var shortestLead: TimeSpan { .seconds(1) }

    /// Whether a packet lies so far before the first sample that is wanted that nothing of it would be heard: a seek behind the last frame
    /// reads all audio since that one's key frame, which may be hours. Audio of another time line, which lies before the start of its
    /// stream, is left to `AudioSplice`.
    private mutating func passesOver(_ packet: Packet) -> Bool {
        guard isFirstPiece, !isBitstream, let expected, let time = packet.pts ?? packet.dts else { return false }
        let lead = hasPassedOver && !packet.isKey ? Self.shortestLead : Self.longestLead
        guard time + (packet.duration ?? .zero) < expected - lead,
            let start = stream.flatMap({ stage.stream($0)?.startTime }), time >= start - .seconds(1)
        else {
            // Those behind a key packet that is decoded need it, and are needed for it.
            if packet.isKey { hasPassedOver = false }
            return false
        }
        hasPassedOver = true
        return true
    }

    /// Where the first sample belongs: at the landing, or where a clock that already runs will be when it is heard.
    private func startingPoint(_ landing: MediaTime) -> MediaTime {
        let first = landing - delay.current
        guard let anchor = stage.synchronizer.anchor(epoch: epoch), anchor.rate > 0 else { return first }
        return max(first, clockOnAudio() ?? first)
    }

    /// Where the clock is now on the audio's own axis; nil where it has no time.
    func clockOnAudio() -> MediaTime? {
        let now = stage.time.now()
        return stage.synchronizer.anchor(epoch: epoch).map { $0.time(at: now) - delay.value(at: now) }
    }

    private func waitForLanding() {
        let mine = epoch
        _ = stage.pipeline.state.wait(for: [.intent, .frames, .turns]) { state -> Bool? in
            if state.intent.isStopped || state.intent.epoch != mine || state.output.landing != nil { return true }
            // No frame will ever say where the epoch lands: audio does.
            let noVideo = state.intent.activeVideo.map { state.packets.isExhausted($0) && state.output.isDrained } ?? true
            guard noVideo || state.packets.isBlockedFull else { return nil }
            state.land(mine, at: state.intent.plan.target)
            return true
        }
    }

    private mutating func send(_ packet: Packet, into renderer: inout AudioRenderer?) throws(MediaError) {
        if packet.format != format, try !change(to: packet, into: &renderer) { return }
        if isBitstream, try !wrap(packet, into: &renderer) { return }
        do throws(MediaError) {
            // A full decoder is emptied first; then the same packet is sent again.
            while try decoder?.send(packet) == .full {
                if try !receiveFrames(into: &renderer) { break }
            }
            yield.packets += 1
        } catch {
            yield.refuse(error)
            stage.counters.decodeErrors.add()
            Self.log.warning("\(error)")
        }
    }

    /// Takes every frame the decoder has; returns whether there was one.
    mutating func receiveFrames(into renderer: inout AudioRenderer?) throws(MediaError) -> Bool {
        if isBitstream { return false }
        var any = false
        while holeLeft == .zero, !awaitsDevice, !isRefused {
            do throws(MediaError) {
                guard let frame = try decoder?.receive() else { return any }
                any = true
                yield.frames += 1
                try accept(frame, into: &renderer)
            } catch {
                if error.code == .endOfMedia { return any }
                if error.code == .audioDevice { throw error }
                yield.refuse(error)
                stage.counters.decodeErrors.add()
                Self.log.warning("\(error)")
                return any
            }
        }
        return true
    }

    /// The stream is over: the decoder's and the converter's last samples are fetched. Returns whether there were any.
    private mutating func endInput(into renderer: inout AudioRenderer?) throws(MediaError) -> Bool {
        if isBitstream {
            hasEnded = true
            return false
        }
        _ = try decoder?.send(nil)
        let any = try receiveFrames(into: &renderer)
        hasEnded = true
        let tail = try renderer?.enqueue { bytes throws(MediaError) in try converter?.drain(into: &bytes) } ?? 0
        if let stream, let failure = yield.failure(of: "audio \(stage.stream(stream)?.codecName ?? "")") { throw failure }
        return any || tail > 0
    }
}
