import AetherFormats

/// The variant to begin with. Pure.
struct VariantPicker: Sendable {
    /// Pixels that can be seen at once: of the window, in the renderer's own.
    struct Window: Sendable, Equatable {
        var width: Int, height: Int
    }

    private let variants: [Variant]

    /// `isUsable` says whether a variant may be chosen at all: its codecs can be decoded, its rendition is not banned.
    init(_ variants: [Variant], isUsable: (Variant) -> Bool = { _ in true }) {
        let usable = variants.filter(isUsable)
        let video = usable.filter(\.hasVideo)
        self.variants = video.isEmpty ? usable : video
    }

    /// The largest variant that the window can show: the smallest that fills it with a quarter to spare, else the largest that
    /// there is. Of equal sizes the one with the better score, then with more bits. Where no size is known, or no window, the
    /// first of the manifest, which is the one its maker would begin with.
    func start(in window: Window?) -> Variant? {
        guard let window, window.width > 0, window.height > 0 else { return variants.first }
        let sized = variants.filter { $0.size != nil }
        guard !sized.isEmpty else { return variants.first }
        let scales = sized.map { (variant: $0, scale: scale($0, window)) }
        let filling = scales.filter { $0.scale >= 1.25 }.map(\.scale).min()
        guard let wanted = filling ?? scales.map(\.scale).max() else { return variants.first }
        return best(of: scales.filter { $0.scale == wanted }.map(\.variant))
    }

    private func best(of some: [Variant]) -> Variant? {
        // The first of equals.
        var best: Variant?
        for variant in some where best.map({ Self.isLess($0, variant) }) ?? true { best = variant }
        return best
    }

    /// How much larger the video is than what it is scaled to in the window, with its own shape.
    private func scale(_ variant: Variant, _ window: Window) -> Double {
        guard let size = variant.size else { return 0 }
        return max(Double(size.width) / Double(window.width), Double(size.height) / Double(window.height))
    }

    private static func isLess(_ a: Variant, _ b: Variant) -> Bool {
        func key(_ variant: Variant) -> (Int64, Int, Int, Int64) {
            (
                variant.score ?? 0, (variant.size?.width ?? 0) * (variant.size?.height ?? 0), variant.frameRate?.millihertz ?? 0,
                variant.peakBitRate
            )
        }
        return key(a) < key(b)
    }
}
