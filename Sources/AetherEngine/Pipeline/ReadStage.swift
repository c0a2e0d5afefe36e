import AetherCore
import AetherMedia

/// Thread `demux`: opens the sources, reads packets into the lanes, decodes subtitle packets into cues, and repositions at each new epoch.
/// The thread owns the sources; no other touches them.
struct ReadStage {
    /// Opens the sources that are played as one, the leading one first.
    let open: @Sendable () throws(MediaError) -> [any PacketSource]
    /// Opens one that is added to it: its place among them and the start of the first.
    var openBeside: @Sendable (AddedSource, _ index: Int, _ start: MediaTime) throws(MediaError) -> any PacketSource = {
        source, _, _ throws(MediaError) in throw MediaError(.unsupported, "open", subject: source.name)
    }
    let pipeline: Pipeline
    let cues: CueStore
    /// The page of teletext to show; nil for the subtitles'.
    var teletextPage: Int?
    let counters: SessionCounters
    /// The source's own bytes, for a recording.
    var tap = ByteTap(isExpected: false)
    var time: any TimeSource = SystemTime()
    /// How much of a broadcast's past is kept once it is played, where less was kept before; nil: nothing changes.
    var pastSpan: TimeSpan?
    let report: @Sendable (StageEvent) -> Void

    func run() {
        do throws(MediaError) {
            let source = JoinedSource(try open())
            var work = ReadWork(stage: self, source: source)
            let atOnce = pipeline.state.update { state in
                defer { state.intent.addedSources = [] }
                return state.intent.addedSources
            }
            for added in atOnce { work.add(added) }
            pipeline.state.update { $0.note(source.description.formats) }
            report(.opened(source.description))
            work.loop()
        } catch {
            report(.openFailed(error))
        }
    }
}
