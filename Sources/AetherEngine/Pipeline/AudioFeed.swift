import AetherCore
import AetherMedia

/// The decoding half of the audio thread: packets of one stream in, device samples in the renderer's queue out, each placed on the
/// media axis. Opens the device at the first sound there is. Owns decoder and converter.
struct AudioFeed<Device: AudioDevice & ~Copyable>: ~Copyable {
    typealias Renderer = AudioRenderer<AudioOutlet<Device>>
    private let stage: AudioStage<Device>
    private var decoder: AudioDecoder?
    /// In the place of decoder and converter where the bitstream goes out untouched.
    private var bursts: BurstMuxer?
    private var heldPacket: Packet?
    /// The device would not take the bitstream: the stream is decoded.
    private var isBitstreamRefused = false
    private var converter: AudioConverter?
    /// Makes what listeners of the tap get; nil while there are none.
    private var tapConverter: AudioConverter?
    private var epoch = Epoch()
    private var stream: Int?
    /// Media seconds per second of what is decoded now.
    private(set) var tempo = 1.0
    /// Where the next decoded sample belongs.
    private(set) var expected: MediaTime?
    private var isFirstPiece = true
    /// The last piece did not lie where it was expected, by far.
    private var jumpIsLikely = false
    /// The stream has given all it will in this epoch.
    private(set) var hasEnded = false
    /// Silence still to be queued before `heldPiece`: in small portions, for a hole may last minutes.
    private var holeLeft = TimeSpan.zero
    private var heldPiece: DecodedFrame?
    /// Device frames still to be cut off: a filter may give none of them with the piece that they belong to.
    private var skipOwed = 0
    /// How many devices of the list could not be had, and what the last one was asked for.
    private var devicesLost = 0
    private var wanted: AudioFormat?
    private var devices: AudioDeviceList<Device>
    private var deviceChoice: String?
    /// There is sound, but nobody wants to hear any yet: the device is left alone.
    private(set) var awaitsDevice = false
    /// What the recording is multiplied with.
    private var level = 1.0
    /// How much later than stamped sound is heard. Everything here counts on the sound's own axis; the clock's is ahead by this.
    var delay = SoundDelay()
    private static var log: ModuleLog { Log.module("audio") }

    init(stage: AudioStage<Device>) {
        self.stage = stage
        devices = stage.devices
    }

    /// Begins an epoch of a stream (nil: of none). Throws when the stream cannot be decoded.
    mutating func restart(_ epoch: Epoch, stream: Int?) throws(MediaError) {
        // A decoder of another stream must not be left to this one where none can be opened for it.
        if stream != self.stream {
            decoder = nil
            isBitstreamRefused = false
        }
        bursts = nil
        heldPacket = nil
        (self.epoch, self.stream) = (epoch, stream)
        (expected, isFirstPiece, hasEnded, jumpIsLikely) = (nil, true, false, false)
        (holeLeft, skipOwed) = (.zero, 0)
        heldPiece = nil
        awaitsDevice = false
        delay.settle()
        guard let stream else { return }
        let info = stage.stream(stream)
        level = stage.options.isLoudnessLevelled ? 1 : info?.replayGain.factor(stage.options.replayGain) ?? 1
        converter?.gain.level = level
        converter?.reset()
        if let parameters = info?.parameters, try beginBursts(parameters) { return }
        if decoder == nil {
            guard let parameters = info?.parameters else {
                throw MediaError(.unsupported, "play sound", reason: "there is no such track")
            }
            decoder = try AudioDecoder(parameters)
        } else {
            decoder?.flush()
        }
    }

    /// Whether the bitstream goes out untouched, with neither volume nor speed.
    var isBitstream: Bool { bursts != nil }

    /// Whether a stream's bitstream shall go out untouched, where a device would take it.
    func wantsBitstream(_ stream: Int?) -> Bool {
        guard let parameters = stream.flatMap({ stage.stream($0)?.parameters }) else { return false }
        return BurstFormat(parameters, allowed: stage.options.passthrough) != nil
    }

    /// The bitstream goes out untouched if it shall and nothing is in the way.
    private mutating func beginBursts(_ parameters: CodecParameters) throws(MediaError) -> Bool {
        guard !isBitstreamRefused, tempo == 1, let format = BurstFormat(parameters, allowed: stage.options.passthrough) else {
            return false
        }
        decoder = nil
        bursts = try BurstMuxer(format, parameters)
        return true
    }

    /// Volume of what is converted from now on.
    mutating func setGain(volume: Double, isMuted: Bool) {
        converter?.gain.volume = volume
        converter?.gain.isMuted = isMuted
    }

