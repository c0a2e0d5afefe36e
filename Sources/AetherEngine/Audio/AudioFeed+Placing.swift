import AetherCore
import AetherMedia

/// Where each decoded piece belongs: behind the one before, after silence, or cut.
extension AudioFeed {
    /// Queues the next portion of a hole, or the piece behind it; returns whether there was any.
    mutating func fillHole(into renderer: inout AudioRenderer?) throws(MediaError) -> Bool {
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

    mutating func accept(
        _ frame: consuming DecodedFrame, into renderer: inout AudioRenderer?
    ) throws(MediaError) {
        guard frame.sampleCount > 0, frame.sampleRate > 0, let next = expected else { return }
        if let end = stage.pipeline.state.read({ $0.intent.plan.end }), next + delay.current >= end {
            hasEnded = true
            return
        }
        guard try hasDevice(for: frame, into: &renderer) else {
            heldPiece = consume frame
            return
        }
        let place = place(of: frame, expected: beginning(of: frame, expected: next, renderer: &renderer))
        if let silence = place.silence {
            if isFirstPiece { renderer?.beginSegment(media: place.start, rate: tempo) }
            isFirstPiece = false
            (holeLeft, tapIsBroken) = (silence, true)
            heldPiece = consume frame
        } else if !place.isDropped {
            try hear(frame, at: place, into: &renderer)
        }
    }

    /// Where a piece is heard.
    private struct Place {
        /// Where it begins on the clock's axis, before anything of it is cut off.
        var start: MediaTime
        /// A segment of the clock begins with it.
        var begins = false
        /// So much of its beginning was heard already.
        var trimmed: TimeSpan?
        /// So much silence comes first, and it is placed anew behind it.
        var silence: TimeSpan?
        /// All of it was heard already.
        var isDropped = false
    }

    /// Whether a device plays what a piece has, which is opened where there is none. False where the piece has to wait: nothing may be heard yet, or
    /// the device plays what is no longer wanted.
    private mutating func hasDevice(
        for frame: borrowing DecodedFrame, into renderer: inout AudioRenderer?
    ) throws(MediaError) -> Bool {
        let own = AudioFormat(sampleRate: AudioFormat.deviceRate(frame.sampleRate), channels: frame.channels)
        if renderer == nil {
            // Nothing is to be heard yet: the first piece waits, and the device stays free for others.
            awaitsDevice = stage.pipeline.state.read { !$0.intent.mayOpenDevice }
            if awaitsDevice { return false }
            wanted = own
            try openDevice(into: &renderer)
        }
        if let joined, converter == nil, let format = renderer?.format {
            guard joins(own, to: joined) else {
                isRefused = true
                return false
            }
            wanted = own
            use(format)
        }
        return true
    }

    /// Where a piece is expected: behind the one before, or, for the first one, where the clock is or its own time stamp.
    private mutating func beginning(
        of frame: borrowing DecodedFrame, expected: MediaTime, renderer: inout AudioRenderer?
    ) -> MediaTime {
        var next = expected
        if let late = clockAhead(of: next, renderer: &renderer) {
            // The clock went on without audio: it is joined where it is now.
            next = late
            isFirstPiece = true
        }
        if isFirstPiece, let pts = frame.pts, pts > next, skipsLeadIn(to: pts, from: next) { next = pts }
        return next
    }

    private mutating func place(of frame: borrowing DecodedFrame, expected: MediaTime) -> Place {
        noteRate(of: frame)
        let stamp = isMiscounted && !isFirstPiece ? nil : frame.pts
        let isLikely = jumpIsLikely
        if isFirstPiece { tellAtmos() }
        jumpIsLikely = AudioSplice.isJump(pts: stamp, expected: expected)
        var place = Place(start: expected, begins: isFirstPiece)
        switch AudioSplice.decide(
            pts: stamp, duration: length(of: frame), expected: expected, isFirst: isFirstPiece, isJumpLikely: isLikely)
        {
        case .join: break
        case .discard: place.isDropped = true
        case .trim(let span): place.trimmed = span
        case .silence(let span): place.silence = span
        case .restart: (place.start, place.begins) = (frame.pts ?? expected, true)
        }
        return place
    }

    private func length(of frame: borrowing DecodedFrame) -> TimeSpan {
        .seconds(Double(frame.sampleCount) / Double(frame.sampleRate))
    }

    /// Queues the samples of a piece.
    private mutating func hear(
        _ frame: borrowing DecodedFrame, at place: Place, into renderer: inout AudioRenderer?
    ) throws(MediaError) {
        if let span = place.trimmed { skipOwed = renderer?.format.frames(in: span.scaled(by: 1 / tempo)) ?? 0 }
        if place.begins { renderer?.beginSegment(media: place.start, rate: tempo) }
        isFirstPiece = false
        if converter?.tempo != tempo { converter?.tempo = tempo }
        let start = place.trimmed == nil ? place.start : frame.pts ?? place.start
        // The tap has no silence, and gets the piece whole where its beginning is cut off.
        let isNew = place.begins || place.trimmed != nil || tapIsBroken
        tapIsBroken = false
        tap.take(frame, heardAt: start + delay.current, isNew: isNew)
        let added = try renderer?.enqueue(skipping: skipOwed) { bytes throws(MediaError) in
            try converter?.convert(frame, into: &bytes)
        }
        skipOwed = max(0, skipOwed - (added ?? 0))
        let point = start + length(of: frame)
        try cut(at: end((start, frame.duration, frame.sampleRate)), reaching: point, added: added ?? 0, from: &renderer)
        expected = point
    }

    /// Whether a device that plays one format may go on with another. Beside video another rate is resampled, for a frame would stand while
    /// the device is drained and opened anew; audio alone stays as it is to the bit. Other channels find other speakers only in a new device.
    private func joins(_ own: AudioFormat, to joined: AudioFormat) -> Bool {
        own == joined || own.channels == joined.channels && stage.pipeline.state.read { $0.intent.activeVideo != nil }
    }

    /// The cut-off delay of an encoder is not filled with silence where a song goes on in the next, nor where nothing but audio begins: there
    /// its first sample is the beginning. Beside video the silence keeps both together.
    private func skipsLeadIn(to pts: MediaTime, from next: MediaTime) -> Bool {
        if joined != nil, pts - next < AudioSplice.tolerance { return true }
        guard let start = stream.flatMap({ stage.stream($0)?.startTime }), next <= start,
            pts - start < AudioSplice.longestPriming
        else { return false }
        return stage.pipeline.state.read { $0.intent.activeVideo == nil }
    }

    private mutating func noteRate(of frame: borrowing DecodedFrame) {
        guard !isMiscounted, let info = stream.flatMap({ stage.stream($0) }), info.isCounted else { return }
        isMiscounted = info.track.map { $0.sampleRate > 0 && $0.sampleRate != frame.sampleRate } ?? false
    }

    /// Where the source is to end, on the clock's axis: where that was asked for, or in the last packet, where the container says that the
    /// rest of it is an encoder's padding. `piece` is what was decoded, and for how long the container says that it lasts.
    private func end(_ piece: (start: MediaTime, stated: TimeSpan?, sampleRate: Int)) -> MediaTime? {
        guard let stream, let info = stage.stream(stream) else { return nil }
        let (asked, isLast) = stage.pipeline.state.read {
            ($0.intent.plan.end, $0.intent.epoch == epoch && $0.packets.isExhausted(stream))
        }
        guard asked == nil, isLast else { return asked }
        if let end = info.audioEnd { return end + delay.current }
        // Only where it counts in samples: a millisecond of Matroska is 48 of them.
        guard let stated = piece.stated, info.timeBase.numerator == 1, Int(info.timeBase.denominator) == piece.sampleRate else {
            return nil
        }
        return piece.start + stated + delay.current
    }

    /// Samples behind the end that was asked for are not heard: the next track of the same file begins with it.
    private mutating func cut(
        at end: MediaTime?, reaching point: MediaTime, added: Int, from renderer: inout AudioRenderer?
    ) throws(MediaError) {
        guard let end, point + delay.current > end, let format = renderer?.format else { return }
        // Samples that the converter holds back lie before the cut, or partly so.
        let held = try renderer?.enqueue { bytes throws(MediaError) in try converter?.drain(into: &bytes) } ?? 0
        let excess = format.frames(in: (point + delay.current - end).scaled(by: 1 / tempo))
        renderer?.removeLast(min(excess, added + held))
        hasEnded = true
    }

    /// Where a clock that runs, or has run, without audio is by now, when that is beyond the point that audio would begin at.
    func clockAhead(of next: MediaTime, renderer: inout AudioRenderer?) -> MediaTime? {
        let isSilent = !(renderer?.isRunning ?? false) && renderer?.pendingFrames ?? 0 == 0 && !(renderer?.hasUnheard ?? false)
        guard isSilent, let now = clockOnAudio() else { return nil }
        return now > next + .milliseconds(1) ? now : nil
    }
}
