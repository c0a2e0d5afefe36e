import AetherCore
import AetherFormats

/// WebVTT of pictures: any bytes are read or refused, cues are in order, and names that are taken stay in their folder.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzThumbnailCues(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let text = String(decoding: UnsafeBufferPointer(start: data, count: count), as: UTF8.self)
    guard let document = ThumbnailCues("WEBVTT\n" + text) else { return 0 }
    for (earlier, later) in zip(document.cues, document.cues.dropFirst()) { precondition(earlier.start <= later.start) }
    for cue in document.cues.prefix(100) {
        precondition(document.cue(at: cue.start) != nil)
        if let path = PictureName.relativePath(cue.file) {
            precondition(!path.hasPrefix("/") && !path.split(separator: "/").contains(".."))
        }
    }
    return 0
}
