import AetherCore
import AetherFormats

/// The two files of a VobSub, one behind the other: whatever they say, the container made of them has only what an index of bounds names.
func fuzzVobSub(_ input: UnsafeBufferPointer<UInt8>) {
    let bytes = Array(input)
    guard let index = VobSubIndex(bytes) else {
        _ = VobSubImage.unit(in: bytes[...], stream: 0)
        return
    }
    precondition(index.streams.count <= 32 && index.header.utf8.count <= 20_000)
    var container = VobSubContainer(index)
    for (track, stream) in index.streams.enumerated() {
        precondition(!stream.cues.isEmpty && (0..<32).contains(stream.number) && stream.language.utf8.count <= 12)
        precondition(!stream.title.unicodeScalars.contains(where: DisplayText.isUnsafe))
        for cue in stream.cues {
            precondition(cue.milliseconds >= 0 && cue.offset >= 0)
            guard cue.offset < bytes.count, let unit = VobSubImage.unit(in: bytes[Int(cue.offset)...], stream: stream.number)
            else {
                continue
            }
            precondition(unit.count >= 4 && Int(unit[0]) << 8 | Int(unit[1]) == unit.count)
            container.add(unit, track: track + 1, milliseconds: cue.milliseconds)
        }
    }
    precondition(EBMLHeader(container.bytes[...])?.id == 0x1A45_DFA3)
}
