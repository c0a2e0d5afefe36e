import AetherCore
import AetherEngine

/// Another quality of a source that is served already, on the same axis: its leading track alone.
struct Companion: Sendable {
    /// The point of the source axis that is zero in what is served.
    let origin: MediaTime
    /// Where a broadcast's first segment begins: numbers of segments are the same in all qualities. Nil for what is there from its start.
    let start: MediaTime?

    /// A companion keeps less: of each quality clients ask for some segments, and then for another.
    static let storeBudget = 8 << 20
    /// So many are served beside the first.
    static let limit = 15

    /// The other qualities to serve: those that can be played, each rendition once. In HLS qualities of one address differ in their audio only, in
    /// DASH (`isTemplate`) that is where all segments lie.
    static func others(_ all: [MediaVariant], than active: MediaVariant?, isTemplate: Bool) -> [MediaVariant] {
        func name(_ variant: MediaVariant) -> String { isTemplate ? variant.id : variant.url ?? variant.id }
        var known = Set([active].compactMap { $0 }.map(name))
        return Array(
            all.filter { $0.obstacle == nil && $0.angle == active?.angle && known.insert(name($0)).inserted }.prefix(limit))
    }
}
