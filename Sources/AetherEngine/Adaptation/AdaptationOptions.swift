public import AetherCore

/// How a person wants the quality of streams to be chosen.
public struct AdaptationOptions: Sendable, Equatable {
    /// The quality follows window, machine and link while it plays; false: it stays as it was chosen.
    public var isOn = true
    /// Bits a second at most; nil for no limit.
    public var maxBitRate: Double?
    /// Lines of the video at most, by its shorter side; nil for no limit.
    public var maxHeight: Int?
    /// The link is paid for by the byte: at most 480 lines and 1.5 Mbit/s.
    public var isLowData = false
    /// Bits a second that the link is taken to have before anything has come over it; nil for 4 Mbit/s, which carries 540 lines.
    public var expectedRate: Double?

    /// The defaults.
    public init() {}

    /// The same over a link that the person brakes to so many bytes a second: what the brake holds back looks like a fast link.
    func within(rateLimit: Int?) -> AdaptationOptions {
        guard let rateLimit else { return self }
        var options = self
        options.maxBitRate = min(maxBitRate ?? .infinity, Double(rateLimit) * 8)
        return options
    }

    var limits: AdaptationLadder.Limits {
        AdaptationLadder.Limits(bitRate: maxBitRate, height: maxHeight, isLowData: isLowData)
    }

    /// The variant to begin with: the highest that the window, the limits and the machine allow and two thirds of the expected rate carry; of a
    /// local source, which has no link, the highest allowed.
    func first(of variants: [MediaVariant], window: PixelSize?, isRemote: Bool, decoding: DecodingBudget) -> MediaVariant.ID? {
        let ladder = AdaptationLadder(variants, window: window, limits: limits, decoding: decoding)
        guard isRemote else { return ladder.variants.last?.id }
        let rate = (expectedRate ?? 4_000_000) * 2 / 3
        return ladder.variants.isEmpty ? nil : ladder.variants[ladder.index(within: rate)].id
    }
}

/// The last choice of adaptation and the figures that it went by.
public struct AdaptationNote: Sendable, Equatable {
    /// The variant that is read.
    public internal(set) var variant: MediaVariant.ID
    /// The rule that it was chosen by.
    public internal(set) var reason = AdaptationReason.unknown
    /// The rate that the link is taken to have, in bits a second; nil while it is unknown.
    public internal(set) var linkRate: Double?
    /// Media that was held ahead then.
    public internal(set) var buffer = TimeSpan.zero
    /// How often another variant was chosen.
    public internal(set) var switches = 0
}
