import AetherCore

/// The programmes of the channels of a list, a day back and a day on: 32 bytes each, and their texts in one buffer. Pure.
public struct Guide: Sendable {
    struct Row: Sendable {
        let channel: Int32
        /// Into the texts.
        let text: UInt32
        let titleLength, summaryLength: UInt16
        let start: Int64
        var stop: Int64
    }

    private let rows: [Row]
    private let texts: [UInt8]
    /// The first row of each channel of the guide, and the end of the last.
    private let firsts: [Int]
    /// The channel of the guide that each channel of the list is; -1 for none.
    private let links: [Int32]
    private let shifts: [Int32]
    /// More was there than is kept.
    public let isCut: Bool

    /// 600 000 programmes: 12 000 channels for two days.
    static let rowLimit = 600_000
    /// 64 MB of texts.
    static let textLimit = 64 << 20

    /// A guide of nothing.
    public init() { self.init(rows: [], texts: [], links: [], shifts: [], channels: 0, isCut: false) }

    init(rows: [Row], texts: [UInt8], links: [Int32], shifts: [Int32], channels: Int, isCut: Bool) {
        self.rows = Self.settled(rows)
        (self.texts, self.links, self.shifts, self.isCut) = (texts, links, shifts, isCut)
        var firsts = [Int](repeating: 0, count: channels + 1)
        for row in self.rows { firsts[Int(row.channel) + 1] += 1 }
        for channel in 0..<channels { firsts[channel + 1] += firsts[channel] }
        self.firsts = firsts
    }

    /// In order, and without overlaps: a programme ends where the next begins, and one without an end does so too. Of two that begin at
    /// once the first counts.
    private static func settled(_ rows: [Row]) -> [Row] {
        let order = rows.indices.sorted { (rows[$0].channel, rows[$0].start, $0) < (rows[$1].channel, rows[$1].start, $1) }
        var result: [Row] = []
        result.reserveCapacity(rows.count)
        for index in order {
            let row = rows[index]
            if let last = result.last, last.channel == row.channel {
                if last.start == row.start { continue }
                if last.stop > row.start {
                    result[result.count - 1].stop = row.start
                } else if last.stop <= last.start {
                    result[result.count - 1].stop = min(row.start, last.start + longest)
                }
            }
            result.append(row)
        }
        // The last one: an hour, for nothing says more.
        for index in result.indices where result[index].stop <= result[index].start {
            result[index].stop = result[index].start + 3600
        }
        return result
    }

    /// A programme without an end lasts no longer than a day.
    private static let longest: Int64 = 86_400

    /// The end of a programme that a guide does not state.
    static let open = Int64.min

    /// The number of programmes.
    public var count: Int { rows.count }

    /// The number of the list's channels of which something is known.
    public var linkedCount: Int { links.count { $0 >= 0 && !range(of: $0).isEmpty } }

    private func range(of channel: Int32) -> Range<Int> {
        guard channel >= 0, Int(channel) + 1 < firsts.count else { return 0..<0 }
        return firsts[Int(channel)]..<firsts[Int(channel) + 1]
    }

    /// The programmes of a channel of the list, in order.
    public func programmes(of channel: Int) -> [GuideProgramme] {
        guard links.indices.contains(channel) else { return [] }
        return range(of: links[channel]).map { programme($0, shift(of: channel)) }
    }

    /// The present and the next programme of a channel of the list, at a time in seconds since 1970.
    public func nowNext(of channel: Int, at time: Int64) -> NowNext {
        guard links.indices.contains(channel) else { return NowNext(at: time) }
        let shift = shift(of: channel), range = range(of: links[channel])
        var low = range.lowerBound, high = range.upperBound
        while low < high {
            let middle = (low + high) / 2
            if rows[middle].start + shift > time { high = middle } else { low = middle + 1 }
        }
        let near = max(range.lowerBound, low - 1)..<min(range.upperBound, low + 1)
        return NowNext(near.map { programme($0, shift) }, at: time)
    }

    /// The times at which programmes of a channel of the list begin or end, within a range, in seconds since 1970 and in their order.
    public func borders(of channel: Int, in times: ClosedRange<Int64>) -> [Int64] {
        guard links.indices.contains(channel) else { return [] }
        let shift = shift(of: channel)
        let all = range(of: links[channel]).flatMap { [rows[$0].start + shift, rows[$0].stop + shift] }
        return Set(all.filter { times.contains($0) }).sorted()
    }

    private func shift(of channel: Int) -> Int64 { shifts.indices.contains(channel) ? Int64(shifts[channel]) : 0 }

    private func programme(_ index: Int, _ shift: Int64) -> GuideProgramme {
        let row = rows[index]
        let start = Int(row.text), middle = start + Int(row.titleLength), end = middle + Int(row.summaryLength)
        let title = DisplayText.singleLine(String(decoding: texts[start..<middle], as: UTF8.self), limit: 200)
        return GuideProgramme(
            start: row.start + shift, stop: row.stop + shift, title: title.isEmpty ? "(no title)" : title,
            summary: DisplayText.singleLine(String(decoding: texts[middle..<end], as: UTF8.self), limit: 500))
    }
}
