public import AetherCore

/// The name of a still's file. Pure.
public enum StillName {
    /// "video-00h01m02.345.png" for a still of "video.mkv". The name is safe as a file's: no slashes, no control characters, no dot in
    /// front, 120 bytes at most before the time. `mark` tells kinds of stills apart.
    public static func name(of source: String, mark: String = "", at offset: TimeSpan, number: Int = 0) -> String {
        let milliseconds = max(0, offset.nanoseconds) / 1_000_000
        let seconds = milliseconds / 1000
        let clock =
            "\(padded(seconds / 3600, 2))h\(padded(seconds / 60 % 60, 2))m\(padded(seconds % 60, 2)).\(padded(milliseconds % 1000, 3))"
        return stem(of: source) + mark + "-" + clock + (number > 0 ? "-\(number)" : "") + ".png"
    }

    /// The name without what stands behind its last point.
    static func stem(of source: String) -> String {
        var name = DisplayText.singleLine(source.split(separator: "/").last.map(String.init) ?? "", limit: 200)
        if let dot = name.lastIndex(of: "."), dot > name.startIndex, name.distance(from: dot, to: name.endIndex) <= 6 {
            name = String(name[..<dot])
        }
        name = String(name.map { $0 == "/" || $0 == "\\" || $0 == ":" ? "_" : $0 }.drop { $0 == "." || $0 == "-" || $0 == " " })
        while name.utf8.count > 120 { name.removeLast() }
        return name.isEmpty ? "still" : name
    }

    private static func padded(_ value: Int64, _ digits: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
