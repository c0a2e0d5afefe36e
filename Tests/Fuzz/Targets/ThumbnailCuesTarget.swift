import AetherCore
import AetherFormats

/// WebVTT of pictures: any bytes are read or refused, cues are in order, and names that are taken stay in their folder.
func fuzzThumbnailCues(_ input: UnsafeBufferPointer<UInt8>) {
    let text = String(decoding: input, as: UTF8.self)
    guard let document = ThumbnailCues("WEBVTT\n" + text) else { return }
    for (earlier, later) in zip(document.cues, document.cues.dropFirst()) { precondition(earlier.start <= later.start) }
    for cue in document.cues.prefix(100) {
        precondition(document.cue(at: cue.start) != nil)
        for path in ImageName.paths(cue.file) {
            precondition(!path.hasPrefix("/") && !path.split(separator: "/").contains(".."))
        }
    }
}
