import AetherCore
import AetherFormats

/// WebVTT: files, style sheets, regions, texts, settings and the boxes of MP4. What is left is a few safe lines with places on the picture.
func fuzzWebVTT(_ input: UnsafeBufferPointer<UInt8>) {
    let bytes = Array(input), text = String(decoding: bytes, as: UTF8.self)
    let header = WebVTTHeader(text)
    if let file = WebVTTFile(bytes) {
        precondition(file.cues.allSatisfy { $0.start < $0.end && $0.text.utf8.count <= 3 * 16 << 10 })
        precondition(zip(file.cues, file.cues.dropFirst()).allSatisfy { $0.start <= $1.start })
    }
    // The part behind the sheet is a cue; the whole is one, too.
    let cue = text.split(separator: "\n\n").last.map(String.init) ?? ""
    let boxes = WebVTTBoxes.cues(bytes) ?? []
    for (words, settings) in [(cue, cue), (text, text)] + boxes.map({ ($0.text, $0.settings) }) {
        let lines = WebVTTText.body(words, header: header)?.lines ?? []
        precondition(lines.count <= 16)
        precondition(lines.allSatisfy { !$0.isEmpty && !$0.unicodeScalars.contains(where: DisplayText.isUnsafe) })
        guard let placement = WebVTTPlacement.parse(settings, header: header) else { continue }
        precondition((1...9).contains(placement.alignment))
        if let point = placement.position { precondition((0...1).contains(point.x) && (0...1).contains(point.y)) }
    }
}
