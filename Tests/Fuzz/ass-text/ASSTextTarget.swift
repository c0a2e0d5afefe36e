import AetherCore

@testable import AetherMedia

/// Subtitle lines with override blocks: what is left is a few safe lines.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzASSText(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    for lines in [ASSText.lines(text[...]), ASSText.lines(ASSText.textField(ofEvent: text))] {
        precondition(lines.count <= 16)
        precondition(lines.allSatisfy { !$0.isEmpty && !$0.unicodeScalars.contains(where: DisplayText.isUnsafe) })
    }
    return 0
}
