import AetherCore
import AetherEngine
import AetherTerminal

/// The presenter's report on its work: the frame on screen, the counters, and how far the terminal has answered.
struct PresentReport {
    /// The frame that was completed last.
    private(set) var shown: ShownFrame?
    /// All but the costs.
    var statistics = SinkStatistics()
    /// How much earlier than it is due a frame is wanted.
    var lead = TimeSpan.milliseconds(3)
    /// Questions behind frames that were not answered, by the count of the thread `present`.
    private(set) var questionsOpen = 0

    /// A frame was replaced before it could be drawn, because the terminal takes nothing or because drawing is slow.
    mutating func noteReplaced(whileBlocked isBlocked: Bool) {
        if isBlocked { statistics.droppedSlowTerminal += 1 } else { statistics.droppedSlowEncode += 1 }
    }

    /// Takes the findings of the link's meter and governor.
    mutating func note(_ meter: LinkMeter, _ rung: DetailLadder.Rung) {
        statistics.drainRate = meter.drainRate
        statistics.roundTrip = meter.roundTrip
        statistics.detail = rung.scale / Double(rung.stride)
        questionsOpen = meter.questionsOpen
    }

    /// So many bytes are out in all; `frame` is on screen with the last of them, if one was.
    mutating func noteWritten(_ frame: VideoFrame?, bytes: Int, at now: HostTime) {
        statistics.bytesWritten = bytes
        guard let frame else { return }
        statistics.framesShown += 1
        shown = ShownFrame(pts: frame.pts, epoch: frame.epoch, shownAt: now, due: frame.due)
    }
}
