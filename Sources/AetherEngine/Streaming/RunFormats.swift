import AetherCore
import AetherFormats
import AetherMedia

/// The formats that the runs of one track have, and how their streams are called in its description.
struct RunFormats {
    private let source: Int
    /// The group whose words name the track; nil where the segments speak for themselves.
    private let group: Group?
    /// By what tells runs apart.
    private var formats: [SegmentRun.Form: Int] = [:]

    init(source: Int, group: Group?) { (self.source, self.group) = (source, group) }

    /// The source before a run was read: its track is as the manifest says, in that codec.
    func stated(_ codec: CodecName?) -> SourceInfo {
        SourceInfo(
            stated: group.map { [StreamInfo(stated: codec, of: $0, id: StreamID(source: source, number: 0))] } ?? [])
    }

    /// No run was described yet.
    var isEmpty: Bool { formats.isEmpty }

    /// Whether a run of this form was described.
    func knows(_ form: SegmentRun.Form) -> Bool { formats[form] != nil }

    /// Adds the streams of a run to the description, and says how they are called.
    mutating func describe(
        _ info: SourceInfo, _ form: SegmentRun.Form, in description: inout SourceDescription, traits: IOReaderTraits
    ) -> StreamNumbering {
        // Number 0 is the format that the manifest states: a decoder that was opened for that is opened anew.
        let number = formats[form] ?? formats.count + (group == nil ? 0 : 1)
        let isFirst = formats.isEmpty
        formats[form] = number
        guard isFirst else { return description.adopt(info, of: source, format: number) }
        guard let group, let stated = description.info.streams.first else {
            description = SourceDescription(info, traits: traits)
            return StreamNumbering(source: source)
        }
        // The one track that the manifest has named, as it really is.
        guard let real = info.streams.first(where: { $0.kind == stated.kind }) else { return StreamNumbering(source: source) }
        let named = real.renamed(group.label.isEmpty ? nil : group.label, language: group.language ?? real.track?.language)
            .named(stated.id)
        description.info.streams = [named]
        description.formats[stated.id] = [stated, named]
        description.revision += 1
        var numbering = StreamNumbering(source: source)
        numbering.formats[real.index] = number
        for stream in info.streams { numbering.numbers[stream.index] = stream.index == real.index ? 0 : stream.index + 1024 }
        return numbering
    }
}
