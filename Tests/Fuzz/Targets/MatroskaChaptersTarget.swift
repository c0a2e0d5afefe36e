import AetherCore
import AetherFormats

/// Matroska's chapters: whatever the file, the search ends, and what is found is safe, in order and of this file.
func fuzzMatroskaChapters(_ input: UnsafeBufferPointer<UInt8>) {
    let bytes = Array(input)
    var search = MatroskaChapterSearch(), requests = 0
    while let request = search.request {
        requests += 1
        precondition(requests <= 128 && request.offset >= 0 && (1...(4 << 20)).contains(request.count))
        let from = min(bytes.count, Int(clamping: request.offset))
        search.take(Array(bytes[from..<min(bytes.count, from + request.count)]))
    }
    var films = MatroskaDisplaySearch()
    requests = 0
    while let request = films.request {
        requests += 1
        precondition(requests <= 32 && request.offset >= 0 && (1...(4 << 20)).contains(request.count))
        let from = min(bytes.count, Int(clamping: request.offset))
        films.take(Array(bytes[from..<min(bytes.count, from + request.count)]))
    }
    for film in films.sizes where film.left + film.right + film.top + film.bottom > 0 {
        precondition(film.left + film.right < film.width && film.top + film.bottom < film.height)
    }
    precondition(search.editions.count <= 64)
    for edition in search.editions {
        for end in [nil, MediaTime.seconds(3600)] {
            let cut = EditionCut(edition, segment: search.segment, end: end, languages: ["de"])
            precondition(cut.chapters.count <= 1000 && cut.stretches.allSatisfy { !$0.isEmpty })
            precondition(
                cut.chapters.allSatisfy { $0.duration >= .zero && !$0.name.unicodeScalars.contains(where: DisplayText.isUnsafe) })
        }
    }
}
