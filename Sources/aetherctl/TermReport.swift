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

    private var reasons: [String] { (choice?.reasons ?? ["plain lines: the cursor cannot be placed"]) + capabilities.reasons }

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
        var lines = [
            ("terminal", (identity.isEmpty ? "unknown" : identity) + (outerTerminal.isEmpty ? "" : ", in \(outerTerminal)")),
            ("TERM", environment.term.isEmpty ? "not set" : environment.term),
            ("answered", (capabilities.answered ? "within " : "nothing in ") + milliseconds),
            ("size", "\(size.cells.columns)x\(size.cells.rows) cells"), ("cell", cellLine),
            ("colours", capabilities.colourDepth.rawValue), ("UTF-8", yes(capabilities.utf8)),
            ("synchronized", yes(capabilities.synchronizedUpdate)), ("pixel mouse", yes(capabilities.sgrPixelMouse)),
            ("background", background ?? "not said"), ("status report", yes(capabilities.answersStatus)),
            ("kitty graphics", kittyLine), ("sixel", sixelLine), ("inline images", yes(capabilities.inlineImages)),
            ("block glyphs", glyphs),
            ("chosen", choice.map { "\($0.renderer.rawValue), \($0.depth.rawValue)" } ?? "plain lines"),
        ]
        if !possible.isEmpty { lines.append(("possible", possible.joined(separator: ", "))) }
        lines += capabilities.quirks.map { ("quirk", $0) }
        lines += reasons.map { ("because", $0) }
        return lines.map { name, value in
            name + String(repeating: " ", count: 16 - name.count) + DisplayText.singleLine(value) + "\n"
        }.joined()
    }

    private var cellLine: String {
        let source =
            switch size.aspectSource {
            case .kernel: "by the kernel's word"
            case .cellReport: "by CSI 16 t"
            case .windowReport: "by CSI 14 t"
            case .assumed: "assumed"
            }
        guard let cell = size.cellPixels else { return "1:2, \(source)" }
        return "\(cell.width)x\(cell.height) pixels, \(source)"
    }

    private var kittyLine: String {
        guard capabilities.kittyGraphics else { return "no" }
        var parts = [capabilities.kittySharedMemory ? "yes, through shared memory" : "yes, in-line"]
        if capabilities.kittyFrameEdits { parts.append("frames can be edited") }
        if capabilities.kittyTransient { parts.append("short-lived images") }
        return parts.joined(separator: ", ")
    }

    private var sixelLine: String {
        guard capabilities.sixel else { return "no" }
        let registers = capabilities.sixelRegisters.map { ", \($0) registers" } ?? ""
        let bottom = needsBottomReserve.map { $0 ? ", not to the bottom of the screen" : ", to the bottom of the screen" } ?? ""
        return "yes" + registers + (capabilities.sixelLimit.map { ", up to \($0.width)x\($0.height)" } ?? "") + bottom
    }

    private func yes(_ value: Bool) -> String { value ? "yes" : "no" }
}
