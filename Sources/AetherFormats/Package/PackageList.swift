import AetherCore

/// The list of segments of a package's rendition, as any player reads it. Pure.
public struct PackageList: Sendable {
    /// How it lasts.
    public enum State: Sendable {
        /// The list is complete.
        case ended
        /// Further segments will come.
        case growing
    }

    private let segments: [PackageEntry]
    private let maps: [Int64: PackageEntry]
    private let state: State
    private let isIndependent: Bool

    /// A rendition of a package. Segments that are not there yet are left out.
    public init(_ journal: PackageJournal, rendition: Int, state: State, isIndependent: Bool) {
        (segments, maps) = (journal.list(rendition), journal.maps[rendition] ?? [:])
        (self.state, self.isIndependent) = (state, isIndependent)
    }

    /// The text of the playlist.
    public var text: String {
        // EXTINF rounded to whole seconds may not be more (RFC 8216bis, 4.4.3.1).
        let longest = segments.map { ($0.duration + 500_000_000) / 1_000_000_000 }.max() ?? 1
        var lines = ["#EXTM3U", "#EXT-X-VERSION:\(version)", "#EXT-X-TARGETDURATION:\(max(1, longest))"]
        lines += ["#EXT-X-MEDIA-SEQUENCE:0", "#EXT-X-PLAYLIST-TYPE:\(state == .ended ? "VOD" : "EVENT")"]
        if isIndependent { lines.append("#EXT-X-INDEPENDENT-SEGMENTS") }
        var former: PackageEntry?, key: PackageEntry.Key?, map: Int64?
        for entry in segments {
            if let former, former.continuity != entry.continuity || Self.isHole(former, entry) {
                lines.append("#EXT-X-DISCONTINUITY")
            }
            if entry.map != map, let number = entry.map, let section = maps[number] {
                // A section's key is the one that is stated before it, and need not be that of the segments.
                Self.state(section.key, &key, &lines)
                lines.append("#EXT-X-MAP:URI=\"\(section.file)\"")
                map = number
            }
            Self.state(entry.key, &key, &lines)
            if let clock = entry.clock, former == nil || former?.continuity != entry.continuity {
                lines.append("#EXT-X-PROGRAM-DATE-TIME:\(Self.date(clock))")
            }
            if entry.kind == .gap { lines.append("#EXT-X-GAP") }
            lines.append("#EXTINF:\(Self.seconds(entry.duration)),")
            lines.append(entry.kind == .gap ? PackageName.file(.segment, entry.number, ending: "gap") : entry.file)
            former = entry
        }
        if state == .ended { lines.append("#EXT-X-ENDLIST") }
        return lines.joined(separator: "\n") + "\n"
    }

    private var version: Int { segments.contains { $0.kind == .gap } ? 8 : 7 }

    /// Whether a part between two entries was not recorded.
    private static func isHole(_ former: PackageEntry, _ entry: PackageEntry) -> Bool { entry.start - former.end > 500_000_000 }

    /// Says which key holds from here on, where another one did.
    private static func state(_ key: PackageEntry.Key?, _ former: inout PackageEntry.Key?, _ lines: inout [String]) {
        guard key != former else { return }
        lines.append(line(key))
        former = key
    }

    private static func line(_ key: PackageEntry.Key?) -> String {
        guard let key else { return "#EXT-X-KEY:METHOD=NONE" }
        let vector = key.vector.map { ",IV=0x\(PackageEntry.hexadecimal($0))" } ?? ""
        return "#EXT-X-KEY:METHOD=\(key.method),URI=\"../\(PackageName.key(key.number))\"\(vector)"
    }

    /// Nanoseconds as a decimal, exact.
    static func seconds(_ nanoseconds: Int64) -> String {
        let whole = nanoseconds / 1_000_000_000, rest = nanoseconds % 1_000_000_000
        var digits = String(repeating: "0", count: 9 - "\(rest)".count) + "\(rest)"
        while digits.count > 3, digits.last == "0" { digits.removeLast() }
        return "\(whole).\(digits)"
    }

    /// Milliseconds since 1970 as ISO 8601 has it, in UTC: the calendar repeats every 400 years, which begin in March.
    static func date(_ milliseconds: Int64) -> String {
        func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let day = 86_400_000 as Int64
        let days = (milliseconds - ((milliseconds % day) + day) % day) / day, time = milliseconds - days * day
        let shifted = days + 719_468, era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let ofEra = shifted - era * 146_097
        let years = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * years + years / 4 - years / 100), shiftedMonth = (5 * ofYear + 2) / 153
        let dayOfMonth = ofYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = years + era * 400 + (month <= 2 ? 1 : 0)
        let (hours, minutes, seconds) = (time / 3_600_000, time / 60_000 % 60, time / 1000 % 60)
        let rest = "\(1000 + time % 1000)".dropFirst()
        return "\(year)-\(two(month))-\(two(dayOfMonth))T\(two(hours)):\(two(minutes)):\(two(seconds)).\(rest)Z"
    }
}
