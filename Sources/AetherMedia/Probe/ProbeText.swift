import AetherCore

/// A source described in lines for people.
struct ProbeText {
    private let info: SourceInfo
    private let name: String
    private let byteCount: Int64?

    init(_ info: SourceInfo, name: String, byteCount: Int64?) {
        self.info = info
        self.name = DisplayText.singleLine(name, limit: 4096)
        self.byteCount = byteCount
    }

    var text: String {
        let unknown = translated("unknown", context: "probe")
        func row(_ label: String, _ value: String) -> String {
            "  " + label + String(repeating: " ", count: max(1, 11 - label.count)) + value
        }
        let container = "\(info.containerLongName) (\(info.container))"
        var lines = [name, row(translated("container", context: "probe"), container)]
        lines.append(
            row(translated("duration", context: "probe"), info.duration.map { Self.clock($0.nanoseconds) } ?? unknown))
        if info.startTime != .zero {
            lines.append(row(translated("start", context: "probe"), Self.clock(info.startTime.nanoseconds)))
        }
        if let byteCount { lines.append(row(translated("size", context: "probe"), translated("\(byteCount) bytes"))) }
        if let rate = info.bitRate { lines.append(row(translated("bit rate", context: "probe"), Self.kilobits(rate))) }
        if !info.isSeekable { lines.append(row(translated("seeking", context: "probe"), translated("not possible"))) }
        for stream in info.streams { lines += Self.lines(of: stream) }
        for chapter in info.chapters {
            let title = chapter.name.isEmpty ? "" : "  \(chapter.name)"
            let times = "\(Self.clock(chapter.start.nanoseconds)) + \(Self.clock(chapter.duration.nanoseconds))"
            lines.append(translated("chapter \(chapter.id + 1)  \(times)") + title)
        }
        for title in info.titles where title.kind == .disc {
            let chapters = title.chapters?.count ?? 0, length = title.duration.map { Self.clock($0.nanoseconds) } ?? unknown
            let parts = [
                translated("title \(title.id)  \(length)"),
                translated(one: "\(chapters) chapter", other: "\(chapters) chapters", count: chapters),
                title.isDefault ? translated("played", context: "probe") : nil,
            ]
            lines.append(parts.compactMap { $0 }.joined(separator: ", "))
        }
        for tag in info.tags { lines.append(translated("tag \(tag.key): \(tag.value)")) }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func lines(of stream: StreamInfo) -> [String] {
        var parts = [translated("stream \(stream.index)  \(stream.kind.rawValue)  \(stream.codecName)")]
        if let profile = stream.profile { parts[0] += " (\(profile))" }
        if !stream.isDecodable, stream.kind != .data, stream.kind != .attachment { parts.append(translated("no decoder")) }
        parts += stream.kind == .video || stream.kind == .attachedPicture ? picture(stream) : []
        if let track = stream.track {
            if track.kind == .audio {
                parts.append("\(track.sampleRate) Hz")
                parts.append((track.channelLayout ?? translated("\(track.channels) channels")) + (track.isAtmos ? " Atmos" : ""))
            }
            if track.bitrate > 0 { parts.append(kilobits(track.bitrate)) }
            if let language = track.language { parts.append(translated("language \(language)")) }
            if !track.name.isEmpty { parts.append(translated("‘\(track.name)’")) }
        }
        let flags = StreamReport.dispositions.filter { stream.disposition & $0.bit != 0 }.map(\.name)
        if !flags.isEmpty { parts.append("[\(flags.joined(separator: " "))]") }
        return [parts.joined(separator: ", ")]
    }

    private static func picture(_ stream: StreamInfo) -> [String] {
        var parts: [String] = []
        if let size = stream.size { parts.append("\(size.width)x\(size.height)") }
        if stream.sampleAspect != .one {
            let aspect = "\(stream.sampleAspect.numerator):\(stream.sampleAspect.denominator)"
            parts.append(translated("pixel aspect \(aspect)"))
        }
        if let format = stream.pixelFormat { parts.append(format) }
        if let rate = stream.frameRate, stream.kind == .video {
            let exact = rate.denominator == 1 ? "\(rate.numerator)" : "\(rate.numerator)/\(rate.denominator)"
            parts.append(translated("\(exact) frames/s"))
        }
        if let base = stream.enhancedStream {
            parts.append(translated("Dolby Vision enhancement layer of stream \(base)"))
        } else if let record = stream.dolbyVision {
            parts.append(record.name)
        } else if stream.videoFormat != .sdr {
            parts.append(stream.videoFormat.name)
        }
        if stream.rotationDegrees != 0 { parts.append(translated("turned by \(stream.rotationDegrees)°")) }
        if stream.isInterlaced { parts.append(translated("interlaced")) }
        return parts
    }

    private static func kilobits(_ rate: Int64) -> String { "\((rate + 500) / 1000) kbit/s" }

    /// h:mm:ss.mmm.
    private static func clock(_ nanoseconds: Int64) -> String {
        let milliseconds = (nanoseconds.magnitude + 500_000) / 1_000_000
        let seconds = milliseconds / 1000
        func two(_ number: UInt64) -> String { String(100 + number % 100).dropFirst().description }
        let fraction = String(1000 + milliseconds % 1000).dropFirst()
        return "\(nanoseconds < 0 ? "-" : "")\(seconds / 3600):\(two(seconds / 60 % 60)):\(two(seconds % 60)).\(fraction)"
    }
}
