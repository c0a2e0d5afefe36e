import AetherCore
public import AetherFormats

/// The variants of a manifest with their segments, as a simulation plays them.
public struct SimulatedLadder: Sendable {
    /// The variants in the manifest's order.
    public let variants: [MediaVariant]
    /// Bits of each segment by variant and number; empty: as the variants' rates say.
    public let sizes: [[Double]]
    /// Seconds; positive.
    public let segment: Double
    /// Segments of the whole.
    public let count: Int

    /// The ladder of a manifest of HLS or DASH; segments of different lengths count with their mean. nil where no segment has a known
    /// length: files whose index could not be read are no segments.
    public init?(_ presentation: Presentation) {
        let groups = presentation.periods.first?.groups ?? []
        variants = presentation.variants.map { variant in
            MediaVariant(variant, audio: groups.filter { $0.kind == .audio && $0.set == variant.audioSet })
        }
        let indexes = presentation.variants.lazy.compactMap { presentation.rendition($0.rendition)?.index }
        guard !variants.isEmpty, let index = indexes.first(where: { $0.segment($0.numbers.lowerBound)?.isWholeFile == false })
        else {
            return nil
        }
        count = Int(clamping: index.numbers.upperBound - index.numbers.lowerBound)
        let length = (index.end.time - index.start.time).seconds
        guard count > 0, length > 0 else { return nil }
        (segment, sizes) = (length / Double(count), [])
    }

    /// Of a manifest whose lists of segments cannot be read: segments of 4 s, for so many seconds. nil for one without variants.
    public init?(outline presentation: Presentation, length: Double) {
        let groups = presentation.periods.first?.groups ?? []
        variants = presentation.variants.map { variant in
            MediaVariant(variant, audio: groups.filter { $0.kind == .audio && $0.set == variant.audioSet })
        }
        guard !variants.isEmpty, length.isFinite, length > 0 else { return nil }
        (segment, sizes) = (Self.usualSegment, [])
        count = Int(min(Double(Self.countLimit), (length / segment).rounded(.up)))
    }

    /// Seconds.
    private static let usualSegment = 4.0, countLimit = 100_000

    /// The ladder in JSON that the simulator Sabre reads: `segment_duration_ms`, `bitrates_kbps`, `segment_sizes_bits`. nil for anything
    /// else.
    public init?(sabre bytes: [UInt8]) {
        guard bytes.first == UInt8(ascii: "{") else { return nil }
        do throws(JSON.Flaw) {
            let json = try JSON(bytes)
            guard let length = json["segment_duration_ms"]?.number, length > 0,
                let rates = json["bitrates_kbps"]?.values?.compactMap(\.number), !rates.isEmpty,
                let rows = json["segment_sizes_bits"]?.values?.map({ $0.values?.compactMap(\.number) ?? [] }), !rows.isEmpty,
                rows.allSatisfy({ $0.count == rates.count })
            else { return nil }
            variants = rates.enumerated().map { MediaVariant(id: "\($0)", size: nil, peakBitRate: $1 * 1000) }
            sizes = rates.indices.map { rate in rows.map { $0[rate] } }
            (segment, count) = (length / 1000, rows.count)
        } catch {
            return nil
        }
    }
}
