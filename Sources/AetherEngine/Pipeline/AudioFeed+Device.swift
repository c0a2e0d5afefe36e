import AetherCore
import AetherMedia

/// Opening the device, and going on in time on another one.
extension AudioFeed where Device: ~Copyable {
    /// Opens the first device that can be had for the wanted format; in the end that is silence, which always can.
    mutating func openDevice(into renderer: inout Renderer?) throws(MediaError) {
        guard var wanted else { return }
        if isBitstream {
            if try openBitstream(wanted, into: &renderer) { return }
            // In the end it is decoded, on whatever there is.
            wanted = self.wanted ?? wanted
        }
        while true {
            let isSilent = roster.isSilent
            do throws(MediaError) {
                let opened = try Renderer(roster.outlet(time: stage.time), wanted: wanted)
                take(opened, for: wanted, into: &renderer)
                return
            } catch {
                if isSilent { throw error }
                roster.giveUp(error, at: stage.time.now())
            }
        }
    }

    /// Sound goes to a device that was opened just now.
    private mutating func take(_ opened: consuming Renderer, for wanted: AudioFormat, into renderer: inout Renderer?) {
        let format = opened.format
        use(format)
        let route = AudioOutputRoute(
            device: roster.isSilent ? nil : opened.deviceName, format: format, sourceChannels: wanted.channels)
        Self.log.info("\(route.text)")
        stage.report(.audioOutput(route))
        renderer = consume opened
    }

    /// Where something stands in for the device that was asked for, that one is asked again now and then: a sound server that was started
    /// anew, a plug that was put back. What plays now plays on until the other is open.
    mutating func takeBetterDevice(into renderer: inout Renderer?) throws(MediaError) {
        guard renderer?.isRunning ?? false, let wanted, !isBitstream, roster.isDue(at: stage.time.now()) else { return }
        for place in 0..<roster.position {
            do throws(MediaError) {
                let better = try Renderer(roster.outlet(at: place, time: stage.time), wanted: wanted)
                roster.settle(on: place, at: stage.time.now())
                take(better, for: wanted, into: &renderer)
                placeAtClock(in: &renderer)
                return
            } catch {
                Self.log.info("\(error)")
            }
        }
        roster.postpone(at: stage.time.now())
    }

    mutating func use(_ format: AudioFormat) {
        converter = AudioConverter(output: format, levels: stage.options.mix)
        converter?.tempo = tempo
        // Without a ramp from full volume: muted from the start is silent from the start.
        let (volume, isMuted, curve) = stage.pipeline.state.read { ($0.volume, $0.isMuted, $0.equalizer) }
        converter?.equalizer = curve
        converter?.gain = AudioGain(volume: volume, level: level, isMuted: isMuted)
        converter?.isLevelled = stage.options.isLoudnessLevelled
    }

    /// In place of a lost device: begins at the point that the clock has by now, with silence for what the lost one had not played.
    mutating func reopenDevice(into renderer: inout Renderer?) throws(MediaError) {
        try openDevice(into: &renderer)
        placeAtClock(in: &renderer)
    }

    private mutating func placeAtClock(in renderer: inout Renderer?) {
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
}
