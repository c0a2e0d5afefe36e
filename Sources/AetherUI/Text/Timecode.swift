public import AetherCore

/// Times as people read them.
public enum Timecode {
    /// "0:01:23"; hours as many digits as they need. Negative spans read 0:00:00: a position before the start is the start.
    public static func text(_ span: TimeSpan) -> String {
        let seconds = max(0, span.nanoseconds) / 1_000_000_000
        return "\(seconds / 3600):\(twoDigits(seconds / 60 % 60)):\(twoDigits(seconds % 60))"
    }

    /// "-0:01:23": what is left, rounded up so that it and the position add up to the duration.
    public static func remaining(_ span: TimeSpan) -> String {
        "-" + text(TimeSpan(nanoseconds: span.nanoseconds) + TimeSpan(nanoseconds: 999_999_999))
    }

    private static func twoDigits(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
}

/// Numbers as people read them.
enum Figures {
    /// A number with a fixed count of decimals (0 … 3); blank for what is not finite.
    static func decimal(_ value: Double, places: Int) -> String {
        guard value.isFinite else { return "" }
        let scales: [Int64] = [1, 10, 100, 1000]
        let places = min(max(places, 0), 3)
        let limited = min(max(value, -1e12), 1e12)
        let scaled = Int64((limited * Double(scales[places])).rounded())
        let magnitude = scaled.magnitude
        let whole = "\(scaled < 0 ? "-" : "")\(magnitude / UInt64(scales[places]))"
        guard places > 0 else { return whole }
        let fraction = String(magnitude % UInt64(scales[places]))
        return whole + "." + String(repeating: "0", count: places - fraction.count) + fraction
    }

    /// The time with its sign, also when positive.
    static func signed(_ value: Double, places: Int) -> String { (value > 0 ? "+" : "") + decimal(value, places: places) }

    /// Bytes in B, kB, MB or GB.
    static func bytes(_ count: Int64) -> String {
        let value = Double(max(0, count))
        if value < 1000 { return "\(Int(value)) B" }
        if value < 1e6 { return decimal(value / 1e3, places: 0) + " kB" }
        if value < 1e9 { return decimal(value / 1e6, places: 2) + " MB" }
        return decimal(value / 1e9, places: 2) + " GB"
    }

    /// A fraction as whole percent.
    static func percent(_ fraction: Double) -> String { decimal(fraction * 100, places: 0) + " %" }
}
