public import AetherCore

/// Writes an ASS script of a header and cues, for hosts that hand it to a renderer of their own or keep it as a file. Cues of ASS tracks
/// are written as their makers styled them where their `markup` was kept (`LoadOptions.preserveASSMarkup`), those of other formats with
/// their looks and places as overrides. A value; bounded.
public struct ASSScriptBuilder: Sendable {
    private let header: String
    private var events: [(start: MediaTime, line: String)] = []

    /// A script with more is no video's.
    public static let eventLimit = 20_000
    private static let headerLimit = 1 << 20
    private static let textLimit = 64 << 10
    /// The order that renderers expect; that of the header may be another and is not kept.
    private static let format = "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text"

    /// The style of text without a script: white with an outline at the bottom, 16 of 288 lines high.
    public static let plainHeader = """
        [Script Info]
        ScriptType: v4.00+
        PlayResX: 384
        PlayResY: 288
        ScaledBorderAndShadow: yes

        [V4+ Styles]
        Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, \
        ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
        Style: Default,Arial,16,&Hffffff,&Hffffff,&H0,&H0,0,0,0,0,100,100,0,0,1,1,0,2,10,10,10,1
        """

    /// A script without events; `header` is `TrackInfo.assHeader`, nil for tracks that have none.
    public init(header: String? = nil) {
        self.header = Self.withoutEvents(header.flatMap { $0.isEmpty ? nil : $0 } ?? Self.plainHeader)
    }

    /// Adds a cue; returns false for bitmaps, and where the script has too many cues.
    @discardableResult
    public mutating func add(_ cue: SubtitleCue) -> Bool {
        guard events.count < Self.eventLimit, let fields = Self.fields(cue) else { return false }
        let times = "\(Self.time(cue.start)),\(Self.time(cue.end))"
        events.append((cue.start, "Dialogue: \(fields.layer),\(times),\(fields.rest)"))
        return true
    }

    /// The script: the header, and the events in the order of their starts.
    public var script: String {
        // Stable: of events that begin together the order says which is drawn over which.
        let sorted = events.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
        return header + "\n[Events]\n" + Self.format + "\n" + sorted.map { $0.element.line + "\n" }.joined()
    }

    // MARK: - Header

    /// The sections but for that of the events, one line each line.
    private static func withoutEvents(_ header: String) -> String {
        var kept = "", isEvents = false
        for line in String(
            header.unicodeScalars.filter { $0 != "\0" && $0.value != 0xFEFF }.prefix(headerLimit).map(Character.init)
        )
        .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            if line.hasPrefix("[") { isEvents = line.lowercased().hasPrefix("[events]") }
            if !isEvents { kept += line + "\n" }
        }
        while kept.hasSuffix("\n\n") { kept.removeLast() }
        return kept
    }

    // MARK: - Events

    private static func fields(_ cue: SubtitleCue) -> (layer: Int, rest: String)? {
        if let markup = cue.markup, let comma = markup.firstIndex(of: ",") {
            return (Int(markup[..<comma]) ?? 0, oneLine(markup[markup.index(after: comma)...]))
        }
        return plainFields([cue]).map { (0, $0) }
    }

    /// Texts without a script that stand in one place, as an event of `plainHeader` or `ASSRenderer.plainHeader`: one above the other, each
    /// with its looks. nil for bitmaps alone.
    static func plainEvent(_ cues: [SubtitleCue]) -> String? { plainFields(cues).map { "0," + $0 } }

    private static func plainFields(_ cues: [SubtitleCue]) -> String? {
        let texts = cues.compactMap { cue in cue.body.runs.map { $0.map { text($0) }.joined() } }
        guard !texts.isEmpty else { return nil }
        return "Default,,0,0,0,," + placement(cues[0].placement) + texts.joined(separator: "\\N")
    }

    /// A line break in an event would end it.
    private static func oneLine(_ text: some StringProtocol) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(textLimit) {
            switch scalar.value {
            case 0x0A: result.append(contentsOf: "\\N".unicodeScalars)
            case 0..<0x20 where scalar != "\t": continue
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    private static func placement(_ placement: SubtitleTextPlacement?) -> String {
        guard let placement else { return "" }
        guard let point = placement.position else { return placement.alignment == 2 ? "" : "{\\an\(placement.alignment)}" }
        // On the canvas of `plainHeader`.
        return "{\\an\(placement.alignment)\\pos(\(Int((point.x * 384).rounded())),\(Int((point.y * 288).rounded())))}"
    }

    private static func text(_ run: SubtitleTextRun) -> String {
        var open = ""
        if run.isBold { open += "\\b1" }
        if run.isItalic { open += "\\i1" }
        if run.isUnderlined { open += "\\u1" }
        if run.isStruckThrough { open += "\\s1" }
        if let color = run.color { open += "\\c&H\(hex(color.b))\(hex(color.g))\(hex(color.r))&" }
        let words = escaped(run.text)
        return open.isEmpty ? words : "{\(open)}\(words){\\r}"
    }

    private static func hex(_ value: UInt8) -> String { (value < 16 ? "0" : "") + String(value, radix: 16, uppercase: true) }

    /// Braces open overrides and a backslash is a command: with a word joiner behind it, it is none.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars.prefix(textLimit) {
            switch scalar {
            case "\\": result += "\\\u{2060}"
            case "{": result += "\\{"
            case "}": result += "\\}"
            case "\n": result += "\\N"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// "0:00:01.25": a hundredth is all that scripts have.
    private static func time(_ time: MediaTime) -> String {
        let (value, isOver) = max(0, time.nanoseconds).addingReportingOverflow(5_000_000)
        let hundredths = (isOver ? Int64.max : value) / 10_000_000
        func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "\(hundredths / 360_000):\(two(hundredths / 6000 % 60)):\(two(hundredths / 100 % 60)).\(two(hundredths % 100))"
    }
}
