/// The configuration record of a Dolby Vision stream, as a container has it.
public struct DolbyVisionRecord: Sendable, Equatable {
    /// 4, 5, 7, 8, 9, 10 and 20 exist.
    public let profile: Int
    /// The base layer to other players: 0 nothing, 1 HDR10, 2 SDR, 4 HLG, 6 HDR10 of a Blu-ray.
    public let compatibility: Int
    /// A second layer refines the first. It is not decoded.
    public let hasEnhancementLayer: Bool
    /// The stream has frames that can be watched; false: it only refines those of another.
    public let hasBaseLayer: Bool

    /// A record as it stands.
    public init(profile: Int, compatibility: Int, hasEnhancementLayer: Bool, hasBaseLayer: Bool = true) {
        (self.profile, self.compatibility) = (profile, compatibility)
        (self.hasEnhancementLayer, self.hasBaseLayer) = (hasEnhancementLayer, hasBaseLayer)
    }

    /// Of two streams that say nothing of it, as on a Blu-ray.
    static let disc = DolbyVisionRecord(profile: 7, compatibility: 6, hasEnhancementLayer: true)

    /// Of the base layer, by what the enhancement layer's stream says.
    var ofBaseLayer: DolbyVisionRecord {
        DolbyVisionRecord(profile: profile, compatibility: compatibility, hasEnhancementLayer: true)
    }

    /// The usual name: profile 5, 8.1, 10.4.
    public var name: String {
        let number = profile == 8 || profile == 10 ? "\(profile).\(compatibility)" : "\(profile)"
        return "Dolby Vision profile \(number)" + (hasEnhancementLayer ? " (enhancement layer not decoded)" : "")
    }
}
