import AetherCore
import AetherMedia

/// The frames of the decoder on their way out: made whole, placed in time, and held back until the epoch lands.
extension VideoWork where Decoder: ~Copyable {
    // MARK: - Fields

    /// From the first interlaced frame on fields are dealt with as the policy says; what is progressive passes at no cost before that.
    mutating func process(_ frame: consuming DecodedFrame) throws(MediaError) {
        if repeats.isRepeated(frame.pts) { return }
        // Here, for of each field that a filter makes the same captions would come.
        if let bytes = frame.captions, let pts = frame.pts {
            let tracks = captions.take(bytes, at: pts, context.cues)
            if !tracks.isEmpty { context.report(.subtitlesFound(tracks, isWanted: false, in: nil)) }
        }
        guard frame.isInterlaced || fieldRate != nil, !isFarFromLanding(frame.pts) else { return try pass(frame) }
        switch fieldWay(of: frame) {
        case .none:
            try emptyFields()
            try pass(frame)
        case .earlierField:
            try emptyFields()
            if frame.isInterlaced, let field = frame.earlierField(aspect: info?.sampleAspect.value) {
                try pass(field)
            } else {
                try pass(frame)
            }
        case .filter(let rate):
            if fieldRate != rate || !(fields?.accepts(frame) ?? false) {
                try emptyFields()
                fields = Deinterlacer(
                    rate: rate, threadCount: context.options.deinterlacerThreads,
                    interval: info?.frameRate.map { .seconds(1 / $0.value) })
                fieldRate = rate
            }
            try filter(frame)
        }
    }

    private mutating func filter(_ frame: consuming DecodedFrame) throws(MediaError) {
        do throws(MediaError) {
            try fields?.send(frame)
        } catch {
            // Combs are better than no frame.
            Self.log.warning("\(error)")
            fields = nil
            fieldRate = nil
            fieldsAreRefused = true
            return
        }
        try receiveFields()
    }

    private mutating func receiveFields() throws(MediaError) {
        while let whole = try fields?.receive() {
            try pass(whole)
            if !isCurrent { return }
        }
    }

    /// Takes out the frame that waits for its successor.
    mutating func emptyFields() throws(MediaError) {
        guard fieldRate != nil else { return }
        // Also where its process has ended for good: each frame would fail there.
        defer {
            fields = nil
            fieldRate = nil
        }
        try fields?.finish()
        try receiveFields()
    }

    private func fieldWay(of frame: borrowing DecodedFrame) -> DeinterlacePolicy.Way {
        guard !fieldsAreRefused, let info else { return .none }
        let shape = outlet.shape(info)
        let shrink = shape.target.map { Double(frame.height) / Double(max(1, $0.height)) } ?? 1
        let limits = [context.sink.demand.frameRateLimit, context.options.frameRateCap].compactMap { $0 }
        let (speed, deinterlacing) = context.pipeline.state.read { ($0.intent.settings.rate, $0.intent.settings.deinterlacing) }
        return DeinterlacePolicy.way(
            deinterlacing, shrink: shrink,
            frameRate: info.frameRate.map { $0.value * speed }, limit: limits.min(), isPressed: policy.isPressed)
    }

    /// On the way to a landing frames are only counted; the filter needs the last few.
    private func isFarFromLanding(_ pts: MediaTime?) -> Bool {
        guard !hasLanded, let showFrom, let pts else { return false }
        return pts < showFrom - .milliseconds(250)
    }

    // MARK: - Landing

    /// Whether no other frame lies between this one and the point at which the epoch lands, by the packets sent and queued.
    /// `mayMiss`: also when packets not read yet could hold one.
    func isLast(_ pts: MediaTime, before from: MediaTime, mayMiss: Bool) -> Bool {
        guard let stream, let sent = newestBefore ?? (mayMiss ? pts : nil), sent <= pts else { return false }
        return context.pipeline.state.read { [plan] state in
            guard let lane = state.lanes[stream], mayMiss || lane.hasEnded || lane.decodedUntil.map({ $0 > from }) ?? false else {
                return mayMiss
            }
            return !lane.contains { $0 > pts && plan.isBefore($0, from) }
        }
    }

