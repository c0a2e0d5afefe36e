public import AetherCore

/// Draws ASS events at the size of the frame, with the file's own fonts: by libass, in this process or in a box. Lives on one thread. Opening reads the
/// list of the system's fonts (10 … 100 ms); drawing takes as long as the script wants, within bounds.
public struct ASSRenderer: ~Copyable {
    /// One of both is there.
    private var libass: LibassRenderer?
    private let boxed: (any BoxedScript)?
    private var eventCount = 0

    /// Events that are kept at once.
    public static let eventLimit = 4000

    /// A renderer for a script of this header. Throws `.internalFailure` without memory, `.decodeFailed` where a box does not open.
    public init(
        header: String, fonts: [FontAttachment], box: (any DecodingPlace)? = ProcessBox.current
    ) throws(MediaError) {
        if let box = box as? any SubtitleBox {
            boxed = try box.openScript(header: header, fonts: fonts)
            libass = nil
        } else {
            let renderer = try LibassRenderer(header: header, fonts: fonts)
            libass = consume renderer
            boxed = nil
        }
    }

    /// The frame that is drawn onto: its size, the shape of its pixels, the size of the stored video (0 where unknown), how large letters
    /// are (1 as the script says), and how much higher the lines at the bottom stand, in percent of the frame.
    public mutating func setFrame(
        _ size: PixelSize, pixelAspect: Double, storage: PixelSize?, fontScale: Double = 1, linePosition: Double = 0
    ) {
        take(
            .frame(
                ScriptFrame(
                    size: size, pixelAspect: pixelAspect, storage: storage, fontScale: fontScale, linePosition: linePosition)))
    }

    /// Draws in the look that a person wants from now on, where the events do not ask for another themselves. `isScript`: the file's own styles
    /// stay unless the look says otherwise.
    public mutating func setLook(_ wanted: SubtitleLook, isScript: Bool) { take(.look(wanted, isScript: isScript)) }

    /// Adds an event, as `SubtitleCue.markup` has it. `number` tells it from others; one that is known is not added twice. Returns false
    /// where there are too many.
    public mutating func add(_ markup: String, number: Int, start: MediaTime, end: MediaTime) -> Bool {
        guard eventCount < Self.eventLimit else { return false }
        eventCount += 1
        take(.event(ScriptEvent(markup: markup, number: number, start: start, end: end)))
        return true
    }

    /// Forgets all events.
    public mutating func removeAll() {
        eventCount = 0
        take(.removeAll)
    }

    /// Takes an order before what is drawn next. For the worker of a box, which has orders as values.
    public mutating func take(_ order: ScriptOrder) {
        if let boxed { return boxed.take(order) }
        switch order {
        case .frame(let frame): libass?.setFrame(frame)
        case .look(let look, let isScript): libass?.setLook(look, isScript: isScript)
        case .event(let event): libass?.add(event)
        case .removeAll: libass?.removeAll()
        }
    }

    /// The layer over the frame at a time; nil for none. The same value as before where nothing has changed.
    public mutating func layer(at time: MediaTime) -> SubtitleLayer? {
        if let boxed { return boxed.layer(at: time) }
        return libass?.layer(at: time) ?? nil
    }

    /// A script for texts that have none: white with a black edge, at the bottom, a eighteenth of the frame high.
    public static let plainHeader = """
        [Script Info]
        ScriptType: v4.00+
        PlayResX: 384
        PlayResY: 288
        WrapStyle: 0

        [V4+ Styles]
        Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, \
        ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
        Style: Default,sans-serif,16,&H00FFFFFF,&H00FFFFFF,&H00000000,&H80000000,0,0,0,0,100,100,0,0,1,1.2,0.4,2,10,10,12,1

        [Events]
        Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
        """
}
