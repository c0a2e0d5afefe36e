import AetherCore
public import FoundationEssentials

extension MediaVariantQualifier {
    /// The variants that meet a predicate of the program's own: `#Predicate { ($0.peakBitRate ?? 0) < 5_000_000 }`. A predicate that throws
    /// is not met.
    public init(predicate: Predicate<MediaVariant>) {
        self.init(name: "the predicate") { variant in
            do {
                return try predicate.evaluate(variant)
            } catch {
                Log.module("net").warning("a predicate over variants failed: \(error)")
                return false
            }
        }
    }
}
