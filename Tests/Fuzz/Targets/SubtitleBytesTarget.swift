import AetherCore

@testable import AetherMedia

/// Bytes of subtitle texts before libavcodec sees them: what comes out is UTF-8 without controls and not much longer; a text of MP4 keeps
/// every byte's place; a guess at a stream's character set gives text whatever came before.
func fuzzSubtitleBytes(_ input: UnsafeBufferPointer<UInt8>) {
    let bytes = Array(input), count = input.count
    let printable = SubtitleBytes.printable(bytes)
    precondition(String(validating: printable, as: UTF8.self) != nil && !printable.contains(where: SubtitleBytes.isControl))
    precondition(printable.count <= 3 * count && SubtitleBytes.printable(printable) == printable)
    let tally = SubtitleBytes.tally(input)
    precondition(tally.broken > 0 || String(validating: bytes, as: UTF8.self) != nil)
    if let masked = SubtitleBytes.masked(movText: input) { precondition(masked.count == count && masked != bytes) }
    for limit in [4, 16, 1800] {
        let part = SubtitleBytes.fitting(input, limit: limit)
        precondition(part <= max(count, 0) && (count <= limit || part <= limit))
    }
    let cut = SubtitleBytes.withoutEndlessLines(printable)
    precondition(cut.count <= printable.count && String(validating: cut, as: UTF8.self) != nil)
    var encoding = StreamEncoding(language: count % 2 == 0 ? "ru" : nil)
    for text in bytes.split(separator: 0x0A).prefix(32) {
        if let read = encoding.read(Array(text)).text { precondition(String(validating: read, as: UTF8.self) != nil) }
    }
}
