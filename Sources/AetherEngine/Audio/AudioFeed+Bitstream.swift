import AetherCore
import AetherMedia

/// The bitstream that goes out untouched, in bursts, in the place of decoder and converter.
extension AudioFeed {
    /// Whether the bitstream goes out untouched, with neither volume nor speed.
    var isBitstream: Bool { bursts != nil }

    /// Whether a stream's bitstream shall go out untouched, where a device would take it.
    func wantsBitstream(_ stream: StreamID?) -> Bool {
        guard let parameters = stream.flatMap({ stage.stream($0)?.parameters }) else { return false }
        return BurstFormat(parameters, allowed: stage.options.passthrough) != nil
    }

    /// The bitstream goes out untouched if it shall and nothing is in the way.
    mutating func beginBursts(_ parameters: CodecParameters) throws(MediaError) -> Bool {
        guard !isBitstreamRefused, tempo == 1, let format = BurstFormat(parameters, allowed: stage.options.passthrough) else {
            return false
        }
        decoder = nil
        bursts = try BurstMuxer(format, parameters)
        return true
    }

    /// Opens the device for bursts; where that fails says so, and the stream is decoded from here on.
    mutating func openBitstream(_ wanted: AudioFormat, into renderer: inout AudioRenderer?) throws(MediaError) -> Bool {
        guard let carrier = bursts?.format.carrier, let codec = bursts?.format.codec else { return false }
        do throws(MediaError) {
            guard !roster.isSilent else { throw MediaError(.audioDevice, "open audio device") }
            let opened = try AudioRenderer(roster.device(time: stage.time), wanted: carrier)
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
            stage.report(.notice(translated("\(codec) cannot be passed through here: it is decoded")))
            isBitstreamRefused = true
            bursts = nil
            guard let parameters = stream.flatMap({ stage.stream($0)?.parameters }) else { return false }
            decoder = try AudioDecoder(parameters)
            return false
        }
    }

    /// Writes in the log whether objects of Dolby Atmos are heard.
    mutating func tellAtmos() {
        let track = stream.flatMap { stage.stream($0)?.track }
        guard let line = atmos.line(track, isBitstream: isBitstream) else { return }
        Log.shared.add(line.level, "audio", line.text)
    }

    /// Sends a packet on as it is. Returns true when it must be decoded instead.
    mutating func wrap(_ packet: Packet, into renderer: inout AudioRenderer?) throws(MediaError) -> Bool {
        guard let next = expected else { return false }
        if let end = stage.pipeline.state.read({ $0.intent.plan.end }), next + delay.current >= end {
            hasEnded = true
            return false
        }
        if renderer == nil {
            awaitsDevice = stage.pipeline.state.read { !$0.intent.mayOpenDevice }
            if awaitsDevice {
                heldPacket = packet
                return false
            }
            let track = stream.flatMap { stage.stream($0)?.track }
            wanted = AudioFormat(
                sampleRate: AudioFormat.deviceRate(track?.sampleRate ?? 48000), channelCount: track?.channels ?? 2)
            try openDevice(into: &renderer)
            if !isBitstream { return true }
        }
        let place = clockAhead(of: next, renderer: &renderer) ?? next
        if place != next { isFirstPiece = true }
        // A burst cannot be cut: it begins where it belongs, or is left out.
        let gap = packet.pts.map { $0 - place } ?? .zero
        if gap < (isFirstPiece ? TimeSpan.milliseconds(-1) : .zero - AudioSplice.tolerance),
            gap > .zero - AudioSplice.longestLeadIn
        {
            expected = place
            return false
        }
        if isFirstPiece {
            tellAtmos()
            renderer?.beginSegment(media: place, rate: 1)
        }
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
}
