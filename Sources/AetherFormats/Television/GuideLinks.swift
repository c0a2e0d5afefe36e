/// The links between the channels of a list and those of a guide, by their IDs and names. Pure.
public struct GuideLinks: Sendable {
    private var byID: [String: [Int32]] = [:]
    private var byName: [String: [Int32]] = [:]
    /// The number of channels.
    let count: Int
    /// Seconds that the guide is late for each channel; empty where it is for none.
    let shifts: [Int32]

    /// `folding` takes case and accents away.
    public init(_ list: ChannelList, folding: (String) -> String) {
        count = list.count
        var shifts = [Int32](repeating: 0, count: count)
        for index in 0..<count {
            let words = list.guideWords(index)
            shifts[index] = Int32(list.guideShift(index))
            if !words.id.isEmpty { byID[words.id.lowercased(), default: []].append(Int32(index)) }
            for name in Set(words.names.map { Self.plain($0, folding) }) where !name.isEmpty {
                byName[name, default: []].append(Int32(index))
            }
        }
        self.shifts = shifts.contains { $0 != 0 } ? shifts : []
    }

    /// Channels whose `tvg-id` this is.
    func channels(ofID id: String) -> [Int32] { byID[id.lowercased()] ?? [] }

    /// Channels that have this name, as a person would say it.
    func channels(named name: String, folding: (String) -> String) -> [Int32] { byName[Self.plain(name, folding)] ?? [] }

    /// The most seconds that a channel's guide is late or early.
    var widestShift: Int64 { Int64(shifts.map { abs($0) }.max() ?? 0) }

    private static let qualities: Set<String> = [
        "hd", "fhd", "uhd", "sd", "4k", "8k", "hevc", "h264", "h265", "x265", "1080p", "1080i", "720p", "576p", "576i", "480p",
        "2160p",
        "raw", "vip", "backup", "hq", "lq", "50fps", "60fps",
    ]

    /// A name without what lists add to it: case, accents, signs, what stands in brackets, words of quality.
    static func plain(_ name: String, _ folding: (String) -> String) -> String {
        var depth = 0, words: [String] = [], word = ""
        for character in folding(String(name.prefix(200))) {
            switch character {
            case "(", "[": depth += 1
            case ")", "]": depth = max(0, depth - 1)
            case _ where depth > 0: continue
            case _ where character.isLetter || character.isNumber: word.append(character)
            // "Sport+" is another channel than "Sport".
            case "+": word += "plus"
            default: break
            }
            if !(character.isLetter || character.isNumber || character == "+"), !word.isEmpty {
                words.append(word)
                word = ""
            }
        }
        if !word.isEmpty { words.append(word) }
        let telling = words.filter { !qualities.contains($0) }
        return (telling.isEmpty ? words : telling).joined()
    }
}
