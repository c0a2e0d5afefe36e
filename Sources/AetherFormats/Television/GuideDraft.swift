/// A guide that is being read: takes the channels and programmes of one source after another, and keeps those of the list's channels that are
/// near in time.
struct GuideDraft {
    private let links: GuideLinks
    private let folding: (String) -> String
    /// Kept are programmes that touch this, in seconds since 1970.
    private let window: ClosedRange<Int64>
    private var rows: [Guide.Row] = []
    private var texts: [UInt8] = []
    private var isCut = false
    /// Numbers of the guide's channels by their id; -1: it is none of the list's.
    private var numbers: [String: Int32] = [:]
    private var channels: Int32 = 0
    private var byID: [Int32], byName: [Int32]

    /// Channels of a guide that are looked at.
    private static let channelLimit = 200_000
    /// A day back, and a day on.
    static let reach: Int64 = 86_400

    init(_ links: GuideLinks, around now: Int64, folding: @escaping (String) -> String) {
        (self.links, self.folding) = (links, folding)
        let reach = Self.reach + links.widestShift
        let middle = min(max(now, -(1 << 50)), 1 << 50)
        window = middle - reach...middle + reach
        byID = [Int32](repeating: -1, count: links.count)
        byName = byID
    }

    /// A channel of the guide and its names.
    mutating func declare(_ id: String, names: [String]) {
        guard numbers.count < Self.channelLimit, numbers[id] == nil else { return }
        let own = links.channels(ofID: id)
        let named = names.flatMap { links.channels(named: $0, folding: folding) }
        guard !own.isEmpty || !named.isEmpty else {
            numbers[id] = -1
            return
        }
        numbers[id] = channels
        for channel in own where byID[Int(channel)] < 0 { byID[Int(channel)] = channels }
        for channel in named where byName[Int(channel)] < 0 { byName[Int(channel)] = channels }
        channels += 1
    }

    /// The number of a channel whose programmes are wanted; nil: they are not.
    mutating func number(of id: String) -> Int32? {
        // Some guides declare no channels: their ids may be the names.
        if numbers[id] == nil { declare(id, names: [id]) }
        return numbers[id].flatMap { $0 >= 0 ? $0 : nil }
    }

    /// Whether a programme is near enough; one without an end may last for a day.
    func isNear(_ start: Int64, _ stop: Int64) -> Bool {
        start <= window.upperBound && (stop == Guide.open ? start >= window.lowerBound - Self.reach : stop >= window.lowerBound)
    }

    /// A programme of a channel that is wanted.
    mutating func take(_ channel: Int32, from start: Int64, to stop: Int64, title: String, summary: String) {
        let title = Self.cut(title, 200), summary = Self.cut(summary, 600)
        guard rows.count < Guide.rowLimit, texts.count + title.count + summary.count <= Guide.textLimit else {
            isCut = true
            return
        }
        rows.append(
            Guide.Row(
                channel: channel, text: UInt32(texts.count), titleLength: UInt16(title.count),
                summaryLength: UInt16(summary.count),
                start: start, stop: stop))
        texts += title
        texts += summary
    }

    /// The first bytes of a text, without a part of a character at the end.
    private static func cut(_ text: String, _ limit: Int) -> [UInt8] {
        let bytes = Array(text.utf8.prefix(limit))
        guard bytes.count == limit else { return bytes }
        return Array(bytes[..<(bytes.lastIndex { $0 & 0xC0 != 0x80 } ?? 0)])
    }

    /// The guide of what was taken.
    mutating func finish(wasCut: Bool) -> Guide {
        let final = zip(byID, byName).map { $0 >= 0 ? $0 : $1 }
        return Guide(
            rows: rows, texts: texts, links: final, shifts: links.shifts, channels: Int(channels), isCut: isCut || wasCut)
    }
}
