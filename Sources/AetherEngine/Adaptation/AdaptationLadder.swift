import AetherCore
import Glibc

/// The variants among which adaptation may choose, from the lowest to the highest. Pure.
struct AdaptationLadder: Sendable, Equatable {
    /// The person's limits.
    struct Limits: Sendable, Equatable {
        /// Bits a second; nil for none.
        var bitRate: Double?
        /// Lines of the video; nil for none.
        var height: Int?
        /// Whether the link is paid for by the byte: no more than 480 lines and 1.5 Mbit/s.
        var isLowData = false

        /// The limits with those of a metered link.
        var effective: (bitRate: Double, height: Int) {
            let metered: (Double, Int) = isLowData ? (1_500_000, 480) : (.infinity, .max)
            return (min(bitRate ?? .infinity, metered.0), min(height ?? .max, metered.1))
        }
    }

    /// From the lowest to the highest.
    let variants: [MediaVariant]

    /// The variants that are left for a window: none that is larger than the smallest that fills it with a quarter to spare, than the person
    /// wants, than the machine can decode, and none of the banned. Where a rule leaves nothing, the lowest is left.
    init(
        _ all: [MediaVariant], window: PixelSize?, limits: Limits = Limits(), decoding: DecodingBudget = .unlimited,
        banned: Set<MediaVariant.ID> = []
    ) {
        // One of which nothing is said may be audio alone, where others say that they have video.
        let stated = all.filter { $0.videoAttributes != nil }
        let video = stated.isEmpty ? all.filter(\.hasVideo) : stated
        let sorted = (video.isEmpty ? all : video).sorted { Self.isLess($0, $1) }
        var left = Self.kept(sorted) { !banned.contains($0.id) }
        let (rate, height) = limits.effective
        left = Self.kept(left) { $0.adaptationRate <= rate && ($0.size.map { min($0.width, $0.height) } ?? 0) <= height }
        left = Self.kept(left) { decoding.allows($0) }
        variants = window.map { Self.capped(left, $0) } ?? left
    }

    private static func kept(_ some: [MediaVariant], where allows: (MediaVariant) -> Bool) -> [MediaVariant] {
        let kept = some.filter(allows)
        return kept.isEmpty ? Array(some.prefix(1)) : kept
    }

    /// Without those that are larger than the smallest that fills the window with a quarter to spare.
    private static func capped(_ some: [MediaVariant], _ window: PixelSize) -> [MediaVariant] {
        guard window.width > 0, window.height > 0 else { return some }
        func scale(_ variant: MediaVariant) -> Double? {
            variant.size.map { max(Double($0.width) / Double(window.width), Double($0.height) / Double(window.height)) }
        }
        guard let enough = some.compactMap(scale).filter({ $0 >= 1.25 }).min() else { return some }
        return kept(some) { scale($0).map { $0 <= enough } ?? true }
    }

    /// The maker's score counts more than the bits.
    private static func isLess(_ a: MediaVariant, _ b: MediaVariant) -> Bool {
        (a.score ?? 0, a.adaptationRate, a.id) < (b.score ?? 0, b.adaptationRate, b.id)
    }

    /// The place of a variant; nil for one that may not be chosen.
    func index(of id: MediaVariant.ID) -> Int? { variants.firstIndex { $0.id == id } }

    /// The highest place that so many bits a second carry; 0 where none does.
    func index(within rate: Double) -> Int { variants.lastIndex { $0.adaptationRate <= rate } ?? 0 }

    /// The place that the buffer rule wants (BOLA: Spiteri, Urgaonkar, Sitaraman, 2016; its parameters as dash.js sets them): the more is held,
    /// the higher; the highest at the end of what can be held.
    func index(holding buffer: TimeSpan, of capacity: TimeSpan) -> Int {
        guard variants.count > 1, let lowest = variants.first?.adaptationRate, lowest > 0 else { return 0 }
        let utilities = variants.map { log(max(1, $0.adaptationRate / lowest)) + 1 }
        let target = min(10 + 2 * Double(variants.count), max(1, capacity.seconds)), least = min(10, target / 2)
        let reward = ((utilities.last ?? 1) - 1) / (target / least - 1), weight = least / max(reward, .leastNonzeroMagnitude)
        var best = 0, highest = -Double.infinity
        for (index, variant) in variants.enumerated() {
            let score = (weight * (utilities[index] + reward) - buffer.seconds) / variant.adaptationRate
            if score >= highest { (best, highest) = (index, score) }
        }
        return best
    }
}

extension MediaVariant {
    /// Bits a second that fetching it takes: the average where the manifest states it, with a tenth to spare, else the peak.
    var adaptationRate: Double { max(1, averageBitRate.map { min(1.1 * $0, peakBitRate ?? .infinity) } ?? peakBitRate ?? 1) }
}
