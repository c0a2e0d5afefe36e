/// The times that a template of catch-up asks for, in seconds since 1970.
struct CatchupTimes: Sendable, Equatable {
    let start, stop, now: Int64
    var duration: Int64 { stop - start }
    var offset: Int64 { max(0, now - start) }
}

/// The placeholders of a catch-up source: `{utc}`, `${start}`, `{duration:60}`, `{Y}`, `${end:Y-m-d}`. Pure.
enum CatchupTemplate {
    /// The longest word between braces.
    private static let wordLimit = 64

    /// The text with its placeholders filled in; what is none stays as it is.
    static func expanded(_ template: String, _ times: CatchupTimes) -> String {
        var result = ""
        var rest = template[...]
        while let open = rest.firstIndex(of: "{") {
            let inside = rest[rest.index(after: open)...]
            guard let close = inside.prefix(wordLimit).firstIndex(of: "}"), let value = value(inside[..<close], times) else {
                result += rest[...open]
                rest = inside
                continue
            }
            result += rest[..<open]
            if result.hasSuffix("$") { result.removeLast() }
            result += value
            rest = inside[inside.index(after: close)...]
        }
        return result + rest
    }

    private static func value(_ word: Substring, _ times: CatchupTimes) -> String? {
        let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = parts.first else { return nil }
        let detail = parts.count > 1 ? parts[1] : nil
        switch name {
        case "utc", "start": return point(times.start, detail)
        case "utcend", "end": return point(times.stop, detail)
        case "lutc", "now", "timestamp": return point(times.now, detail)
        case "duration": return span(times.duration, detail)
        case "offset": return span(times.offset, detail)
        case "Y", "m", "d", "H", "M", "S": return detail == nil ? date(times.start, name) : nil
        default: return nil
        }
    }

    /// A time in seconds, or in the letters of a date.
    private static func point(_ time: Int64, _ format: Substring?) -> String? {
        guard let format else { return "\(time)" }
        return format.isEmpty ? nil : date(time, format)
    }

    /// A span in seconds, or in whole units of so many.
    private static func span(_ seconds: Int64, _ unit: Substring?) -> String? {
        guard let unit else { return "\(seconds)" }
        guard let divisor = Int64(unit), divisor > 0 else { return nil }
        return "\(seconds / divisor)"
    }

    private static func date(_ time: Int64, _ format: Substring) -> String {
        let date = CivilTime(unix: time)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        var text = ""
        for letter in format {
            switch letter {
            case "Y": text += "\(date.year)"
            case "m": text += two(date.month)
            case "d": text += two(date.day)
            case "H": text += two(date.hour)
            case "M": text += two(date.minute)
            case "S": text += two(date.second)
            default: text.append(letter)
            }
        }
        return text
    }
}
