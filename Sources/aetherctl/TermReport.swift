import AetherCore
import AetherMedia
import AetherRender
import AetherTerminal

/// A report on a terminal's answers and what follows from them, for people and for scripts. Pure.
struct TermReport {
    let capabilities: TerminalCapabilities
    let environment: ProbeEnvironment
    let size: TerminalSize
    /// The time until the last answer, or until patience ended.
    let waited: TimeSpan
    /// Whether the bottom of the screen stays free of sixel images; nil where that was not asked.
    var needsBottomReserve: Bool?

    /// Whether the player would show sixel images.
    var choosesSixel: Bool { choice?.renderer == .sixel }

    /// The choice of `--renderer auto --color auto`; nil for plain lines.
    var choice: EncoderChoice? {
        guard !environment.lacksCursorAddressing else { return nil }
        return EncoderChoice.choose(requested: nil, traits: traits)
    }

    private var traits: DisplayTraits { capabilities.displayTraits(size: size) }

    /// The names that `--renderer` takes here.
    private var possible: [String] {
        guard !environment.lacksCursorAddressing else { return [] }
        return EncoderChoice.Renderer.allCases.filter { EncoderChoice.obstacle(to: $0, traits: traits) == nil }.map(\.rawValue)
    }

    private var reasons: [String] {
        (choice?.reasons ?? [phrase("plain lines: the cursor cannot be placed").key]) + capabilities.reasons
    }

    // MARK: - JSON

    var json: JSON {
        .object([
            ("terminal", terminal), ("size", sizes), ("answers", answers),
            ("known", knowledge),
            (
                "choice",
                .object([
                    ("renderer", .string(choice?.renderer.rawValue ?? "plain")), ("color", JSON(choice?.depth.rawValue)),
                    ("synchronized_updates", .bool(choice != nil && capabilities.synchronizedUpdate)),
                    ("possible", .array(possible.map { .string($0) })), ("reasons", .array(reasons.map { .string($0) })),
                ])
            ),
        ])
    }

    private var terminal: JSON {
        .object([
            ("name", known(capabilities.identity.name)), ("version", known(capabilities.identity.version)),
            ("outer_terminal", known(outerTerminal)), ("remote", .bool(capabilities.isRemote)),
            ("TERM", known(environment.term)), ("answered", .bool(capabilities.answered)),
            ("waited_ms", .number((waited.milliseconds * 10).rounded() / 10)),
        ])
    }

    private var sizes: JSON {
        .object([
            ("columns", .integer(Int64(size.cells.columns))), ("rows", .integer(Int64(size.cells.rows))),
            ("cell", pixels(size.cellPixels)), ("window", pixels(size.window ?? size.reportedWindow)),
            ("cell_aspect", .number((size.cellAspect * 10_000).rounded() / 10_000)),
            ("cell_aspect_from", .string(size.aspectSource.rawValue)),
        ])
    }

    private var answers: JSON {
        .object([
            ("color", .string(capabilities.colourDepth.rawValue)), ("utf8", .bool(capabilities.utf8)),
            ("synchronized_update", .bool(capabilities.synchronizedUpdate)),
            ("sgr_pixel_mouse", .bool(capabilities.sgrPixelMouse)), ("status_report", .bool(capabilities.answersStatus)),
            ("cell_pixels", pixels(capabilities.cellPixelSize)), ("window_pixels", pixels(capabilities.windowPixelSize)),
            ("background", JSON(background)), ("kitty_graphics", .bool(capabilities.kittyGraphics)),
            ("kitty_shared_memory", .bool(capabilities.kittySharedMemory)),
            ("sixel", .bool(capabilities.sixel)), ("sixel_registers", JSON(capabilities.sixelRegisters.map(Int64.init))),
            ("sixel_limit", pixels(capabilities.sixelLimit)),
            ("sixel_bottom_reserve", needsBottomReserve.map { .bool($0) } ?? .null),
            ("sixel_display_mode", capabilities.sixelDisplayMode.map { .bool($0) } ?? .null),
        ])
    }

    /// Facts known by name and version, since no question tells.
    private var knowledge: JSON {
        .object([
            ("glyphs", .string(glyphs)), ("kitty_frame_edits", .bool(capabilities.kittyFrameEdits)),
            ("kitty_transient", .bool(capabilities.kittyTransient)), ("inline_images", .bool(capabilities.inlineImages)),
            ("quirks", .array(capabilities.quirks.map { .string($0) })),
        ])
    }

    private var glyphs: String {
        switch capabilities.glyphs {
        case .halfBlocks: "half-blocks"
        case .quadrants: "quadrants"
        case .sextants: "sextants"
        case .octants: "octants"
        }
    }

