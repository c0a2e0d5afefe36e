public import AetherCore

/// Asks a terminal what it can do, in one batch, and folds the answers into `TerminalCapabilities`.
///
/// The terminal must be in raw mode. Use: send `query`, give every `InputEvent.reply` to `fold` until `isComplete` or
/// `deadline`, read `capabilities`. Answers count by content, not by order (some terminals answer OSC late); those that come
/// after the decision may still be folded in. Pure: does no input or output.
public struct CapabilityProbe: Sendable {
    /// 300 ms: a round trip across an ocean fits; a terminal that is silent for so long answers nothing.
    public static let patience = TimeSpan.milliseconds(300)
    /// tmux answers at once, the terminal around it a little later: 5 ms measured with kitty on the same machine.
    static let patienceThroughTmux = TimeSpan.milliseconds(50)

    private let environment: ProbeEnvironment
    private let questions: ProbeQuestions
    private var found = TerminalCapabilities()
    private var reportedIdentity: TerminalIdentity?
    private var secondaryAttributes: [Int] = []
    private var attributes: [Int] = []
    private var echo: ColourDepthPolicy.Echo?
    private var cursorColumn: Int?
    private var displayMode: Bool?
    /// Answers about images: whether each question was answered with OK.
    private var kittyAnswers: [Int: Bool] = [:]

    /// The time at which waiting ends.
    public let deadline: HostTime
    /// Whether the fence was answered: everything that a terminal answers in order is here.
    public private(set) var isComplete: Bool

    /// A probe whose batch is sent at the given time; `sharedMemory` is the name of an object that holds one pixel, in base64. A
    /// terminal without cursor addressing is asked nothing.
    public init(environment: ProbeEnvironment, sentAt now: HostTime, sharedMemory: String? = nil) {
        self.environment = environment
        questions = ProbeQuestions(environment: environment, sharedMemory: sharedMemory)
        deadline = now + Self.patience
        isComplete = environment.lacksCursorAddressing
    }

    /// The number of CPR answers that the batch asks for: goes to `InputDecoder.expectedCursorReports`.
    public var cursorReportCount: Int { query.isEmpty ? 0 : 1 }

    /// The batch, to be sent in one piece.
    public var query: [UInt8] { questions.bytes }

    /// Whether the terminal around tmux may still answer, although tmux has: it is not behind the fence.
    public var awaitsOuterTerminal: Bool {
        guard questions.asksThroughTmux, kittyAnswers[ProbeQuestions.ImageID.directThroughTmux] != false else { return false }
        return kittyAnswers[ProbeQuestions.ImageID.directThroughTmux] == nil
            || (questions.sharedMemory != nil && kittyAnswers[ProbeQuestions.ImageID.sharedMemoryThroughTmux] == nil)
    }

    /// Takes in what tmux knows of the terminal around it: that terminal's answer to XTVERSION.
    public mutating func learn(outerTerminal report: String) {
        found.outerIdentity = report.isEmpty ? nil : TerminalIdentity(report: DisplayText.singleLine(report, limit: 200))
    }

    /// Takes an answer in. In any order, any number of times.
    public mutating func fold(_ reply: TerminalReply) {
        found.answered = true
        switch reply {
        case .version(let text): reportedIdentity = TerminalIdentity(report: text)
        case .deviceAttributes(let values):
            attributes = values
            isComplete = true
        case .secondaryAttributes(let values): secondaryAttributes = values
        case .status(let isFine): found.answersStatus = isFine
        case .keyboard: found.keyboardProtocol = true
        case .mode(2026, let state): found.synchronizedUpdate = state.isUsable
        case .mode(1016, let state): found.sgrPixelMouse = state.isUsable
        case .mode(80, let state):
            displayMode = state == .notRecognized ? nil : state == .set || state == .permanentlySet
        case .mode: break
        case .cellPixels(let width, let height): found.cellPixelSize = Self.size(width, height)
        case .textAreaPixels(let width, let height): found.windowPixelSize = Self.size(width, height)
        case .graphicsAttribute(1, 0, let values):
            if let count = values.first, count >= 2 { found.sixelRegisters = count }
        case .graphicsAttribute(2, 0, let values): foldSixelLimit(values)
        case .kittyGraphics(let id, _, let message):
            if ProbeQuestions.ImageID.all.contains(id) { kittyAnswers[id] = message == "OK" }
        case .colour(.background, let red, let green, let blue):
            found.background = TerminalCapabilities.Colour(
                red: UInt8(red >> 8), green: UInt8(green >> 8), blue: UInt8(blue >> 8))
        case .setting(let text): echo = text.flatMap(Self.echo(in:))
        case .cursor(_, let column): cursorColumn = column
        case .graphicsAttribute, .colour, .textAreaCells: break
        }
    }

    /// Two answers come, the window's size and the largest ever: the larger is the limit, in whatever order.
    private mutating func foldSixelLimit(_ values: [Int]) {
        guard values.count >= 2, let size = Self.size(values[0], values[1]) else { return }
        let known = found.sixelLimit ?? size
        found.sixelLimit = PixelSize(width: max(known.width, size.width), height: max(known.height, size.height))
    }

