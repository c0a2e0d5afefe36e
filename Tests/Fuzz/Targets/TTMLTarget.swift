import AetherCore
import AetherFormats

/// TTML documents: whatever the bytes, what is left is safe text in order.
func fuzzTTML(_ input: UnsafeBufferPointer<UInt8>) {
    let sample = TTMLSample(Array(input))
    precondition(sample.document.count + sample.images.reduce(0) { $0 + $1.count } <= input.count)
    guard let document = TTMLDocument(Array(input)) else { return }
    for cue in document.cues {
        precondition(!cue.body.lines.isEmpty)
        precondition(cue.body.lines.allSatisfy { !$0.unicodeScalars.contains(where: DisplayText.isUnsafe) })
        precondition(cue.end.map { $0 >= cue.start } ?? true)
    }
    precondition(zip(document.cues, document.cues.dropFirst()).allSatisfy { $0.start <= $1.start })
}
