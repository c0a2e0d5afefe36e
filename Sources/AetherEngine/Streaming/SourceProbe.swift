public import AetherCore
import AetherDiscs
import AetherFormats
public import AetherMedia
public import AetherSources

/// The streams and properties of a source, for people and for scripts.
public enum SourceProbe {
    /// Opens a source and reports on it; of a source in segments, the first segment of each track is read. Blocks on the source. Throws
    /// where the source cannot be opened. Whatever the options say, all is found out that can be known within their bounds.
    public static func report(
        _ input: MediaInput, name: String, http: HTTPOptions = HTTPOptions(), options wanted: OpenOptions = OpenOptions(),
        interrupt: Interrupt = Interrupt()
    ) throws(MediaError) -> ProbeReport {
        var options = wanted
        options.analysis = .full
        if case .reader(let reader as TitleReader, _) = input {
            let demuxer = try DiscSource.demuxer(reader, name: input.name, options: options, interrupt: interrupt)
            return try ProbeReport(demuxer, name: name, described: DiscDescription(reader).described(demuxer))
        }
        if case .reader(let reader as BluRayReader, let path) = input {
            let demuxer = try Demuxer(.reader(reader, name: path), options: options, interrupt: interrupt)
            return try ProbeReport(demuxer, name: name, described: BluRayDescription(reader).described(demuxer))
        }
        if case .reader(let reader as CompactReader, _) = input {
            let disc = CompactDescription(reader)
            let demuxer = try Demuxer(input, options: disc.options(options), interrupt: interrupt)
            return try ProbeReport(demuxer, name: name, described: disc.described(demuxer.info))
        }
        guard let document = try StreamDocument(input, http: http) else {
            return try ProbeReport(Demuxer(input, options: options, interrupt: interrupt), name: name)
        }
        let opening = StreamOpening(
            options: options, window: nil, wishes: VariantChoice([.best]), interrupt: interrupt, time: SystemTime())
        let sources = try opening.sources(document)
        var reports: [ProbeReport] = [], streams: [StreamInfo] = []
        for case let source as RenditionSource in sources {
            guard let (report, found) = try source.report() else { continue }
            reports.append(report)
            streams += found
        }
        // Subtitles are as the manifest states them: their documents say no more.
        let stated = sources.compactMap { ($0 as? TextSource)?.description.info.streams }.flatMap { $0 }
        let info = sources[0].description.info.assembled(of: streams + stated, format: document.format)
        return ProbeReport(joining: reports, stated: stated, of: info, name: name)
    }
}