    /// Samples decoded from now on pass at another speed; what the filter holds comes out at the old one.
    mutating func changeTempo(to rate: Double, into renderer: inout Renderer?) throws(MediaError) {
        guard !isBitstream else { return }
        tempo = rate
        guard renderer != nil, converter != nil else { return }
        _ = try renderer?.enqueue { bytes throws(MediaError) in try converter?.drain(into: &bytes) }
        converter?.tempo = rate
        if let expected, !isFirstPiece { renderer?.beginSegment(media: expected, rate: rate) }
    }

    // MARK: - The device

    /// Whether the present device, or the silence, stands in for the one that was asked for.
    var usesStandIn: Bool { devicesLost > 0 }

    /// The device that was asked for gets another chance.
    mutating func resetDevices() { devicesLost = 0 }

    /// Another device is asked for; returns whether it is another.
    mutating func choose(_ name: String?) -> Bool {
        guard let name, name != deviceChoice else { return false }
        deviceChoice = name
        devices = stage.devices.choose?(name) ?? stage.devices
        devicesLost = 0
        return true
    }

    /// The present device is not asked again.
    mutating func giveUpDevice(_ error: MediaError) {
        Self.log.error("\(error)")
        devicesLost += 1
    }

    /// Opens the first device that can be had for the wanted format; in the end that is silence, which always can.
    private mutating func openDevice(into renderer: inout Renderer?) throws(MediaError) {
        guard var wanted else { return }
        if isBitstream {
            if try openBitstream(wanted, into: &renderer) { return }
            // In the end it is decoded, on whatever there is.
            wanted = self.wanted ?? wanted
        }
        while true {
            let isSilent = devicesLost >= devices.count
            do throws(MediaError) {
                let opened = try Renderer(outlet(isSilent: isSilent), wanted: wanted)
                let format = opened.format
                use(format)
                let route = AudioOutputRoute(
                    device: isSilent ? nil : opened.deviceName, format: format, sourceChannels: wanted.channels)
                Self.log.info("\(route.text)")
                stage.report(.audioOutput(route))
                renderer = consume opened
                return
            } catch {
                if isSilent { throw error }
                giveUpDevice(error)
            }
        }
    }

    /// Opens the device for bursts; where that fails says so, and the stream is decoded from here on.
    private mutating func openBitstream(_ wanted: AudioFormat, into renderer: inout Renderer?) throws(MediaError) -> Bool {
        guard let carrier = bursts?.format.carrier, let codec = bursts?.format.codec else { return false }
        do throws(MediaError) {
            guard devicesLost < devices.count else { throw MediaError(.audioDevice, "open audio device") }
            let opened = try Renderer(outlet(isSilent: false), wanted: carrier)
            guard opened.format == carrier else {
                throw MediaError(.audioDevice, "send a bitstream to audio device", subject: opened.deviceName)
            }
            let route = AudioOutputRoute(
                kind: .passthrough(codec: codec), device: opened.deviceName, format: carrier, sourceChannels: wanted.channels)
            Self.log.info("\(route.text)")
            stage.report(.audioOutput(route))
            renderer = consume opened
            converter = nil
            return true
        } catch {
            Self.log.warning("\(error)")
            stage.report(.notice("\(codec) cannot be passed through here: it is decoded"))
            isBitstreamRefused = true
            bursts = nil
            guard let parameters = stream.flatMap({ stage.stream($0)?.parameters }) else { return false }
            decoder = try AudioDecoder(parameters)
            return false
        }
    }

    private func outlet(isSilent: Bool) -> AudioOutlet<Device> {
        isSilent
            ? AudioOutlet(silentFor: devices.make(0), time: stage.time) : AudioOutlet(devices.make(devicesLost))
    }

    private mutating func use(_ format: AudioFormat) {
        converter = AudioConverter(output: format, levels: stage.options.mix)
        converter?.tempo = tempo
        // Without a ramp from full volume: muted from the start is silent from the start.
        let (volume, isMuted) = stage.pipeline.state.read { ($0.volume, $0.isMuted) }
        converter?.gain = AudioGain(volume: volume, level: level, isMuted: isMuted)
        converter?.isLevelled = stage.options.isLoudnessLevelled
    }

    /// In place of a lost device: begins at the point that the clock has by now, with silence for what the lost one had not played.
    mutating func reopenDevice(into renderer: inout Renderer?) throws(MediaError) {
        try openDevice(into: &renderer)
        guard renderer != nil, !isFirstPiece, let next = expected else { return }
        let now = clockOnSound() ?? next
        skipOwed = 0
        guard now < next else {
            // The clock has passed all that was decoded: the next piece is placed to the sample, as at a beginning.
            (expected, isFirstPiece) = (now, true)
            return
        }
        renderer?.beginSegment(media: now, rate: tempo)
        renderer?.enqueueSilence((next - now).scaled(by: 1 / tempo))
    }

    // MARK: - Decoding

