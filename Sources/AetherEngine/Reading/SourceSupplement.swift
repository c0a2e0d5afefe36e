public import AetherCore
import AetherMedia

/// Facts about a source that its host knows and its file does not say, as those of the page that it was found on.
public struct SourceSupplement: Sendable, Equatable {
    /// A chapter by its place from the start of the source.
    public struct Chapter: Sendable, Equatable {
        /// Safe to display.
        public let name: String
        /// Its beginning and its end.
        public let start, end: TimeSpan

        /// A chapter. The name is made safe to display.
        public init(name: String, start: TimeSpan, end: TimeSpan) {
            (self.name, self.start, self.end) = (DisplayText.singleLine(name, limit: 200), start, end)
        }
    }

    /// Chapters in order; they count where the file has none.
    public var chapters: [Chapter] = []
    /// The qualities among which the host lets a person choose. The host is told the choice and loads another source; the engine changes
    /// nothing.
    public var variants: [MediaVariant] = []
    /// The one that this source is.
    public var activeVariant: MediaVariant.ID?

    /// The http or https address of an image that stands for a source without video which carries no cover.
    public var cover: String?
    /// Stills for previews, where the packets in memory give none. Nothing else of the source is read for them.
    public var storyboard: Storyboard?

    /// Nothing is known.
    public init() {}
}

extension SourceDescription {
    /// With what its host knows beside.
    func supplemented(by supplement: SourceSupplement) -> SourceDescription {
        var description = self
        if info.chapters.isEmpty {
            description.info.chapters = supplement.chapters.enumerated().map { index, chapter in
                ChapterInfo(
                    id: index, name: chapter.name, start: info.startTime + chapter.start,
                    duration: max(.zero, chapter.end - chapter.start))
            }
        }
        if variants == nil, supplement.variants.count > 1, let active = supplement.activeVariant {
            description.variants = SourceVariants(list: supplement.variants, active: active)
        }
        return description
    }
}
