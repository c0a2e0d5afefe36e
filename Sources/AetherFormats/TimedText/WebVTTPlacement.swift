public import AetherCore

/// The settings behind a WebVTT cue's times (`line:10% position:50% align:start`) as a placement. W3C WebVTT, "cue settings".
public enum WebVTTPlacement {
    /// The placement that the settings ask for; nil for the bottom in the middle, and for settings that cannot be read.
    public static func parse(_ settings: String, header: WebVTTHeader = WebVTTHeader()) -> SubtitleTextPlacement? {
        var column = 2, row = 1
        var x: Double?, y: Double?, region: WebVTTHeader.Region?
        for setting in settings.prefix(512).split(whereSeparator: \.isWhitespace) {
            guard let colon = setting.firstIndex(of: ":") else { continue }
            let parts = setting[setting.index(after: colon)...].split(separator: ",")
            guard let value = parts.first else { continue }
            switch setting[..<colon] {
            case "align": column = value == "start" || value == "left" ? 1 : value == "end" || value == "right" ? 3 : 2
            case "position": x = percent(value)
            case "line": (y, row) = line(value, align: parts.dropFirst().first)
            case "region": region = header.regions[String(value)]
            default: break
            }
        }
        // A cue with a line of its own is in no region.
        if let region, y == nil { return placement(region, column: column) }
        guard column != 2 || x != nil || y != nil else { return nil }
        let alignment = column + (row - 1) * 3
        if x == nil, y == nil { return SubtitleTextPlacement(alignment: alignment) }
        // Without a position a cue stands at the edge that it is aligned to, and without a line at the bottom.
        let point = SubtitlePoint(x: x ?? (column == 1 ? 0 : column == 3 ? 1 : 0.5), y: y ?? 1)
        return SubtitleTextPlacement(alignment: alignment, position: point)
    }

    /// The position of the box, and which of its edges lies there: 3 its top, 2 its middle, 1 its bottom. A line is 5.33 % of the frame's height
    /// (the specification's default font size); those below zero are counted from the bottom.
    private static func line(_ value: Substring, align: Substring?) -> (y: Double?, row: Int) {
        if let share = percent(value) { return (share, align == "center" ? 2 : align == "end" ? 1 : 3) }
        guard let number = Double(value), number.isFinite else { return (nil, 1) }
        return number < 0 ? (1 + (number + 1) * 0.0533, 1) : (number * 0.0533, 3)
    }

    /// Text stands in its column of the region's width, and where the region hangs on the frame in height.
    private static func placement(_ region: WebVTTHeader.Region, column: Int) -> SubtitleTextPlacement {
        let left = region.place.x - region.anchor.x * region.width
        let row = region.anchor.y > 0.66 ? 0 : region.anchor.y < 0.34 ? 2 : 1
        return SubtitleTextPlacement(
            alignment: row * 3 + column,
            position: SubtitlePoint(x: left + region.width * Double(column - 1) / 2, y: region.place.y))
    }

    private static func percent(_ value: Substring) -> Double? {
        guard value.hasSuffix("%"), let number = Double(value.dropLast()), number.isFinite else { return nil }
        return min(max(number, 0), 100) / 100
    }
}