    /// Decodes one packet's worth; returns whether anything moved (else there is nothing to decode now).
    mutating func decodeMore(landing: MediaTime?, into renderer: inout Renderer?) throws(MediaError) -> Bool {
        guard let stream else { return false }
        if awaitsDevice {
            guard stage.pipeline.state.read({ $0.mayOpenDevice }) else { return false }
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
            guard state.epoch == epoch else { return (nil, false) }
            return (state.popPacket(stream: stream), state.isExhausted(stream: stream))
        }
        if let packet {
            try send(packet, into: &renderer)
            return true
        }
        if exhausted { return try endInput(into: &renderer) }
        return false
    }

    /// Where the first sample belongs: at the landing, or where a clock that already runs will be when it is heard.
    private func startingPoint(_ landing: MediaTime) -> MediaTime {
        let first = landing - delay.current
        guard let anchor = stage.synchronizer.anchor(epoch: epoch), anchor.rate > 0 else { return first }
        return max(first, clockOnSound() ?? first)
    }

    /// Where the clock is now on the sound's own axis; nil where it has no time.
    private func clockOnSound() -> MediaTime? {
        stage.synchronizer.anchor(epoch: epoch).map { $0.time(at: stage.time.now()) - delay.current }
    }

    /// Queues the next portion of a hole, or the piece behind it; returns whether there was any.
    private mutating func fillHole(into renderer: inout Renderer?) throws(MediaError) -> Bool {
        if holeLeft > .zero {
            let portion = min(holeLeft, .milliseconds(500))
            renderer?.enqueueSilence(portion.scaled(by: 1 / tempo))
            holeLeft = holeLeft - portion
            expected = expected.map { $0 + portion }
            return true
        }
        guard let piece = heldPiece.take() else { return false }
        try accept(piece, into: &renderer)
        return true
    }

    private func waitForLanding() {
        let mine = epoch
        _ = stage.pipeline.state.wait { state -> Bool? in
            if state.isStopped || state.epoch != mine || state.landing != nil { return true }
            // No picture will ever say where the epoch lands: sound does.
            let noPicture = state.activeVideo.map { state.isExhausted(stream: $0) && state.videoDrained } ?? true
            guard noPicture || state.isBlockedFull else { return nil }
            state.landing = state.plan.target
            return true
        }
    }

    private mutating func send(_ packet: Packet, into renderer: inout Renderer?) throws(MediaError) {
        if isBitstream, try !wrap(packet, into: &renderer) { return }
        do throws(MediaError) {
            // A full decoder is emptied first; then the same packet is sent again.
            while try decoder?.send(packet) == .full {
                if try !receiveFrames(into: &renderer) { break }
            }
        } catch {
            stage.counters.decodeErrors.add()
            Self.log.warning("\(error)")
        }
    }

    /// Sends a packet on as it is. Returns true when it must be decoded instead.
    private mutating func wrap(_ packet: Packet, into renderer: inout Renderer?) throws(MediaError) -> Bool {
        guard let next = expected else { return false }
        if let end = stage.pipeline.state.read({ $0.plan.end }), next + delay.current >= end {
            hasEnded = true
            return false
        }
        if renderer == nil {
            awaitsDevice = stage.pipeline.state.read { !$0.mayOpenDevice }
            if awaitsDevice {
                heldPacket = packet
                return false
            }
            let track = stream.flatMap { stage.stream($0)?.track }
            wanted = AudioFormat(sampleRate: max(8000, track?.sampleRate ?? 48000), channelCount: track?.channels ?? 2)
            try openDevice(into: &renderer)
            if !isBitstream { return true }
        }
        let place = clockAhead(of: next, renderer: &renderer) ?? next
        if place != next { isFirstPiece = true }
        // A burst cannot be cut: it begins where it belongs, or is left out.
        let gap = packet.pts.map { $0 - place } ?? .zero
        if gap < (isFirstPiece ? TimeSpan.milliseconds(-1) : .zero - AudioSplice.tolerance), gap > .zero - AudioSplice.longestLeadIn {
            expected = place
            return false
        }
        if isFirstPiece { renderer?.beginSegment(media: place, rate: 1) }
        if gap > (isFirstPiece ? .zero : AudioSplice.tolerance), gap < AudioSplice.longestRepair { renderer?.enqueueSilence(gap) }
        let isPlaced = isFirstPiece || gap.magnitude > AudioSplice.tolerance
        isFirstPiece = false
        var added = 0
        do throws(MediaError) {
            added = try renderer?.enqueue { bytes throws(MediaError) in try bursts?.wrap(packet, into: &bytes) } ?? 0
        } catch {
            stage.counters.decodeErrors.add()
            Self.log.warning("\(error)")
        }
        let start = isPlaced ? max(place, packet.pts ?? place) : place
        expected = start + (renderer?.format.duration(frames: added) ?? .zero)
        return false
    }

