import AetherCore
import AetherDiscs
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
    /// Takes the source's own bytes for a recording.
    let tap: ByteTap
    /// Takes the buttons of a disc.
    let menu: MenuBoard
    let report: @Sendable (StageEvent) -> Void

    /// The sources that are played as one, the leading one first.
    func sources() throws(MediaError) -> [any PacketSource] {
        // A source that is read by a thread of its own must not be broken off by each seek.
        let own = Interrupt()
        let link = interrupt.watch { $0 ? own.raise() : own.clear() }
        if interrupt.isRaised { own.raise() }
        if let plan = options.passage { return [try passage(plan, own)] }
        let input = try MediaInput(
            source, http: options.http, meter: meter, follows: true, songs: { [report] in report(.song($0)) }, disc: options.disc,
            interrupt: own)
        report(.sourceOpened)
        if options.http.trustsAnybody, meter.figures.requests > 0 {
            report(.notice(translated("certificates are not checked: anyone may answer")))
        }
        if case .reader(let reader as TitleReader, let name) = input {
            return [try title(reader, name, own)]
        }
        if case .reader(let reader as BluRayReader, let name) = input {
            return [try title(reader, name, own)]
        }
        if case .reader(let reader as CompactReader, _) = input {
            let disc = CompactDescription(reader)
            let source = try ContainerSource(input, options: disc.options(options.open), interrupt: own)
            source.lostSectors = { reader.lostSectors }
            source.description = SourceDescription(disc.described(source.description.info), traits: reader.traits)
            return [source]
        }
        if options.streamDemuxer == .own, let document = try StreamDocument(input, http: options.http, meter: meter) {
            let least = options.leastWindow
            let window = sink.demand.box.map { box in
                VariantPicker.Window(
                    width: max(box.width, least?.width ?? 0), height: max(box.height, least?.height ?? 0))
            }
            var opening = StreamOpening(
                options: options.open, window: window, wishes: options.variantChoice,
                adaptation: options.adaptation.within(rateLimit: options.http.rateLimit),
                decoding: StreamAdapter.decodingBudget(options.decoderThreads), profile: options.liveJoinProfile,
                adapter: adapter, interrupt: own, time: time)
            opening.tap = tap
            if options.timeShift.isOn {
                opening.keeping = { [self] in
                    let (storage, options) = self.ring()
                    return KeptSegments(storage, options: options, say: { [report] in report(.notice($0)) })
                }
            }
            return try opening.sources(document)
        }
        let languages = options.subtitleLanguages + options.audioLanguages
        let container = try ContainerSource(tapped(input), options: options.open, nameLanguages: languages, interrupt: own)
        container.description.isEndless = LiveKind.isLive(options.isLive, source: source, container.description)
        guard options.timeShift.isOn, container.description.isEndless else { return [container] }
        let ring = ring()
        interrupt.unwatch(link)
        if !interrupt.isRaised { own.clear() }
        return [
            TimeShiftSource(
                container, ring: ring.storage, options: ring.options, below: own, above: interrupt, time: time,
                reopening: reopening(own), passed: { [tap] in tap.passed($0, below: true) },
                say: { [report] in report(.notice($0)) })
        ]
    }

    /// The input, its bytes within reach of a recording where they come in order.
    private func tapped(_ input: MediaInput) -> MediaInput {
        guard case .reader(let reader, let name) = input, let tapped = TappedReader(reader, tap: tap) else { return input }
        return .reader(tapped, name: name)
    }

    /// How a live source of a server is had once more; nil for a pipe.
    private func reopening(_ interrupt: Interrupt) -> TimeShiftReopening? {
        guard case .location(.url) = source else { return nil }
        return TimeShiftReopening(isStated: options.isLive ?? false) {
            attempt throws(MediaError) in
            var http = options.http
            // Another reader for other options: what is remembered of the former connection is of bytes that have gone.
            http.stallLimit = http.stallLimit + .milliseconds(Double(attempt))
            let input = try MediaInput(
                source, http: http, meter: meter, songs: { report(.song($0)) }, interrupt: interrupt)
            return try ContainerSource(tapped(input), options: options.open, interrupt: interrupt)
        }
    }

    /// The file of the past; memory, which holds little, where it cannot be made, which the person is told.
    private func ring() -> (storage: any RingStorage, options: TimeShiftOptions) {
        do throws(RingFault) {
            return (try RingFile(in: options.timeShift.folder ?? "/"), options.timeShift)
        } catch {
            let folder = DisplayText.singleLine(options.timeShift.folder ?? "/", limit: 80)
            report(
                .notice(translated("cannot keep the past in \(folder) (\(error.reason)): only the last moments can be sought")))
            var narrow = options.timeShift
            narrow.byteLimit = min(narrow.byteLimit, PacketRing.memoryLimit)
            return (RingBytes(), narrow)
        }
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