    /// The effort for decoding a packet. Before the landing of a seek, every frame that a later one covers is dropped, if no other frame
    /// refers to it: the shown frame stays exact.
    mutating func effort(for packet: Packet) -> DecodeEffort {
        guard let info else { return DecodeEffort() }
        var isCovered = false
        if !hasLanded, let from = showFrom, let pts = packet.pts, plan.isBefore(pts, from) {
            isCovered = !isLast(pts, before: from, mayMiss: true)
            newestBefore = max(newestBefore ?? pts, pts)
        }
        if repeats.covers(packet.pts) { isCovered = true }
        return policy.effort(outlet.shape(info), isLanding: !hasLanded, isCovered: isCovered)
    }

    mutating func accept(_ frame: consuming DecodedFrame) throws(MediaError) {
        if let previewed {
            if let pts = frame.pts, pts <= previewed { return }
            self.previewed = nil
        }
        var place = timing.place(pts: frame.pts, duration: frame.duration, origin: plan.target)
        let end = context.pipeline.state.read { $0.intent.plan.end }
        if let end, place.pts >= end, try conclude(at: end) { return }
        // One that lasts on is not waited for beyond the end.
        if let end, place.pts < end { place.end = min(place.end, end) }
        let from = showFrom ?? plan.firstShown(firstFrame: place.pts)
        showFrom = from
        if hasLanded {
            try queue(frame, place)
            return
        }
        if plan.isBefore(place.pts, from) {
            // Exactly there, or the last one before by what the packets say: no need to see the next one first, which reordering and
            // threads hold back for 50 ms at 1080p.
            let isThere = plan.landing != .frameBefore && (from - place.pts).magnitude <= .milliseconds(1)
            // A second field may still follow, of which no packet tells.
            // Nor of one that a filter makes.
            if isThere || (fieldRate != .field && filters == nil && isLast(place.pts, before: from, mayMiss: false)) {
                candidate = nil
                try queue(frame, place)
            } else {
                candidate = consume frame
                candidatePlace = place
            }
            return
        }
        if candidatePlace == nil, let begun, let earlier = plan.retreated(begun: begun, firstFrame: place.pts) {
            fallShort(earlier)
            return
        }
        if let earlier = candidate.take(), let earlierPlace = candidatePlace {
            try queue(earlier, (earlierPlace.pts, min(earlierPlace.end, place.pts)))
        }
        try queue(frame, place)
    }

    /// A frame begins at or behind the end that was asked for: the one before it is on screen until then, and none follows. False where the
    /// epoch has none that could be shown in its place.
    private mutating func conclude(at end: MediaTime) throws(MediaError) -> Bool {
        if !hasLanded {
            guard let place = candidatePlace, place.pts < end, let last = candidate.take() else { return false }
            try queue(last, (place.pts, end))
        }
        try finish()
        return true
    }

    /// Hands a frame on, and tells the policy how that went.
    mutating func queue(_ frame: consuming DecodedFrame, _ place: (pts: MediaTime, end: MediaTime)) throws(MediaError) {
        if !hasLanded { land(at: place.pts) }
        // Where every frame is wanted none is late, however long all of them take.
        let lateness = context.options.dropsLateFrames ? context.lateness(of: place.end, epoch: epoch) : nil
        let scaling = try outlet.put(frame, place)
        let rate = context.synchronizer.anchor(epoch: epoch)?.rate ?? 0
        let interval = (place.end - place.pts).scaled(by: rate > 0 ? 1 / rate : 1)
        policy.note(
            DecodePolicy.Arrival(
                lateness: lateness, cost: cost.frame + (scaling ?? .zero), interval: interval, hasBacklog: hasBacklog))
        repeats.noteOut(place.pts)
        leftOut = scaling == nil ? consume frame : nil
        leftOutPlace = place
    }

    /// The epoch begins at the target, however long the frame has been on screen there; at the frame itself only where that is a key frame
    /// that was shown for the target, or the one before it.
    mutating func land(at pts: MediaTime) {
        hasLanded = true
        let wanted = plan.asked ?? plan.target
        let isOnKey = showFrom != wanted
        if isOnKey { context.report(.landedOnKey(epoch)) }
        let landing = isOnKey || plan.landing == .frameBefore ? pts : wanted
        context.pipeline.state.update { [epoch] in $0.land(epoch, at: landing) }
        context.report(.primed(.video, epoch, pts))
    }
}
