public import AetherCore
import CFFmpeg

/// The part of a report that only the process with the open container knows: libavformat's own numbers of streams, chapters and format.
public struct ContainerReport: Sendable, Equatable {
    /// Each stream, with ffprobe's keys.
    public let streams: [JSON]
    /// Each chapter, with ffprobe's keys.
    public let chapters: [JSON]
    /// The format, with ffprobe's keys.
    public let format: JSON
    /// Bytes of the source, nil where unknown.
    public let byteCount: Int64?

    /// That of a demuxer, asked for in its box where it has one. `name` may be shown. Blocks. Throws where the box cannot answer.
    static func of(_ demuxer: borrowing Demuxer, _ info: SourceInfo, name: String) throws(MediaError) -> ContainerReport {
        guard let boxed = demuxer.boxed else { return ContainerReport(opened: demuxer, info, name: name) }
        guard let report = ContainerReport(record: try boxed.report(of: info, name: name)) else {
            throw MediaError(.cannotOpen, "open", subject: name, reason: "its decoder said what makes no sense")
        }
        return report
    }

    /// That of a demuxer of this process, with the description of its source.
    public init(opened demuxer: borrowing Demuxer, _ info: SourceInfo, name: String) {
        let context = demuxer.context.pointer
        streams = info.streams.compactMap { stream in
            guard stream.index < Int(context.pointee.nb_streams) else { return nil }
            return context.pointee.streams[stream.index].map { StreamReport(stream, raw: $0, of: context).json }
        }
        chapters = Self.chapters(context)
        format = Self.format(context, info, name: name)
        byteCount = Self.byteCount(context)
    }

    private static func byteCount(_ context: UnsafeMutablePointer<AVFormatContext>) -> Int64? {
        guard let io = context.pointee.pb else { return nil }
        let size = avio_size(io)
        return size >= 0 ? size : nil
    }

    private static func format(
        _ context: UnsafeMutablePointer<AVFormatContext>, _ info: SourceInfo, name: String
    ) -> JSON {
        var members: [(key: String, value: JSON)] = [
            ("filename", .string(DisplayText.singleLine(name, limit: 4096))), ("nb_streams", .integer(Int64(info.streams.count))),
            ("nb_programs", .integer(Int64(context.pointee.nb_programs))), ("format_name", .string(info.container)),
            ("format_long_name", .string(info.containerLongName)),
        ]
        if context.pointee.start_time != aether_nopts() {
            members.append(("start_time", .string(sixDecimals(info.startTime.nanoseconds))))
        }
        if let duration = info.duration { members.append(("duration", .string(sixDecimals(duration.nanoseconds)))) }
        if let size = byteCount(context) { members.append(("size", .string("\(size)"))) }
        if let rate = info.bitRate { members.append(("bit_rate", .string("\(rate)"))) }
        members.append(("probe_score", .integer(Int64(context.pointee.probe_score))))
        if !info.tags.isEmpty { members.append(("tags", ProbeReport.tagObject(info.tags))) }
        return .object(JSON.Members(members))
    }

    private static func chapters(_ context: UnsafeMutablePointer<AVFormatContext>) -> [JSON] {
        (0..<min(1000, Int(context.pointee.nb_chapters))).compactMap { index in
            guard let chapter = context.pointee.chapters[index]?.pointee else { return nil }
            let base = TimeBase(chapter.time_base.num, chapter.time_base.den)
            return .object([
                ("id", .integer(chapter.id)), ("time_base", .string("\(chapter.time_base.num)/\(chapter.time_base.den)")),
                ("start", .integer(chapter.start)), ("start_time", .string(sixDecimals(base.nanoseconds(ticks: chapter.start)))),
                ("end", .integer(chapter.end)), ("end_time", .string(sixDecimals(base.nanoseconds(ticks: chapter.end)))),
                ("tags", ProbeReport.tagObject(FFmpegText.tags(chapter.metadata))),
            ])
        }
    }

    // MARK: - Out of a box

    /// The report as bytes.
    public var record: [UInt8] {
        var record = RecordWriter()
        record.put(each: streams) { $0.put($1) }
        record.put(each: chapters) { $0.put($1) }
        record.put(format)
        record.put(byteCount) { $0.put($1) }
        return record.bytes
    }

    /// The report of a record; nil where it is none.
    public init?(record bytes: [UInt8]) {
        var record = RecordReader(bytes)
        streams = record.list(limit: 1024) { $0.json() }
        chapters = record.list(limit: 1000) { $0.json() }
        format = record.json()
        byteCount = record.optional { $0.integer(in: 0...Int64.max) }
        guard record.isWhole else { return nil }
    }
}
