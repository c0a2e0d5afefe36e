import AetherCore

@testable import AetherEngine

/// Expressions over variants: read or refused with a place in them, and a filter of what they are given.
func fuzzVariantPredicate(_ input: UnsafeBufferPointer<UInt8>) {
    let text = String(decoding: input, as: UTF8.self)
    do throws(PredicateFault) {
        let predicate = try VariantPredicate(text)
        precondition(text.utf8.count <= PredicateTokens.lengthLimit)
        let left = predicate.filter(fuzzedVariants).map(\.id)
        precondition(left == fuzzedVariants.map(\.id).filter { left.contains($0) })
        precondition(predicate.filter([]).isEmpty)
    } catch {
        precondition((0...text.count).contains(error.place) && !error.reason.isEmpty)
        let lines = error.description.split(separator: "\n", omittingEmptySubsequences: false)
        precondition(lines.count == 1 || lines.count == 3)
        precondition(!lines.joined().unicodeScalars.contains(where: DisplayText.isUnsafe))
    }
}

private let fuzzedVariants = [
    MediaVariant(
        id: "a", size: PixelSize(width: 1280, height: 720), peakBitRate: 2_500_000, codecTypes: ["avc1.64001f"], frameRate: 25),
    MediaVariant(
        id: "b", size: PixelSize(width: 3840, height: 2160), peakBitRate: 15_000_000, codecTypes: ["hvc1.2.4.L153.B0"], score: 2),
    MediaVariant(id: "c", size: nil, peakBitRate: nil),
]