    /// Takes every frame the decoder has; returns whether there was one.
    private mutating func receiveFrames(into renderer: inout Renderer?) throws(MediaError) -> Bool {
        if isBitstream { return false }
        var any = false
        while holeLeft == .zero, !awaitsDevice {
            do throws(MediaError) {
                guard let frame = try decoder?.receive() else { return any }
                any = true
                try accept(frame, into: &renderer)
            } catch {
                if error.code == .endOfMedia { return any }
                if error.code == .audioDevice { throw error }
                stage.counters.decodeErrors.add()
                Self.log.warning("\(error)")
                return any
            }
        }
        return true
    }

    private mutating func accept(
        _ frame: consuming DecodedFrame, into renderer: inout Renderer?
    ) throws(MediaError) {
        guard frame.sampleCount > 0, frame.sampleRate > 0, var next = expected else { return }
        if let end = stage.pipeline.state.read({ $0.plan.end }), next + delay.current >= end {
            hasEnded = true
            return
        }
        let length = TimeSpan.seconds(Double(frame.sampleCount) / Double(frame.sampleRate))
        if renderer == nil {
            // Nobody wants to hear anything yet: the first piece waits, and the device stays free for others.
            awaitsDevice = stage.pipeline.state.read { !$0.mayOpenDevice }
            if awaitsDevice {
                heldPiece = consume frame
                return
            }
            wanted = AudioFormat(sampleRate: max(8000, frame.sampleRate), channels: frame.channels)
            try openDevice(into: &renderer)
        }
        if let late = clockAhead(of: next, renderer: &renderer) {
            // The clock went on without sound: it is joined where it is now.
            next = late
            isFirstPiece = true
        }
        var begins = isFirstPiece, trimmed = false
        let isLikely = jumpIsLikely
        jumpIsLikely = AudioSplice.isJump(pts: frame.pts, expected: next)
        switch AudioSplice.decide(
            pts: frame.pts, duration: length, expected: next, isFirst: isFirstPiece, isJumpLikely: isLikely)
        {
        case .join: break
        case .discard: return
        case .trim(let span):
            skipOwed = renderer?.format.frames(in: span.scaled(by: 1 / tempo)) ?? 0
            trimmed = true
        case .silence(let span):
            if isFirstPiece { renderer?.beginSegment(media: next, rate: tempo) }
            isFirstPiece = false
            holeLeft = span
            heldPiece = consume frame
            return
        case .restart:
            next = frame.pts ?? next
            begins = true
        }
        if begins { renderer?.beginSegment(media: next, rate: tempo) }
        isFirstPiece = false
        if converter?.tempo != tempo { converter?.tempo = tempo }
        tap(frame, at: trimmed ? frame.pts ?? next : next, isNew: begins)
        let added = try renderer?.enqueue(skipping: skipOwed) { bytes throws(MediaError) in
            try converter?.convert(frame, into: &bytes)
        }
        skipOwed = max(0, skipOwed - (added ?? 0))
        expected = trimmed ? (frame.pts ?? next) + length : next + length
    }

    /// Gives what is about to be queued to those who listen, before volume and tempo.
    private mutating func tap(_ frame: borrowing DecodedFrame, at media: MediaTime, isNew: Bool) {
        guard stage.tap.isHeard else {
            tapConverter = nil
            return
        }
        let begins = isNew || tapConverter == nil
        if begins { tapConverter = AudioConverter(output: AudioFormat(sampleRate: 48_000, channelCount: 1)) }
        var bytes: [UInt8] = []
        do throws(MediaError) {
            try tapConverter?.convert(frame, into: &bytes)
        } catch {
            // The same frame is converted for the device next, which counts and reports it.
            return
        }
        let samples = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        stage.tap.tell(
            AudioTapBuffer(samples: samples, sourceTime: (media + delay.current).seconds, discontinuity: begins))
    }

    /// Where a clock that runs, or has run, without sound is by now, when that is beyond the point that sound would begin at.
    private func clockAhead(of next: MediaTime, renderer: inout Renderer?) -> MediaTime? {
        let isSilent = !(renderer?.isRunning ?? false) && renderer?.pendingFrames ?? 0 == 0 && !(renderer?.hasUnheard ?? false)
        guard isSilent, let now = clockOnSound() else { return nil }
        return now > next + .milliseconds(1) ? now : nil
    }

    /// The stream is over: the decoder's and the converter's last samples are fetched. Returns whether there were any.
    private mutating func endInput(into renderer: inout Renderer?) throws(MediaError) -> Bool {
        if isBitstream {
            hasEnded = true
            return false
        }
        _ = try decoder?.send(nil)
        let any = try receiveFrames(into: &renderer)
        hasEnded = true
        let tail = try renderer?.enqueue { bytes throws(MediaError) in try converter?.drain(into: &bytes) } ?? 0
        return any || tail > 0
    }
}
