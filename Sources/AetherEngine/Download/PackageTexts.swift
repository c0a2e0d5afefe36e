import AetherCore
import AetherMedia

/// The texts of a package's subtitle track, on their way into one file. Pure.
struct PackageTexts {
    private var found: [DecodedSubtitle] = []
    /// A film of three hours has 3000 texts; more than these are no subtitles.
    static let limit = 200_000
    /// A text that is on screen until the next one, with none to follow, goes after so long.
    private static let usualLength = TimeSpan.seconds(5)

    mutating func add(_ texts: [DecodedSubtitle]) { found += texts.prefix(max(0, Self.limit - found.count)) }

    /// The cues in order, each once: a text that lasts into the next segment is in both.
    var cues: [FileMuxerCue] {
        let sorted = found.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
        var cues: [FileMuxerCue] = []
        for (index, text) in sorted.enumerated() {
            guard let body = text.body else { continue }
            if case .image = body { continue }
            let next = sorted[(index + 1)...].first { $0.start > text.start }?.start
            var end = text.end ?? next ?? text.start + Self.usualLength
            if text.isReplacedByNext, let next { end = min(end, next) }
            let cue = FileMuxerCue(start: text.start, end: max(end, text.start + .milliseconds(1)), body: body)
            if !cues.suffix(16).contains(cue) { cues.append(cue) }
        }
        return cues
    }

    /// The texts for a form that shows one at a time: where several are shown, one cue has the lines of all.
    static func flat(_ cues: [FileMuxerCue]) -> [FileMuxerCue] {
        guard zip(cues, cues.dropFirst()).contains(where: { $1.start < $0.end }) else { return cues }
        let borders = Set(cues.flatMap { [$0.start, $0.end] }).sorted()
        var flat: [FileMuxerCue] = [], shown: [FileMuxerCue] = [], next = 0
        for (start, end) in zip(borders, borders.dropFirst()) {
            shown.removeAll { $0.end <= start }
            while next < cues.count, cues[next].start <= start {
                shown.append(cues[next])
                next += 1
            }
            guard let first = shown.first else { continue }
            let body = shown.count == 1 ? first.body : .text(shown.flatMap(\.body.lines).joined(separator: "\n"))
            flat.append(FileMuxerCue(start: start, end: end, body: body))
        }
        return flat
    }
}
