/// What a container says of a stream of Dolby Vision.
public struct DolbyVisionRecord: Sendable, Equatable {
    /// 4, 5, 7, 8, 9, 10 and 20 exist.
    public let profile: Int
    /// What the base layer is to others: 0 nothing, 1 HDR10, 2 SDR, 4 HLG, 6 HDR10 of a Blu-ray.
    public let compatibility: Int
    /// A second layer refines the first. It is not decoded.
    public let hasEnhancementLayer: Bool

    /// A record as it stands.
    public init(profile: Int, compatibility: Int, hasEnhancementLayer: Bool) {
        (self.profile, self.compatibility, self.hasEnhancementLayer) = (profile, compatibility, hasEnhancementLayer)
    }

    /// As people write it: profile 5, 8.1, 10.4.
    public var name: String {
        let number = profile == 8 || profile == 10 ? "\(profile).\(compatibility)" : "\(profile)"
        return "Dolby Vision profile \(number)" + (hasEnhancementLayer ? " (enhancement layer not decoded)" : "")
    }
}
