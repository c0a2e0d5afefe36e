import AetherCore
import AetherEngine
import AetherOptions
import ArgumentParser

/// A person's wishes for the quality of HLS and DASH.
struct VariantArguments: ParsableArguments {
    @Option(
        help: .translated(
            "The quality of HLS or DASH: auto, best, worst, its place in the list, or an expression such as 'videoRange == PQ && peakBitRate < 5M'; of several, the first that matches any counts.",
            value: "expression"))
    var variant: [String] = []

    @Flag(help: .translated("Refuse the source where no quality matches --variant, instead of taking all."))
    var require = false

    func validate() throws {
        if require, variant.isEmpty { throw ValidationError(translated("--require needs a --variant that can be met or not.")) }
        _ = try qualifiers()
    }

    /// In their order. Throws `ValidationError` with the place that is not understood.
    func qualifiers() throws -> [MediaVariantQualifier] {
        try variant.map { text in
            do throws(PredicateFault) {
                return try MediaVariantQualifier(text)
            } catch {
                throw ValidationError("--variant: \(error)")
            }
        }
    }
}
