public import AetherCore

/// The frame that a script is drawn onto.
public struct ScriptFrame: Sendable, Equatable {
    /// Pixels.
    public let size: PixelSize
    /// The width of a pixel by its height.
    public let pixelAspect: Double
    /// The size of the stored video; nil where it is not known.
    public let storage: PixelSize?
    /// The size of letters, 1 as the script says.
    public let fontScale: Double
    /// How much higher the lines at the bottom stand, in percent of the frame.
    public let linePosition: Double

    /// Larger frames are drawn without subtitles: 8K, of which no terminal has a tenth.
    private static let pixelLimit = 7680 * 4320

    /// A frame.
    public init(size: PixelSize, pixelAspect: Double, storage: PixelSize?, fontScale: Double, linePosition: Double) {
        (self.size, self.pixelAspect, self.storage) = (size, pixelAspect, storage)
        (self.fontScale, self.linePosition) = (fontScale, linePosition)
    }

    /// Whether its size is one that is drawn onto.
    public var isDrawable: Bool {
        size.width > 0 && size.height > 0 && size.width <= Self.pixelLimit && size.height <= Self.pixelLimit / size.width
    }
}

/// An event of a script.
public struct ScriptEvent: Sendable, Equatable {
    /// As `SubtitleCue.markup` has it.
    public let markup: String
    /// It tells the event from others.
    public let number: Int
    /// The span in which it is shown.
    public let start, end: MediaTime

    /// An event.
    public init(markup: String, number: Int, start: MediaTime, end: MediaTime) {
        (self.markup, self.number, self.start, self.end) = (markup, number, start, end)
    }
}

/// The orders that a renderer of a script takes before it draws.
public enum ScriptOrder: Sendable, Equatable {
    /// The frame from now on.
    case frame(ScriptFrame)
    /// The look from now on; `isScript`: the file's own styles stay unless the look says otherwise.
    case look(SubtitleLook, isScript: Bool)
    /// Another event.
    case event(ScriptEvent)
    /// No event any more.
    case removeAll
}

/// A renderer of a script in a box, for one thread. As `ASSRenderer`.
public protocol BoxedScript: AnyObject {
    /// Takes an order before what is drawn next.
    func take(_ order: ScriptOrder)
    /// The layer over the frame at a time.
    func layer(at time: MediaTime) -> SubtitleLayer?
}
