import AetherCore
import AetherFormats

/// Blocks of USF: whatever the bytes, what is left is a few safe lines.
func fuzzUSF(_ input: UnsafeBufferPointer<UInt8>) {
    guard let (body, placement) = USFText.read(Array(input)) else { return }
    precondition((1...16).contains(body.lines.count))
    precondition(body.lines.allSatisfy { !$0.isEmpty && !$0.unicodeScalars.contains(where: DisplayText.isUnsafe) })
    precondition(placement.map { (1...9).contains($0.alignment) } ?? true)
}
