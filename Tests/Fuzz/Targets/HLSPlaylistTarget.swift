import AetherCore
import AetherFormats

/// Playlists of HLS: a fault with one safe sentence, or segments without a hole whose times and numbers agree, and texts that are
/// safe.
func fuzzHLSPlaylist(_ input: UnsafeBufferPointer<UInt8>) {
    guard let address = StreamAddress("https://host/folder/list.m3u8?token=abc") else { return }
    do throws(StreamFault) {
        switch try HLSPlaylist(Array(input), address: address, variables: ["imported": "value"]) {
        case .segments(let list):
            check(list)
            // A list is its own update.
            if let update = try? list.following(list) { check(update) }
            _ = ManifestReport(Presentation(list)).json.line
        case .variants(let list):
            let presentation = Presentation(list)
            precondition(Set(presentation.variants.map(\.id)).count == presentation.variants.count)
            for variant in presentation.variants { precondition(presentation.rendition(variant.rendition) != nil) }
            for group in presentation.periods.flatMap(\.groups) {
                precondition(!group.label.unicodeScalars.contains(where: DisplayText.isUnsafe))
            }
            precondition(!ManifestReport(presentation).text.unicodeScalars.contains { DisplayText.isUnsafe($0) && $0 != "\n" })
        }
    } catch {
        precondition(!error.description.isEmpty && !error.description.unicodeScalars.contains(where: DisplayText.isUnsafe))
    }
}

private func check(_ list: HLSSegmentList) {
    let segments = list.segments
    precondition(segments.numbers.count == segments.count && segments.count <= SegmentList.limit)
    var end = segments.start
    for number in segments.numbers {
        guard let segment = segments.segment(number) else { continue }
        precondition(segment.number == number && segment.start >= end && segment.duration >= .zero)
        precondition(!segment.address.text.utf8.contains { $0 < 0x20 })
        if segment.duration > .zero, let found = segments.number(at: segment.start) { precondition(found == number) }
        precondition(segment.encryption?.vector(number: number).count ?? 16 == 16)
        end = segment.end
    }
}
