import AetherCore

/// The parameters of a TTML document's time expressions. W3C TTML2, 12.3 and 7.2.
struct TTMLClock: Sendable, Equatable {
    /// Frames a second, with the multiplier.
    var frameRate = 30.0
    /// Ticks a second; nil: the frame rate, or 1 where that is not given either.
    var tickRate: Double?
    private var hasFrameRate = false

    init() {}

    /// The parameters of the root element.
    init(_ attributes: [String: String]) {
        if let rate = attributes["frameRate"].flatMap({ Double($0) }), rate > 0, rate <= 1000 {
            frameRate = rate
            hasFrameRate = true
        }
        if let parts = attributes["frameRateMultiplier"]?.split(whereSeparator: { $0 == " " || $0 == ":" }).map({ Double($0) }),
            parts.count == 2, let numerator = parts[0], let denominator = parts[1], numerator > 0, denominator > 0
        {
            frameRate *= numerator / denominator
        }
        if let rate = attributes["tickRate"].flatMap({ Double($0) }), rate > 0 { tickRate = rate }
    }

    /// A clock time (`01:02:03.5`, `01:02:03:12`) or an offset (`3.5s`, `90f`); nil for anything else.
    func span(_ text: String?) -> TimeSpan? {
        guard let text, text.utf8.count <= 64 else { return nil }
        let parts = text.filter { !$0.isWhitespace }.split(separator: ":", omittingEmptySubsequences: false)
        if parts.count >= 3 {
            guard parts.count <= 4, let hours = Double(parts[0]), let minutes = Double(parts[1]), let seconds = Double(parts[2]),
                hours >= 0, hours < 1e5, minutes >= 0, seconds >= 0
            else { return nil }
            let frames = parts.count == 4 ? Double(parts[3]) ?? 0 : 0
            return .seconds(hours * 3600 + minutes * 60 + seconds + max(0, frames) / frameRate)
        }
        guard parts.count == 1, let last = parts.first else { return nil }
        let unit = last.drop { $0.isNumber || $0 == "." }
        guard let value = Double(last.dropLast(unit.count)), value.isFinite, value >= 0 else { return nil }
        switch unit {
        case "h": return .seconds(min(value, 1e5) * 3600)
        case "m": return .seconds(min(value, 1e7) * 60)
        case "s": return .seconds(min(value, 1e9))
        case "ms": return .milliseconds(min(value, 1e12))
        case "f": return .seconds(value / frameRate)
        case "t": return .seconds(value / (tickRate ?? (hasFrameRate ? frameRate : 1)))
        default: return nil
        }
    }
}
