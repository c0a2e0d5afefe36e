import AetherCore

import AetherFormats

/// How the samples are sorted.
enum SampleOrder: CaseIterable, Sendable {
    case number, time, size, duration

    var title: String {
        switch self {
        case .number: translated("by number")
        case .time: translated("by PTS")
        case .size: translated("largest first")
        case .duration: translated("longest first")
        }
    }

    /// The one behind this one, from the last to the first.
    var next: SampleOrder {
        let all = Self.allCases
        return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
    }

    /// The places of rows, sorted; equal ones stay in their order.
    func sorted(_ places: [Int], of rows: [SampleRow]) -> [Int] {
        switch self {
        case .number: return places
        case .time: return sorted(places) { rows[$0].pts ?? rows[$0].dts ?? .min }
        case .size: return sorted(places) { -Int64(rows[$0].size) }
        case .duration: return sorted(places) { 0 &- (rows[$0].duration ?? 0) }
        }
    }

    private func sorted(_ places: [Int], _ key: (Int) -> Int64) -> [Int] {
        // The keys once, and not with each comparison: of a million rows there are twenty million.
        places.map { (key: key($0), place: $0) }.sorted { ($0.key, $0.place) < ($1.key, $1.place) }.map(\.place)
    }
}

/// The samples that are listed, by words: `key`, `enc`, `>1000` and `<1000` bytes, `gop 3`. All must fit; what is no such word is left out.
struct SampleFilter: Sendable, Equatable {
    private var isKey = false, isEncrypted = false
    private var least: Int64?, most: Int64?
    private var gop: Int?

    init(_ text: String) {
        let words = text.lowercased().split(separator: " ")
        for (place, word) in words.enumerated() {
            switch word {
            case "key", "k": isKey = true
            case "enc", "encrypted": isEncrypted = true
            case "gop" where words.indices.contains(place + 1): gop = Int(words[place + 1])
            case _ where word.hasPrefix(">"): least = Int64(word.dropFirst())
            case _ where word.hasPrefix("<"): most = Int64(word.dropFirst())
            default: break
            }
        }
    }

    /// Nothing is left out.
    var isEmpty: Bool { self == SampleFilter("") }

    func fits(_ row: SampleRow) -> Bool {
        (!isKey || row.isKey) && (!isEncrypted || row.isEncrypted) && least.map { Int64(row.size) > $0 } ?? true
            && most.map { Int64(row.size) < $0 } ?? true && gop.map { row.gop == $0 } ?? true
    }
}
