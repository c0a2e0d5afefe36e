import AetherCore

/// The search for streams that are enhancement layers of Dolby Vision, and for their base layers: profiles 4 and 7 in two streams, as Blu-ray's M2TS,
/// MP4 and Matroska have them. Pure.
enum LayerSearch {
    /// A stream of HEVC, as far as it is known.
    struct Candidate: Equatable {
        var index: Int
        var size: PixelSize?
        /// The container's word on Dolby Vision: whether frames to be watched are in the stream; nil where it says nothing. A yes may be wrong.
        var hasBaseLayer: Bool?
        /// The first packet carries metadata that goes with two layers, and no wrapped layer: see `HEVCUnits`.
        var hasLayerUnits = false
        /// The first packet carries metadata of any kind.
        var hasUnits = false
        /// Programs of a transport stream that the stream belongs to; empty for other containers.
        var programs: Set<Int> = []
        /// The number of the stream in a transport stream.
        var packetID: Int?
    }

    /// The PIDs of both layers on a Blu-ray.
    private static let discBase = 0x1011, discLayer = 0x1015

    /// For each enhancement layer the stream that it belongs to. One that has no partner is a video like any other.
    static func partners(_ candidates: [Candidate]) -> [Int: Int] {
        var found: [Int: Int] = [:]
        for layer in candidates {
            let base = candidates.first { base in
                base.index != layer.index && found[base.index] == nil && !found.values.contains(base.index)
                    && isPair(base: base, layer: layer)
            }
            if let base { found[layer.index] = base.index }
        }
        return found
    }

    private static func isPair(base: Candidate, layer: Candidate) -> Bool {
        guard base.hasBaseLayer ?? true, !base.hasUnits else { return false }
        guard base.programs.isEmpty || layer.programs.isEmpty || !base.programs.isDisjoint(with: layer.programs) else {
            return false
        }
        // A declared base layer is no news: mkvmerge 74 writes it of all tracks with metadata of profile 7.
        if layer.hasBaseLayer == false { return true }
        if base.packetID == discBase, layer.packetID == discLayer { return true }
        guard layer.hasLayerUnits, let large = base.size, let small = layer.size else { return false }
        // A quarter of the frame's area, or all of it up to 1080 lines. Coded heights are rounded up to 8.
        func fits(_ divisor: Int) -> Bool {
            abs(small.width * divisor - large.width) <= 16 && abs(small.height * divisor - large.height) <= 16
        }
        return fits(2) || fits(1)
    }
}
