import AetherCore

/// An event that the control task tells the machine.
enum PlaybackEvent: Sendable {
    /// A user's wish; `position` is where the clock stands, `shown` the frame on screen, `held` what needs no source.
    case command(PlayerCommand, position: MediaTime, shown: MediaTime?, held: Holdings = Holdings())
    case opened(SourceShape, start: MediaTime?)
    case openFailed(MediaError)
    /// The window that can be gone to has moved; the clock stands at the position.
    case window(SourceWindow, position: MediaTime, now: HostTime)
    case primed(StageKind, Epoch, MediaTime)
    case fellShort(Epoch, SeekPlan)
    case landedOnKey(Epoch)
    case finished(StageKind, Epoch, at: MediaTime?)
    case blocked(Epoch)
    case starved(Epoch)
    case videoStarved(Epoch, at: MediaTime)
    case videoRestored(Epoch)
    case lost(StageKind, Epoch, MediaError)
    /// Reading ended before the source did, and why; nil: it goes on, from somewhere else.
    case brokeOff(MediaError?)
    /// The server is asked again after a failure; nil: bytes come.
    case reconnecting(ReconnectAttempt?)
    case firstFrame(Epoch, MediaTime)
    case stepped(Epoch, MediaTime)
}
