import AetherCore
import AetherMedia

/// The texts without a script that stand at one time, as events of `ASSRenderer.plainHeader`: with their looks and places, and those of one
/// place as one block, the first on top. libass alone would put each above the one before it.
struct PlainEvents: Equatable {
    /// The cues, as they are shown.
    let ids: [Int]
    /// Nothing of them comes or goes within.
    let span: Range<MediaTime>

    /// Texts at once; more is a broken file.
    private static let limit = 32

    /// `cues` are those of one time, in order; nil without a text among them.
    init?(_ cues: [SubtitleCue]) {
        let texts = Self.texts(cues)
        guard let start = texts.map(\.start).max(), let end = texts.map(\.end).min(), start < end else { return nil }
        (ids, span) = (texts.map(\.id), start..<end)
    }

    private static func texts(_ cues: [SubtitleCue]) -> ArraySlice<SubtitleCue> {
        cues.filter { $0.markup == nil && $0.body.runs != nil }.prefix(limit)
    }

    /// One event for each place, in the order of the first cue there.
    static func markups(_ cues: [SubtitleCue]) -> [String] {
        var blocks: [(place: SubtitleTextPlacement?, cues: [SubtitleCue])] = []
        for cue in texts(cues) {
            if let index = blocks.firstIndex(where: { $0.place == cue.placement }) {
                blocks[index].cues.append(cue)
            } else {
                blocks.append((cue.placement, [cue]))
            }
        }
        return blocks.compactMap { ASSScriptBuilder.plainEvent($0.cues) }
    }
}
