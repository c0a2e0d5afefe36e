import AetherCore
import AetherFormats

/// EBU subtitle files: whatever the bytes, what is left is safe text with an end after its start.
func fuzzEBU(_ input: UnsafeBufferPointer<UInt8>) {
    // The fuzzer need not find the size of the header first.
    var bytes = [UInt8](repeating: 0x20, count: 1024)
    bytes.replaceSubrange(0..<16, with: Array("850STL25.0110009".utf8))
    let given = Array(input)
    bytes.replaceSubrange(11..<(11 + min(5, given.count)), with: given.prefix(5))
    bytes += given.dropFirst(5)
    for input in [given, bytes] {
        guard let document = EBUDocument(input) else { continue }
        for cue in document.cues {
            precondition(!cue.body.lines.isEmpty)
            precondition(cue.body.lines.allSatisfy { !$0.unicodeScalars.contains(where: DisplayText.isUnsafe) })
            precondition(cue.end.map { $0 > cue.start } ?? false)
        }
    }
}
