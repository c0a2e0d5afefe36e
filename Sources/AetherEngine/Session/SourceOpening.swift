import AetherCore
import AetherMedia
import AetherSources

/// The opening of a session's sources, on the thread `demux`. Blocks until the interrupt is raised.
struct SourceOpening: Sendable {
    let source: MediaSource
    let options: LoadOptions
    let meter: NetworkMeter
    let interrupt: Interrupt
    let time: any TimeSource
    let sink: any VideoSink
    /// Chooses the quality of streams while they play.
    let adapter: StreamAdapter
    let report: @Sendable (StageEvent) -> Void

    /// The sources that are played as one, the leading one first.
    func sources() throws(MediaError) -> [any PacketSource] {
        let input = try MediaInput(source, http: options.http, meter: meter, follows: true, interrupt: interrupt)
        report(.sourceOpened)
        if options.http.trustsAnybody, meter.figures.requests > 0 {
            report(.notice("certificates are not checked: anybody may answer"))
        }
        if options.streamDemuxer == .own, let document = try StreamDocument(input, http: options.http, meter: meter) {
            let least = options.leastWindow
            let window = sink.demand.box.map { box in
                VariantPicker.Window(
                    width: max(box.width, least?.width ?? 0), height: max(box.height, least?.height ?? 0))
            }
            let opening = StreamOpening(
                options: options.open, window: window, wishes: options.variantChoice, adaptation: options.adaptation,
                decoding: StreamAdapter.decodingBudget(options.decoderThreads), profile: options.liveJoinProfile,
                adapter: adapter, interrupt: interrupt, time: time)
            return try opening.sources(document)
        }
        let languages = options.subtitleLanguages + options.audioLanguages
        return [try ContainerSource(input, options: options.open, nameLanguages: languages, interrupt: interrupt)]
    }

    /// A source that is read beside those: its number among them, and the start of the first.
    func source(
        beside start: MediaTime, _ added: AddedSource, index: Int
    ) throws(MediaError) -> any PacketSource {
        let input = try MediaInput(
            .location(added.track.location), http: options.http, meter: meter, interrupt: interrupt)
        return try ContainerSource(
            input, options: options.open, beside: start, index: index, as: added, interrupt: interrupt)
    }
}
