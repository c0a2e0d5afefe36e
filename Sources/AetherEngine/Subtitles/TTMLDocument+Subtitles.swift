import AetherCore
import AetherFormats
import AetherMedia

extension TTMLDocument {
    /// Its texts, and its images: those that it has in itself, and those of the files behind it. Blocks for decoding them. One that cannot be
    /// read is left out.
    func subtitles(behind files: [[UInt8]] = []) -> [DecodedSubtitle] {
        let texts = cues.map { DecodedSubtitle(start: $0.start, end: $0.end, body: $0.body, placement: $0.placement) }
        let shown = images.compactMap { image -> DecodedSubtitle? in
            let file: [UInt8]
            switch image.source {
            case .sample(let number):
                guard files.indices.contains(number) else { return nil }
                file = files[number]
            case .file(let bytes): file = bytes
            }
            return SubtitleImage(file: file, at: image.box, isForced: image.isForced).map {
                DecodedSubtitle(start: image.start, end: image.end, body: .image($0))
            }
        }
        return shown.isEmpty
            ? texts
            : (texts + shown).enumerated().sorted {
                ($0.element.start, $0.offset) < ($1.element.start, $1.offset)
            }.map(\.element)
    }
}
