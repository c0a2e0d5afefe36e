import AetherCore

/// The detail that is drawn at all, when a smaller update threshold and fewer colours (the encoders' own means) do not suffice: first the
/// raster gets smaller, then cells take the place of pixels, then frames get fewer; back up in reverse.
///
/// A rung is left downwards after 0.6 s of trouble, so that a cut alone never does it, and upwards after 2 s of ease. A rung that
/// did not hold is tried again after twice as long each time, as players do with bitrates. Pure: time is an argument.
struct DetailLadder: Equatable {
    /// A way to draw.
    struct Rung: Equatable {
        /// Share of the full raster in each direction.
        var scale: Double
        /// Every how many frames one is drawn.
        var stride: Int
        /// Whether cells stand in for pixels.
        var isCells = false
    }

    /// The ways to save.
    enum Means {
        /// Cells already hold one or a few pixels, and what is equal among them is cheap anyway: only frames.
        case cells
        /// Terminal or renderer scale smaller frames up.
        case pixels
        /// With half of the pixels gone cells look better: on 1 MB/s half-blocks reach 31.7 dB blurred, sixel 23.
        case pixelsThenCells
    }

    /// The outcome of a frame.
    enum Outcome: Equatable {
        /// The frame was far from the wanted image for want of bytes, or took longer than a frame lasts.
        case strained
        /// The frame came as near as wanted, with at most half of what was there.
        case easy
        case fitting
    }

    private let rungs: [Rung]
    private(set) var position = 0
    private var strainedSince: HostTime?
    private var easySince: HostTime?
    private var ascendedAt: HostTime?
    private var patience = DetailLadder.ease

    private static let strain = TimeSpan.milliseconds(600)
    private static let ease = TimeSpan.seconds(2)
    private static let longestEase = TimeSpan.seconds(60)

    /// At the top.
    init(_ means: Means) {
        switch means {
        case .cells: rungs = (1...3).map { Rung(scale: 1, stride: $0) }
        case .pixels:
            rungs =
                [1, 0.75, 0.5, 0.375, 0.25].map { Rung(scale: $0, stride: 1) } + [2, 3].map { Rung(scale: 0.25, stride: $0) }
        case .pixelsThenCells:
            rungs = [1, 0.75].map { Rung(scale: $0, stride: 1) } + (1...3).map { Rung(scale: 1, stride: $0, isCells: true) }
        }
    }

    /// The present way to draw.
    var rung: Rung { rungs[position] }

    /// Takes in how a frame went; returns whether the rung changed.
    mutating func note(_ outcome: Outcome, at now: HostTime) -> Bool {
        if outcome != .strained { strainedSince = nil }
        if outcome != .easy { easySince = nil }
        switch outcome {
        case .fitting: return false
        case .strained:
            let since = strainedSince ?? now
            strainedSince = since
            guard position + 1 < rungs.count, now - since >= Self.strain else { return false }
            // Up a moment ago and down again: that rung does not hold.
            if let ascendedAt, now - ascendedAt < .seconds(6) { patience = min(Self.longestEase, patience.scaled(by: 2)) }
            position += 1
        case .easy:
            let since = easySince ?? now
            easySince = since
            guard position > 0, now - since >= patience else { return false }
            if let ascendedAt, now - ascendedAt > Self.longestEase { patience = Self.ease }
            position -= 1
            ascendedAt = now
        }
        strainedSince = nil
        easySince = nil
        return true
    }
}
