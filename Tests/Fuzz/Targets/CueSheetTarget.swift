import AetherCore
import AetherFormats

/// Sheets of compact discs: words are safe, tracks ascend, and every run lies within its file.
func fuzzCueSheet(_ input: UnsafeBufferPointer<UInt8>) {
    let bytes = Array(input)
    _ = CueSheet.isSheet(bytes)
    let words = DiscText(bytes)
    for text in Array(words.titles.values) + Array(words.performers.values) {
        precondition(!text.unicodeScalars.contains(where: DisplayText.isUnsafe))
    }
    precondition(words.titles.count <= 100 && words.performers.count <= 100)
    guard let sheet = CueSheet(bytes) else { return }
    precondition((1...CueSheet.trackLimit).contains(sheet.tracks.count))
    for text in [sheet.title, sheet.performer] + sheet.tracks.flatMap({ [$0.title, $0.performer, $0.isrc] }) {
        precondition(!text.unicodeScalars.contains(where: DisplayText.isUnsafe))
    }
    for size: Int64 in [0, 1, 3_000_000, .max / 4] {
        let sizes = sheet.files.map { _ in size }, map = TrackMap(sheet, sizes: sizes)
        for place in map.places {
            precondition(0 <= place.pause && place.pause <= place.start && place.start <= place.end && place.end <= size)
        }
        for (place, next) in zip(map.places, map.places.dropFirst()) where place.file == next.file {
            precondition(place.end <= next.pause)
        }
        guard let title = CompactTitle(id: 1, audioOf: sheet, map) else { continue }
        precondition((title.duration ?? .zero) > .zero && title.runs.allSatisfy { $0.count > 0 })
        precondition(zip(title.chapters, title.chapters.dropFirst()).allSatisfy { $0.start <= $1.start })
    }
    if let tables = VideoCDEntries(bytes) { precondition(tables.entries.count <= 500) }
    _ = VideoCDEntries.info(bytes)
    _ = PackClock(bytes)
}
