import AetherCore
import AetherMedia

/// Opening the device, and going on in time on another one.
extension AudioFeed {
    /// 2 s: what takes longest of a device that is well are headphones that wake up. What stands in is a stopgap.
    private static var longestOpening: TimeSpan { .seconds(2) }
    private static var longestStandInOpening: TimeSpan { .milliseconds(500) }

    /// Whether the device is another one than that which was `asked` for a format; nil: none was.
    mutating func mustReopen(_ device: String?, asked: AudioFormat?) -> Bool {
        let isOther = roster.choose(device)
        guard !isBitstream, let asked, let wanted else { return isOther }
        return isOther || asked != format(for: wanted)
    }

    /// The format that a device is asked for where a source has this one.
    private func format(for wanted: AudioFormat) -> AudioFormat {
        stage.pipeline.state.read { $0.intent.settings.channels }.format(of: wanted)
    }

    /// Opens the first device that can be had for the wanted format; in the end that is silence, which always can.
    mutating func openDevice(into renderer: inout AudioRenderer?) throws(MediaError) {
        guard var wanted else { return }
        if isBitstream {
            if try openBitstream(wanted, into: &renderer) { return }
            // In the end it is decoded, on whatever there is.
            wanted = self.wanted ?? wanted
        }
        while true {
            let isSilent = roster.isSilent
            do throws(MediaError) {
                let asked = prospect(at: roster.position, wanted)
                guard let format = try asked.format(within: patience(with: asked)) else {
                    Self.log.warning("audio device ‘\(asked.name)’ does not answer")
                    roster.pass(at: stage.time.now())
                    // The better one is waited for on the side.
                    if prospect == nil { prospect = consume asked }
                    continue
                }
                take(asked.renderer(format), for: wanted, into: &renderer)
                return
            } catch {
                if isSilent { throw error }
                roster.giveUp(error, at: stage.time.now())
            }
        }
    }

    /// The device of a place of the list: the one that is being opened already, or a closed one.
    private mutating func prospect(at place: Int, _ source: AudioFormat, hasStood: Bool = false) -> DeviceProspect {
        let wanted = format(for: source)
        if prospect?.place == place, prospect?.wanted == wanted, let asked = prospect.take() { return asked }
        return DeviceProspect(
            roster.device(at: place, time: stage.time), place: place, wanted: wanted, began: stage.time.now(), hasStood: hasStood)
    }

    /// How long a device is waited for before something stands in.
    private func patience(with asked: borrowing DeviceProspect) -> TimeSpan {
        let age = stage.time.now() - asked.began
        let longest = asked.place == 0 ? Self.longestOpening : Self.longestStandInOpening
        return max(.zero, longest - age)
    }

    /// Audio goes to a device that was opened just now.
    private mutating func take(_ opened: consuming AudioRenderer, for wanted: AudioFormat, into renderer: inout AudioRenderer?) {
        let format = opened.format
        use(format)
        let route = AudioOutputRoute(
            device: roster.isSilent ? nil : opened.deviceName, format: format, sourceChannels: wanted.channels)
        Self.log.info("\(route.text)")
        stage.report(.audioOutput(route))
        renderer = consume opened
    }

    /// Where a fallback stands in for the requested device, the requested one is tried again now and then: a sound server may have been
    /// started anew, or a plug put back. The present device plays on until the other one is open.
    mutating func takeBetterDevice(into renderer: inout AudioRenderer?) throws(MediaError) {
        guard renderer?.isRunning ?? false, let wanted, !isBitstream else { return }
        let now = stage.time.now()
        if prospect == nil, roster.isDue(at: now) { prospect = prospect(at: 0, wanted) }
        while let asked = prospect.take() {
            // The list is another one, or the format.
            guard asked.place < roster.position, asked.wanted == format(for: wanted) else { continue }
            do throws(MediaError) {
                guard let format = try asked.format(within: .zero) else {
                    prospect = consume asked
                    return
                }
                guard asked.isOfUse(at: now) else { return }
                roster.settle(on: asked.place, at: now)
                take(asked.renderer(format), for: wanted, into: &renderer)
                return placeAtClock(in: &renderer)
            } catch {
                Self.log.info("\(error)")
                let next = asked.place + 1
                if next < roster.position {
                    prospect = prospect(at: next, wanted)
                } else {
                    roster.postpone(at: now, isNews: asked.wasSilent(at: now))
                }
            }
        }
    }

    /// The device that stood is looked at again if it does not answer now: it was stopped, and may go on.
    mutating func watchStanding(_ place: Int) {
        guard let wanted, place < roster.position else { return }
        prospect = prospect(at: place, wanted, hasStood: true)
        do throws(MediaError) {
            // One that answers at once is as it was.
            if try prospect?.format(within: .zero) != nil { prospect = nil }
        } catch {
            Self.log.info("\(error)")
            prospect = nil
        }
    }

    mutating func use(_ format: AudioFormat) {
        converter = AudioConverter(output: format, levels: stage.options.mix)
        converter?.tempo = tempo
        // Without a ramp from full volume: muted from the start is silent from the start.
        let settings = stage.pipeline.state.read { $0.intent.settings }
        converter?.equalizer = settings.equalizer
        converter?.hasCrossfeed = settings.hasCrossfeed
        converter?.downmix = settings.downmix
        converter?.filters = settings.audioFilters
        converter?.gain = AudioGain(volume: settings.volume, level: level, isMuted: settings.isMuted)
        converter?.isLevelled = stage.options.isLoudnessLevelled
    }

    /// In place of a lost device: begins at the point that the clock has by now, with silence for what the lost one had not played.
    mutating func reopenDevice(into renderer: inout AudioRenderer?) throws(MediaError) {
        try openDevice(into: &renderer)
        placeAtClock(in: &renderer)
    }

    private mutating func placeAtClock(in renderer: inout AudioRenderer?) {
        guard renderer != nil, !isFirstPiece, let next = expected else { return }
        let now = clockOnAudio() ?? next
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
