import AetherFormats
import AetherTerminal

/// The names of a list's channels as they are searched: folded, in one buffer. A hundred thousand names take some 2 MB and are looked through in
/// milliseconds.
public struct ChannelNames: Sendable, Equatable {
    private let texts: [UInt8]
    /// The end of each name.
    private let ends: [UInt32]

    /// Reads every name once: work for a thread of its own.
    init(_ list: ChannelList) {
        var texts: [UInt8] = [], ends: [UInt32] = []
        ends.reserveCapacity(list.count)
        for index in 0..<list.count {
            texts += Array(FoldedText.of(list.name(index)).utf8)
            ends.append(UInt32(texts.count))
        }
        (self.texts, self.ends) = (texts, ends)
    }

    /// Two lists whose channels are called the same.
    public static func == (a: ChannelNames, b: ChannelNames) -> Bool { a.ends == b.ends && a.texts == b.texts }

    /// The channels among some whose names have all words, the best first: names that begin with a word, words that do, parts of words, and then
    /// letters in their order with others between.
    func find(_ words: [String], among channels: [Int]) -> [Int] {
        let words = words.map { Array($0.utf8) }
        guard !words.isEmpty else { return channels }
        var ranked: [(rank: Int, channel: Int)] = []
        texts.withUnsafeBufferPointer { texts in
            for channel in channels where ends.indices.contains(channel) {
                let name = UnsafeBufferPointer(rebasing: texts[(channel > 0 ? Int(ends[channel - 1]) : 0)..<Int(ends[channel])])
                var rank = 0
                let fits = words.allSatisfy { word in
                    guard let found = Self.rank(word, in: name) else { return false }
                    rank += found
                    return true
                }
                if fits { ranked.append((rank, channel)) }
            }
        }
        // The best group is often small; the order of the list stays within each.
        let best = ranked.map(\.rank).min() ?? 0
        let isFuzzy = best >= Self.fuzzy
        return ranked.filter { isFuzzy || $0.rank < Self.fuzzy }.enumerated()
            .sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }.map(\.element.channel)
    }

    /// A word whose letters only lie in their order; such names are shown where no name has the word itself.
    private static let fuzzy = 100

    private static func rank(_ word: [UInt8], in name: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let first = word.first, name.count >= word.count else { return nil }
        var best: Int?
        for start in 0...(name.count - word.count) where name[start] == first {
            guard name[start..<start + word.count].elementsEqual(word) else { continue }
            if start == 0 { return 0 }
            let isWord = !isLetter(name[start - 1])
            best = min(best ?? 2, isWord ? 1 : 2)
            if isWord { break }
        }
        if let best { return best }
        var place = 0
        for byte in name where byte == word[place] {
            place += 1
            if place == word.count { return fuzzy }
        }
        return nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        byte >= 0x80 || (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
    }
}
