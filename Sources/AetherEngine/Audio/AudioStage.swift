import AetherCore
import AetherMedia

/// Thread `audio`: decodes, converts and hands over audio, and drives the clock from what the device reports.
///
/// Audio never waits for video once the clock runs, and never for the terminal. It waits for its device (poll), for packets
/// and for intent (the pipeline's monitor).
struct AudioStage: Sendable {
    let pipeline: Pipeline
    let synchronizer: RenderSynchronizer
    let counters: SessionCounters
    let time: any TimeSource
    let report: @Sendable (StageEvent) -> Void
    let stream: @Sendable (StreamID) -> StreamInfo?
    var options = AudioOptions()
    var tap = AudioTaps()
    let devices: AudioDeviceList
    /// How long a standing device is kept.
    var lease = DeviceLease()
    /// After how long a lost device is asked for again.
    var patience = TimeSpan.seconds(5)
    /// The session that is heard next in this thread, and whether this session is still in it.
    var succession = AudioSuccession()
    var seat = AudioSeat()

    func run() {
        var work = AudioWork(stage: self)
        while work.step() {}
    }
}
