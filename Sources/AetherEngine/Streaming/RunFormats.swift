import AetherCore
import AetherFormats
import AetherMedia

/// The formats that the runs of one track have, and how their streams are called in its description.
struct RunFormats {
    private let source: Int
    /// The group whose words name the track; nil where the segments speak for themselves.
    private let group: Group?
    /// Formats that decoders cannot tell apart. It has two numbers, so that a run behind a border has another one than that before it: there
    /// decoders give what they hold, and go on.
    private struct Kind {
        let streams: [StreamInfo]
        var numbers: [Int]
    }
    private var kinds: [Kind] = []
    /// The kinds of runs by what tells these apart.
    private var known: [SegmentRun.Form: Int] = [:]
    /// The run that was described last.
    private var latest: (form: SegmentRun.Form, kind: Int, number: Int)?
    private var count = 0
    /// The segment that would go on with what was read last, bit by bit; nil where something is missing, or was left.
    var successor: Int64?
    /// Forms that are remembered: of a broadcast with advertisements each has some.
    private static let limit = 256

    init(source: Int, group: Group?) { (self.source, self.group) = (source, group) }

    /// The source before a run was read: its track is as the manifest says, in that codec.
    func stated(_ codec: CodecName?) -> SourceInfo {
        SourceInfo(
            stated: group.map { [StreamInfo(stated: codec, of: $0, id: StreamID(source: source, number: 0))] } ?? [])
    }

    /// No run was described yet.
    var isEmpty: Bool { known.isEmpty }

    /// Whether a run of this form was described.
    func knows(_ form: SegmentRun.Form) -> Bool { known[form] != nil }

    /// Adds the streams of a run to the description, and says how they are called.
    mutating func describe(
        _ info: SourceInfo, _ run: SegmentRun, in description: inout SourceDescription, traits: IOReaderTraits
    ) -> StreamNumbering {
        let isFirst = isEmpty, number = number(of: info, run)
        guard isFirst else { return description.adopt(analysed(info), of: source, format: number) }
        guard let group, let stated = description.info.streams.first else {
            description = SourceDescription(info, traits: traits)
            return StreamNumbering(source: source)
        }
        // The one track that the manifest has named, as it really is.
        guard let real = info.streams.first(where: { $0.kind == stated.kind }) else { return StreamNumbering(source: source) }
        let named = real.renamed(
            group.label.isEmpty ? nil : group.label, language: group.language ?? real.track?.language,
            associated: stated.track?.associatedLanguage
        ).named(stated.id)
        description.info.streams = [named]
        description.formats[stated.id] = [stated, named]
        description.revision += 1
        var numbering = StreamNumbering(source: source)
        numbering.formats[real.index] = number
        for stream in info.streams { numbering.numbers[stream.index] = stream.index == real.index ? 0 : stream.index + 1024 }
        return numbering
    }

    /// Reading goes on elsewhere, and decoders begin anew.
    mutating func move() { (latest, successor) = (nil, nil) }

    /// A run whose form is known is opened without an analysis: what that has found counts.
    private func analysed(_ info: SourceInfo) -> SourceInfo {
        guard let streams = latest.map({ kinds[$0.kind].streams }), streams.map(\.kind) == info.streams.map(\.kind) else {
            return info
        }
        var whole = info
        whole.streams = zip(info.streams, streams).map { $1.named($0.id) }
        return whole
    }

    /// The number of a run's format: that of the run before where it goes on with that one's frames.
    private mutating func number(of info: SourceInfo, _ run: SegmentRun) -> Int {
        let form = run.form, kind = known[form] ?? kind(of: info)
        if known[form] == nil, known.count == Self.limit { known = [:] }
        known[form] = kind
        let goesOn = latest.map {
            $0.kind == kind && $0.form.rendition == form.rendition && $0.form.continuity == form.continuity
                && successor == run.first.number
        }
        let number = goesOn == true ? latest?.number : kinds[kind].numbers.first { $0 != latest?.number }
        let chosen = number ?? fresh()
        if number == nil { kinds[kind].numbers.append(chosen) }
        latest = (form, kind, chosen)
        return chosen
    }

    private mutating func kind(of info: SourceInfo) -> Int {
        let place = kinds.firstIndex { kind in
            kind.streams.count == info.streams.count && zip(info.streams, kind.streams).allSatisfy { $0.hasFormat(of: $1) }
        }
        if let place { return place }
        kinds.append(Kind(streams: info.streams, numbers: []))
        return kinds.count - 1
    }

    /// Number 0 is the format that the manifest states: a decoder that was opened for that is opened anew.
    private mutating func fresh() -> Int {
        defer { count += 1 }
        return count + (group == nil ? 0 : 1)
    }
}
