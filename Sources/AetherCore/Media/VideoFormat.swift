/// The dynamic range of a frame: for a usual display (SDR), or for one that can do much more (HDR).
public enum VideoFormat: String, Sendable, CaseIterable {
    /// Standard dynamic range.
    case sdr
    /// SMPTE ST 2084 (PQ) with at most static metadata.
    case hdr10
    /// PQ with a curve for each scene (SMPTE ST 2094-40).
    case hdr10Plus
    case dolbyVision
    /// Hybrid log-gamma (ARIB STD-B67).
    case hlg

    /// The format of a source after its next frame: a frame may leave out what an earlier one stated.
    public func joined(by aperture: VideoFormat) -> VideoFormat {
        if self == .dolbyVision || self == .hdr10Plus && aperture == .hdr10 { return self }
        return aperture
    }

    /// The usual name.
    public var name: String {
        switch self {
        case .sdr: "SDR"
        case .hdr10: "HDR10"
        case .hdr10Plus: "HDR10+"
        case .dolbyVision: "Dolby Vision"
        case .hlg: "HLG"
        }
    }
}

/// The mapping of HDR frames to an SDR surface.
public enum ToneMapping: String, Sendable, CaseIterable {
    /// By the curve that the source brings for the scene; BT.2390 without one.
    case auto
    /// The knee of ITU-R BT.2390, whatever the source brings.
    case bt2390
    /// Hable's filmic curve: darker, with more of the highlights.
    case hable
    /// Cuts light that is brighter than white (203 cd/m²).
    case off
}
