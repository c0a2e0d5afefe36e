public import AetherCore

/// Asks a terminal what it can do, in one batch, and folds the answers into `TerminalCapabilities`.
///
/// The terminal must be in raw mode. Use: send `query`, give every `InputEvent.reply` to `fold` until `isComplete` or
/// `deadline`, read `capabilities`. Answers count by content, not by order (some terminals answer OSC late); those that come
/// after the decision may still be folded in. Pure: does no input or output.
public struct CapabilityProbe: Sendable {
    /// 300 ms: a round trip across an ocean fits; a terminal that is silent for so long answers nothing.
    public static let patience = TimeSpan.milliseconds(300)
    private static let kittyQueryID = 31

    private let environment: ProbeEnvironment
    private var found = TerminalCapabilities()
    private var reportedIdentity: TerminalIdentity?
    private var attributes: [Int] = []
    private var echo: ColourDepthPolicy.Echo?
    private var cursorColumn: Int?

    /// When to stop waiting.
    public let deadline: HostTime
    /// Whether the fence was answered: everything that a terminal answers in order is here.
    public private(set) var isComplete: Bool

    /// A probe whose batch is sent at the given time. A terminal without cursor addressing is asked nothing.
    public init(environment: ProbeEnvironment, sentAt now: HostTime) {
        self.environment = environment
        deadline = now + Self.patience
        isComplete = environment.lacksCursorAddressing
    }

    /// How many CPR answers the batch asks for: goes to `InputDecoder.expectedCursorReports`.
    public var cursorReportCount: Int { query.isEmpty ? 0 : 1 }

    /// The batch, to be sent in one piece. It leaves no trace: the letter printed to see whether UTF-8 is understood, and what
    /// a terminal prints of questions that it does not know, go to the alternate screen (Linux' console, which has none, is
    /// asked only what it knows, and the letter is erased).
    public var query: [UInt8] {
        if environment.lacksCursorAddressing { return [] }
        let letter: [UInt8] = [0xC3, 0xA9]  // é: one column in UTF-8, two without
        if environment.isConsole {
            return Escape.cursorSave + [0x0D] + letter + Escape.queryCursor + [0x0D] + Escape.clearToLineEnd
                + Escape.cursorRestore
                + Escape.queryDeviceAttributes
        }
        var batch = Escape.alternateScreenOn + Escape.cursorHome + letter + Escape.queryCursor + Escape.queryVersion
        batch += Escape.queryKittyGraphics(id: Self.kittyQueryID)
        for mode in [2026, 1016, 80] { batch += Escape.queryMode(mode) }
        batch += Escape.querySixelRegisters + Escape.querySixelGeometry + Escape.queryCellPixels + Escape.queryTextAreaPixels
        batch += Escape.foreground(red: 1, green: 2, blue: 3) + Escape.queryAttributes + Escape.attributesReset
        batch += Escape.queryBackground + Escape.alternateScreenOff + Escape.attributesReset
        return batch + Escape.queryDeviceAttributes
    }

    /// Takes an answer in. In any order, any number of times.
    public mutating func fold(_ reply: TerminalReply) {
        found.answered = true
        switch reply {
        case .version(let text): reportedIdentity = TerminalIdentity(report: text)
        case .deviceAttributes(let values):
            attributes = values
            isComplete = true
        case .mode(2026, let state): found.synchronizedUpdate = state.isUsable
        case .mode(1016, let state): found.sgrPixelMouse = state.isUsable
        case .mode(80, let state):
            found.sixelDisplayMode = state == .notRecognized ? nil : state == .set || state == .permanentlySet
        case .mode: break
        case .cellPixels(let width, let height): found.cellPixelSize = Self.size(width, height)
        case .textAreaPixels(let width, let height): found.windowPixelSize = Self.size(width, height)
        case .graphicsAttribute(1, 0, let values):
            if let count = values.first, count >= 2 { found.sixelRegisters = count }
        case .graphicsAttribute(2, 0, let values):
            if values.count >= 2 { found.sixelLimit = Self.size(values[0], values[1]) }
        case .kittyGraphics(Self.kittyQueryID, _, let message): found.kittyGraphics = message == "OK"
        case .colour(.background, let red, let green, let blue):
            found.background = TerminalCapabilities.Colour(
                red: UInt8(red >> 8), green: UInt8(green >> 8), blue: UInt8(blue >> 8))
        case .setting(let text): echo = text.flatMap(Self.echo(in:))
        case .cursor(_, let column): cursorColumn = column
        case .graphicsAttribute, .kittyGraphics, .colour, .secondaryAttributes, .textAreaCells: break
        }
    }

    /// The decision on what has been answered so far. For a silent terminal that is the environment's word.
    public var capabilities: TerminalCapabilities {
        var result = found
        result.identity = reportedIdentity ?? environment.identity
        result.sixel = attributes.dropFirst().contains(4)
        if !result.sixel { (result.sixelRegisters, result.sixelLimit) = (nil, nil) }
        let (depth, why) = ColourDepthPolicy.decide(environment: environment, identity: result.identity, echo: echo)
        result.colourDepth = depth
        result.reasons = [
            Self.identityReason(result.identity, reported: reportedIdentity != nil), "\(depth.rawValue) colours: \(why)",
        ]
        let (utf8, utf8Reason) = utf8Decision
        result.utf8 = utf8
        result.reasons.append(utf8Reason)
        if !result.answered { result.reasons.append("the terminal answered no question") }
        for quirk in Quirks.of(result.identity) {
            switch quirk.effect {
            case .colourDepth: continue
            case .cellPixels(let size):
                if result.cellPixelSize == nil { result.cellPixelSize = size }
            }
            result.reasons.append("\(quirk.program): \(quirk.symptom)")
        }
        return result
    }

    private var utf8Decision: (Bool, String) {
        switch cursorColumn {
        case 2: return (true, "UTF-8: a two-byte letter took one column")
        case 3: return (false, "no UTF-8: a two-byte letter took two columns")
        default: break
        }
        if let locale = environment.localeIsUTF8 { return (locale, locale ? "UTF-8: the locale" : "no UTF-8: the locale") }
        return (!environment.lacksCursorAddressing, "UTF-8: assumed, no locale is set")
    }

    private static func identityReason(_ identity: TerminalIdentity, reported: Bool) -> String {
        if identity.name.isEmpty { return "unknown terminal" }
        let version = identity.version.isEmpty ? "" : " \(identity.version)"
        return "\(identity.name)\(version), by its \(reported ? "own answer" : "environment")"
    }

    private static func size(_ width: Int, _ height: Int) -> PixelSize? {
        width > 0 && height > 0 ? PixelSize(width: width, height: height) : nil
    }

    /// Whether the SGR setting that came back still has our colour 1, 2, 3 in it, or an index instead.
    private static func echo(in setting: String) -> ColourDepthPolicy.Echo? {
        let plain = setting.replacingColons
        if plain.contains("38;2;1;2;3") || plain.contains("38;2;;1;2;3") { return .kept }
        return plain.contains("38;5;") ? .mapped : nil
    }
}

extension String {
    /// With semicolons for colons: terminals differ in which they write.
    fileprivate var replacingColons: String { String(map { $0 == ":" ? ";" : $0 }) }
}