    private var outerTerminal: String {
        guard let outer = capabilities.outerIdentity else { return "" }
        return [outer.name, outer.version].filter { !$0.isEmpty }.joined(separator: " ")
    }

    private func known(_ text: String) -> JSON { JSON(text.isEmpty ? nil : DisplayText.singleLine(text)) }

    private func pixels(_ size: PixelSize?) -> JSON {
        size.map { .object([("width", .integer(Int64($0.width))), ("height", .integer(Int64($0.height)))]) } ?? .null
    }

    private var background: String? {
        capabilities.background.map { colour in
            "#" + [colour.red, colour.green, colour.blue].map { String(256 + Int($0), radix: 16).dropFirst() }.joined()
        }
    }

    // MARK: - Text

    var text: String {
        let milliseconds = "\(Int(waited.milliseconds.rounded())) ms"
        let identity = [capabilities.identity.name, capabilities.identity.version].filter { !$0.isEmpty }.joined(separator: " ")
        let cells = "\(size.cells.columns)x\(size.cells.rows)"
        let own = identity.isEmpty ? translated("unknown", context: "term") : identity
        var lines = [
            (translated("terminal", context: "term"), outerTerminal.isEmpty ? own : translated("\(own), in \(outerTerminal)")),
            ("TERM", environment.term.isEmpty ? translated("not set") : environment.term),
            (
                translated("answered", context: "term"),
                capabilities.answered ? translated("within \(milliseconds)") : translated("nothing in \(milliseconds)")
            ),
            (translated("size", context: "term"), translated("\(cells) cells")),
            (translated("cell", context: "term"), cellLine),
            (translated("colours", context: "term"), capabilities.colourDepth.rawValue), ("UTF-8", yes(capabilities.utf8)),
            (translated("synchronized", context: "term"), yes(capabilities.synchronizedUpdate)),
            (translated("pixel mouse", context: "term"), yes(capabilities.sgrPixelMouse)),
            (translated("background", context: "term"), background ?? translated("not said")),
            (translated("status report", context: "term"), yes(capabilities.answersStatus)),
            (translated("kitty graphics", context: "term"), kittyLine), ("sixel", sixelLine),
            (translated("inline images", context: "term"), yes(capabilities.inlineImages)),
            (translated("block glyphs", context: "term"), glyphs),
            (
                translated("chosen", context: "term"),
                choice.map { "\($0.renderer.rawValue), \($0.depth.rawValue)" } ?? translated("plain lines")
            ),
        ]
        if !possible.isEmpty { lines.append((translated("possible", context: "term"), possible.joined(separator: ", "))) }
        lines += capabilities.quirks.map { (translated("quirk", context: "term"), $0) }
        lines += reasons.map { (translated("because", context: "term"), translated(Phrase(stringLiteral: $0))) }
        return lines.map { name, value in
            name + String(repeating: " ", count: max(1, 16 - name.count)) + DisplayText.singleLine(value) + "\n"
        }.joined()
    }

    private var cellLine: String {
        let source =
            switch size.aspectSource {
            case .kernel: translated("by the kernel's word")
            case .cellReport: translated("by CSI 16 t")
            case .windowReport: translated("by CSI 14 t")
            case .assumed: translated("assumed")
            }
        guard let cell = size.cellPixels else { return "1:2, \(source)" }
        return translated("\(Self.text(cell)) pixels, \(source)")
    }

    private var kittyLine: String {
        guard capabilities.kittyGraphics else { return yes(false) }
        var parts = [capabilities.kittySharedMemory ? translated("yes, through shared memory") : translated("yes, in-line")]
        if capabilities.kittyFrameEdits { parts.append(translated("frames can be edited")) }
        if capabilities.kittyTransient { parts.append(translated("short-lived images")) }
        return parts.joined(separator: ", ")
    }

    private var sixelLine: String {
        guard capabilities.sixel else { return yes(false) }
        let bottom = needsBottomReserve.map {
            $0 ? translated("not to the bottom of the screen") : translated("to the bottom of the screen")
        }
        let parts = [
            yes(true), capabilities.sixelRegisters.map { translated("\($0) registers") },
            capabilities.sixelLimit.map { translated("up to \(Self.text($0))") }, bottom,
        ]
        return parts.compactMap { $0 }.joined(separator: ", ")
    }

    private static func text(_ size: PixelSize) -> String { "\(size.width)x\(size.height)" }

    private func yes(_ value: Bool) -> String { value ? translated("yes") : translated("no") }
}
