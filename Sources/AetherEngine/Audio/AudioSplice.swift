import AetherCore

/// Decides what a decoded piece of audio needs before it joins the queue. Pure.
///
/// Audio is stamped by counting; the container's word is only a check. Container stamps are rounded to 1 ms and worse, so up to
/// 100 ms of difference mean nothing.
enum AudioSplice: Equatable {
    /// Joins seamlessly.
    case join
    /// Lies wholly before the point wanted.
    case discard
    /// Its beginning lies before the point wanted: this much is cut off.
    case trim(TimeSpan)
    /// There is a hole before it: this much silence.
    case silence(TimeSpan)
    /// The source jumped: count from here.
    case restart

    static let tolerance = TimeSpan.milliseconds(100)
    /// Decoders leave out this much at a beginning at most: two blocks of WMA at 8 kHz are 128 ms.
    static let longestPriming = TimeSpan.milliseconds(200)
    /// Longer holes and overlaps in mid-stream are jumps of the source, or damage.
    static let longestRepair = TimeSpan.seconds(10)
    /// Audio that begins long after the video is waited for; beyond this the two do not belong together.
    static let longestLeadIn = TimeSpan.seconds(600)

    /// Whether a piece of mid-stream lies where only a jump of the source, or damage, could have put it.
    static func isJump(pts: MediaTime?, expected: MediaTime) -> Bool {
        pts.map { ($0 - expected).magnitude > longestRepair } ?? false
    }

    /// `expected` is where the queue ends (at the start: where the epoch lands). The first piece is placed to the sample. A jump needs a
    /// second piece that says so (`isJumpLikely`): one alone has a damaged stamp and would take the clock along. A jump forward is a hole
    /// in sparse audio: where all of the source leaps, `TimelineFold` has closed it.
    static func decide(
        pts: MediaTime?, duration: TimeSpan, expected: MediaTime, isFirst: Bool, isJumpLikely: Bool = true
    ) -> AudioSplice {
        guard let pts else { return .join }
        let difference = pts - expected
        if isFirst {
            // Before the landing of a seek much may have to be skipped.
            if difference > longestLeadIn || difference < -longestLeadIn { return .restart }
        } else if isJump(pts: pts, expected: expected) {
            if !isJumpLikely { return .join }
            return difference > .zero ? .silence(difference) : .restart
        }
        if difference > (isFirst ? .milliseconds(1) : tolerance) { return .silence(difference) }
        if difference < (isFirst ? .zero : -tolerance) {
            return pts + duration <= expected ? .discard : .trim(-difference)
        }
        return .join
    }
}