    /// The decision on what has been answered so far. For a silent terminal that is the environment's word.
    public var capabilities: TerminalCapabilities {
        var result = found
        result.identity = identity
        result.isAddressable = !environment.lacksCursorAddressing
        result.isTmux = environment.isTmux || result.identity.isProgram("tmux")
        result.sixelDisplayMode = displayMode
        result.sixel = attributes.dropFirst().contains(4)
        if !result.sixel { (result.sixelRegisters, result.sixelLimit) = (nil, nil) }
        // Some say nothing but the size of their window, which can grow.
        if result.sixelLimit == result.windowPixelSize { result.sixelLimit = nil }
        let (depth, why) = ColourDepthPolicy.decide(environment: environment, identity: result.identity, echo: echo)
        result.colourDepth = depth
        result.reasons = [
            Self.identityReason(result.identity, reported: reportedIdentity != nil), "\(depth.rawValue) colours: \(why)",
        ]
        let (utf8, utf8Reason) = utf8Decision
        result.utf8 = utf8
        result.reasons.append(utf8Reason)
        if !result.answered { result.reasons.append(phrase("the terminal answered no question").key) }
        decideGraphics(&result)
        for quirk in Quirks.of(result.identity) where result.apply(quirk.effect) {
            result.quirks.append(quirk.sentence)
            if case .colourDepth = quirk.effect { continue }  // said already
            result.reasons.append(quirk.sentence)
        }
        // tmux hands words on as they are written.
        if let outer = result.outerIdentity, Quirks.of(outer).contains(where: { $0.effect == .turnsWords }) {
            result.turnsWords = true
        }
        return result
    }

    /// The terminal's identity: by its own word, then by DA2, then by the environment. DA2 also has the version of some.
    private var identity: TerminalIdentity {
        if let reportedIdentity, !reportedIdentity.name.isEmpty { return reportedIdentity }
        let believed = environment.identity
        if let told = TerminalIdentity(secondaryAttributes: secondaryAttributes) { return told }
        // alacritty says 10000 × major + 100 × minor + micro of its library: 0.17.0 came from the program 0.11.0.
        if believed.isProgram("alacritty"), believed.version.isEmpty, secondaryAttributes.count >= 2 {
            let number = secondaryAttributes[1]
            return TerminalIdentity(
                name: believed.name, version: "\(number / 10_000).\(number / 100 % 100).\(number % 100) (library)")
        }
        return believed
    }

    private func decideGraphics(_ result: inout TerminalCapabilities) {
        typealias ID = ProbeQuestions.ImageID
        let drawing = result.isTmux ? result.outerIdentity ?? TerminalIdentity() : result.identity
        let features = KittyFeatures.features(of: drawing)
        result.glyphs = GlyphSupport.glyphs(of: drawing)
        if result.isTmux {
            // tmux knows characters by the C library's tables, and those of glibc 2.36 end before the octants (Unicode 16).
            result.glyphs = min(result.glyphs, .sextants)
            let answers = kittyAnswers[ID.directThroughTmux] == true
            result.kittyGraphics = answers && features.contains(.placeholders)
            result.kittySharedMemory = result.kittyGraphics && kittyAnswers[ID.sharedMemoryThroughTmux] == true
            if answers && !result.kittyGraphics {
                result.reasons.append(phrase("images get through tmux, but nothing proves that they can be placed there").key)
            }
        } else {
            result.kittyGraphics = kittyAnswers[ID.direct] == true
            result.kittySharedMemory = result.kittyGraphics && kittyAnswers[ID.sharedMemory] == true
            result.inlineImages = InlineImageSupport.isKnown(of: result.identity, hasSixel: result.sixel)
        }
        result.kittyFrameEdits = result.kittyGraphics && features.contains(.frameEdits)
        result.kittyTransient = result.kittyGraphics && features.contains(.transient)
        // A terminal that reads our memory is on our machine, whatever variables a shell has inherited.
        result.isRemote = environment.isRemote && !result.kittySharedMemory
    }

    private var utf8Decision: (Bool, String) {
        switch cursorColumn {
        case 2: return (true, phrase("UTF-8: a two-byte letter took one column").key)
        case 3: return (false, phrase("no UTF-8: a two-byte letter took two columns").key)
        default: break
        }
        if let locale = environment.localeIsUTF8 {
            return (locale, locale ? phrase("UTF-8: the locale").key : phrase("no UTF-8: the locale").key)
        }
        return (!environment.lacksCursorAddressing, phrase("UTF-8: assumed, no locale is set").key)
    }

    private static func identityReason(_ identity: TerminalIdentity, reported: Bool) -> String {
        if identity.name.isEmpty { return phrase("unknown terminal").key }
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

extension TerminalCapabilities {
    /// Overrules what was said; false where there was nothing to overrule.
    fileprivate mutating func apply(_ effect: Quirks.Effect) -> Bool {
        switch effect {
        case .colourDepth(let depth): return colourDepth == depth
        case .cellPixels(let size):
            guard cellPixelSize == nil else { return false }
            cellPixelSize = size
        case .sixelDisplayModeInverted:
            guard let mode = sixelDisplayMode else { return false }
            sixelDisplayMode = !mode
        case .noSixelUpdates:
            guard sixel else { return false }
            (sixel, sixelRegisters, sixelLimit) = (false, nil, nil)
        case .sixelRegisters(let most):
            guard sixel, let registers = sixelRegisters, registers > most else { return false }
            sixelRegisters = most
        case .turnsWords: turnsWords = true
        case .sixelLimit(let size):
            guard sixel, sixelLimit == nil else { return false }
            sixelLimit = size
        }
        return true
    }
}

extension String {
    /// With semicolons for colons: terminals differ in which they write.
    fileprivate var replacingColons: String { String(map { $0 == ":" ? ";" : $0 }) }
}
