import AetherCore
import AetherMedia

/// The session, as the parts of the video stage see it.
struct VideoContext: Sendable {
    let pipeline: Pipeline
    let synchronizer: RenderSynchronizer
    let counters: SessionCounters
    let sink: any VideoSink
    let options: VideoOptions
    let time: any TimeSource
    let report: @Sendable (StageEvent) -> Void
    let stream: @Sendable (StreamID) -> StreamInfo?
    /// Where captions that come with frames go.
    let cues: CueStore

    /// The lateness of a frame for this point if it were shown now: the clock less the point. nil while the clock stands.
    func lateness(of point: MediaTime, epoch: Epoch) -> TimeSpan? {
        guard let anchor = synchronizer.anchor(epoch: epoch), anchor.rate > 0 else { return nil }
        return anchor.time(at: time.now()) - point
    }
}

/// How frames are made.
struct VideoOptions: Sendable {
    /// Threads that deinterlace, where that is done.
    var deinterlacerThreads = 2
    /// Frames that are over are dropped before they are scaled, and invisible detail is left out. Off when every frame and each bit is
    /// wanted (hashes).
    var dropsLateFrames = true
    /// More frames a second than this are not scaled.
    var frameRateCap: Double?
}
