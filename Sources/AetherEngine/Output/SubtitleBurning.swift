public import AetherCore

/// The subtitles that a surface wants in the frame, and not as text.
public enum SubtitleBurning: Sendable, Equatable {
    /// No subtitles: the surface draws cues itself.
    case none
    /// Cues that cells cannot show: bitmaps, and of ASS scripts drawings, karaoke and moving text.
    case images
    /// Bitmaps, and ASS scripts as their makers styled them.
    case styled
    /// Everything, plain texts too in a plain look: for stills.
    case whole

    /// Whether a cue is in the frame.
    public func contains(_ cue: SubtitleCue) -> Bool {
        if case .image = cue.body { return self != .none }
        switch self {
        case .none: return false
        case .styled: return cue.markup != nil
        case .whole: return true
        case .images: return cue.markup.map { Self.needsPixels($0) } ?? false
        }
    }

    /// Drawings (`\p1`), karaoke (`\k`), moves, transforms and clips.
    private static func needsPixels(_ markup: String) -> Bool {
        guard markup.contains("\\") else { return false }
        for tag in markup.split(separator: "\\").dropFirst() {
            if tag.hasPrefix("move(") || tag.hasPrefix("clip(") || tag.hasPrefix("iclip(") || tag.hasPrefix("t(") { return true }
            if tag.hasPrefix("k") || tag.hasPrefix("K") { return true }
            if tag.first == "p", let digit = tag.dropFirst().first, ("1"..."9").contains(digit) { return true }
        }
        return false
    }
}
