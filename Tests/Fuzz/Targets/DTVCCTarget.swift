import AetherCore
import AetherFormats

/// Digital captions: whatever the bytes, and however they are parted among pictures, the texts are safe and bounded.
func fuzzDTVCC(_ input: UnsafeBufferPointer<UInt8>) {
    let bytes = Array(input)
    // As they are, and as one packet after another, so that the codes are met without the framing being found first.
    var framed: [UInt8] = []
    for chunk in stride(from: 0, to: bytes.count, by: 30) {
        let codes = Array(bytes[chunk..<min(bytes.count, chunk + 30)]) + [0, 0]
        framed += [0xFF, 16, 0x20 | UInt8(min(31, codes.count))]
        for index in stride(from: 0, to: codes.count - 1, by: 2) { framed += [0xFE, codes[index], codes[index + 1]] }
    }
    for input in [bytes, framed] {
        var decoder = DTVCCDecoder()
        for picture in stride(from: 0, to: input.count, by: 60) {
            for screen in decoder.take(input[picture..<min(input.count, picture + 60)]) {
                precondition((1...6).contains(screen.service) && screen.texts.count <= 8)
                for text in screen.texts {
                    precondition(!text.body.lines.isEmpty && text.body.lines.count <= 16)
                    precondition(text.body.lines.allSatisfy { !$0.unicodeScalars.contains(where: DisplayText.isUnsafe) })
                }
            }
        }
    }
}
