public import AetherCore

/// An edition as it is played: which chapters are listed, and which stretches of the file are played in which order. Pure.
public struct EditionCut: Sendable, Equatable {
    /// "" where it has none.
    public let name: String
    /// The chapters in the order in which they are played.
    public let chapters: [ChapterInfo]
    /// The ranges that an ordered edition plays, one after another; empty: all of the file.
    public let stretches: [Range<MediaTime>]
    /// Parts that lie in other files and are left out.
    public let linkedCount: Int

    /// Less than a frame: stretches that lie closer together are joined to one, because a jump is seen and heard.
    public static let seam = TimeSpan.milliseconds(40)

    /// The cut of an edition. `segment` is the file's own number, `end` where the file ends, `languages` those that names are wanted in,
    /// best first.
    public init(_ edition: MatroskaEdition, segment: [UInt8]?, end: MediaTime?, languages: [String]) {
        name = Self.name(edition.names, languages)
        var listed: [ChapterInfo] = [], stretches: [Range<MediaTime>] = [], linked = 0
        for (index, atom) in edition.atoms.enumerated() where atom.isEnabled {
            guard atom.segment.map({ $0 == segment }) ?? true else {
                linked += 1
                continue
            }
            guard edition.isOrdered else {
                Self.list(atom, languages, within: nil, into: &listed)
                continue
            }
            let follower = edition.atoms.dropFirst(index + 1).first { $0.isEnabled }?.start
            let until = atom.end ?? follower.flatMap { $0 > atom.start ? $0 : nil } ?? end ?? atom.start
            let bounded = min(until, end ?? until)
            guard bounded > atom.start else { continue }
            let stretch = atom.start..<bounded
            Self.join(stretch, to: &stretches)
            var own: [ChapterInfo] = []
            Self.list(atom, languages, within: stretch, into: &own)
            listed += Self.timed(own, end: bounded)
        }
        chapters = (edition.isOrdered ? listed : Self.timed(listed, end: end)).enumerated().map { index, chapter in
            ChapterInfo(id: index, name: chapter.name, start: chapter.start, duration: chapter.duration)
        }
        self.stretches = stretches
        linkedCount = linked
    }

    /// The name in the language that is wanted most, else the first.
    static func name(_ names: [MatroskaEdition.Name], _ languages: [String]) -> String {
        for language in languages {
            let wanted = LanguageCode.canonical(language)
            if let name = names.first(where: { LanguageCode.canonical($0.language) == wanted }) { return name.text }
        }
        return names.first?.text ?? ""
    }

    private static func join(_ stretch: Range<MediaTime>, to stretches: inout [Range<MediaTime>]) {
        if let last = stretches.last, (stretch.lowerBound - last.upperBound).magnitude < seam,
            stretch.upperBound > last.lowerBound
        {
            stretches[stretches.count - 1] = last.lowerBound..<stretch.upperBound
        } else {
            stretches.append(stretch)
        }
    }

    /// An atom and those in it, one list: a hidden one is not shown, but those that it holds are.
    private static func list(
        _ atom: MatroskaEdition.Atom, _ languages: [String], within stretch: Range<MediaTime>?, into listed: inout [ChapterInfo]
    ) {
        guard atom.isEnabled else { return }
        if !atom.isHidden, stretch?.contains(atom.start) ?? true {
            listed.append(ChapterInfo(id: 0, name: name(atom.names, languages), start: atom.start, duration: .zero))
        }
        for child in atom.children { list(child, languages, within: stretch, into: &listed) }
    }

    /// In the order of time, each until the next. Those that begin together, as a part and its first scene do, are one: a step back from
    /// the second would never get past the first.
    private static func timed(_ listed: [ChapterInfo], end: MediaTime?) -> [ChapterInfo] {
        var merged: [ChapterInfo] = []
        let ordered = listed.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
        for (_, chapter) in ordered {
            if let last = merged.last, last.start == chapter.start {
                let name = [last.name, chapter.name].filter { !$0.isEmpty }.joined(separator: ": ")
                merged[merged.count - 1] = ChapterInfo(
                    id: 0, name: DisplayText.singleLine(name, limit: 200), start: last.start, duration: .zero)
            } else {
                merged.append(chapter)
            }
        }
        return merged.indices.map { index in
            let chapter = merged[index]
            let next = index + 1 < merged.count ? merged[index + 1].start : end ?? chapter.start
            return ChapterInfo(id: 0, name: chapter.name, start: chapter.start, duration: max(.zero, next - chapter.start))
        }
    }
}
