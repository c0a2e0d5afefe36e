public import AetherCore

/// A report on a source, for people and for scripts: text, and JSON with the key names and value types of ffprobe's `-show_format
/// -show_streams -show_chapters`. Our own findings stand under "aether".
public struct ProbeReport: Sendable {
    /// The whole report: format, streams, chapters, aether.
    public let json: JSON
    /// The whole report for people, with a final line break.
    public let text: String

    /// Reads an open demuxer, which should have been opened with a full analysis. `name` is the source as the user wrote
    /// it; of a URL, passwords and tokens are left out. `described`: the description, where more is known than the container says.
    /// Blocks on its box, where it has one. Throws where that cannot answer.
    public init(_ demuxer: borrowing Demuxer, name: String, described: SourceInfo? = nil) throws(MediaError) {
        let name = Redaction.shown(name), info = described ?? demuxer.info
        let container = try ContainerReport.of(demuxer, info, name: name)
        json = .object([
            ("streams", .array(container.streams)), ("chapters", .array(container.chapters)), ("format", container.format),
            ("aether", ProbeReport.own(info)),
        ])
        text = ProbeText(info, name: name, byteCount: container.byteCount).text
    }

    /// The report on a source whose tracks are read from several files, each reported by itself. `stated` are streams of which
    /// nothing but the manifest's words is known, `info` describes the whole.
    public init(joining parts: [ProbeReport], stated: [StreamInfo], of info: SourceInfo, name: String) {
        let name = Redaction.shown(name)
        let known = parts.flatMap { $0.json["streams"]?.values ?? [] }
        let streams = (known + stated.map(ProbeReport.brief)).enumerated().map { number, stream -> JSON in
            guard case .object(let members) = stream else { return stream }
            return .object(JSON.Members([("index", .integer(Int64(number)))] + members.filter { $0.key != "index" }))
        }
        var format: [(key: String, value: JSON)] = [
            ("filename", .string(DisplayText.singleLine(name, limit: 4096))), ("nb_streams", .integer(Int64(streams.count))),
            ("nb_programs", .integer(0)), ("format_name", .string(info.container)),
            ("format_long_name", .string(info.containerLongName)),
            ("start_time", .string(sixDecimals(info.startTime.nanoseconds))),
        ]
        if let duration = info.duration { format.append(("duration", .string(sixDecimals(duration.nanoseconds)))) }
        json = .object([
            ("streams", .array(streams)), ("chapters", .array([])), ("format", .object(JSON.Members(format))),
            ("aether", ProbeReport.own(info)),
        ])
        text = ProbeText(info, name: name, byteCount: nil).text
    }

    private static func brief(_ stream: StreamInfo) -> JSON {
        let tags = [("language", stream.track?.language), ("title", stream.track?.name)].compactMap { key, value in
            value.map { (key: key, value: $0) }
        }
        return .object([
            ("codec_name", .string(stream.codecName)), ("codec_type", .string(stream.kind.rawValue)), ("tags", tagObject(tags)),
        ])
    }

    private static func own(_ info: SourceInfo) -> JSON {
        let titles = info.titles.filter { $0.kind == .disc }.map { title -> JSON in
            .object([
                ("id", .integer(Int64(title.id))), ("duration", JSON(title.duration.map { sixDecimals($0.nanoseconds) })),
                ("chapters", .integer(Int64(title.chapters?.count ?? 0))), ("played", .bool(title.isDefault)),
            ])
        }
        let common: [(key: String, value: JSON)] = [
            ("seekable", .bool(info.isSeekable)),
            ("playable", .bool(!info.decodable(.video).isEmpty || !info.decodable(.audio).isEmpty)),
            ("title", JSON(info.metadata.title)), ("artist", JSON(info.metadata.artist)),
            ("album", JSON(info.metadata.album)),
            ("artwork_bytes", JSON(info.metadata.artworkData.map { Int64($0.count) })),
        ]
        return .object(JSON.Members(titles.isEmpty ? common : common + [("titles", .array(titles))]))
    }

    static func tagObject(_ tags: [(key: String, value: String)]) -> JSON {
        .object(JSON.Members(tags.map { ($0.key, .string($0.value)) }))
    }
}

/// Nanoseconds as seconds with six decimals, as ffprobe writes times; exact to the microsecond.
func sixDecimals(_ nanoseconds: Int64) -> String {
    let rounded = (nanoseconds.magnitude + 500) / 1000
    let fraction = String(1_000_000 + rounded % 1_000_000).dropFirst()
    return "\(nanoseconds < 0 && rounded > 0 ? "-" : "")\(rounded / 1_000_000).\(fraction)"
}
