import AetherCore
import AetherMedia
import AetherRender
import AetherTerminal

/// What a terminal said and what follows from it, for people and for scripts. Pure.
struct TermReport {
    let capabilities: TerminalCapabilities
    let environment: ProbeEnvironment
    let size: TerminalSize
    /// Until the last answer, or until patience ended.
    let waited: TimeSpan

    /// What `--renderer auto --color auto` comes to; nil for plain lines.
    private var choice: EncoderChoice? {
        guard !environment.lacksCursorAddressing else { return nil }
        return EncoderChoice.choose(
            requested: nil, depth: ColourDepth(rawValue: capabilities.colourDepth.rawValue) ?? .mono, isUTF8: capabilities.utf8)
    }

    private var reasons: [String] { (choice?.reasons ?? ["plain lines: the cursor cannot be placed"]) + capabilities.reasons }

    // MARK: - JSON

    var json: JSONValue {
        .object([
            ("terminal", terminal), ("size", sizes), ("answers", answers),
            (
                "choice",
                .object([
                    ("renderer", .string(choice?.renderer.rawValue ?? "plain")), ("color", JSONValue(choice?.depth.rawValue)),
                    ("synchronized_updates", .bool(choice != nil && capabilities.synchronizedUpdate)),
                    ("reasons", .array(reasons.map { .string($0) })),
                ])
            ),
        ])
    }

    private var terminal: JSONValue {
        .object([
            ("name", known(capabilities.identity.name)), ("version", known(capabilities.identity.version)),
            ("TERM", known(environment.term)), ("answered", .bool(capabilities.answered)),
            ("waited_ms", .number((waited.milliseconds * 10).rounded() / 10)),
        ])
    }

    private var sizes: JSONValue {
        .object([
            ("columns", .integer(Int64(size.cells.columns))), ("rows", .integer(Int64(size.cells.rows))),
            ("cell", pixels(size.cellPixels)), ("window", pixels(size.window ?? size.reportedWindow)),
            ("cell_aspect", .number((size.cellAspect * 10_000).rounded() / 10_000)),
            ("cell_aspect_from", .string(size.aspectSource.rawValue)),
        ])
    }

    private var answers: JSONValue {
        .object([
            ("color", .string(capabilities.colourDepth.rawValue)), ("utf8", .bool(capabilities.utf8)),
            ("synchronized_update", .bool(capabilities.synchronizedUpdate)),
            ("sgr_pixel_mouse", .bool(capabilities.sgrPixelMouse)),
            ("cell_pixels", pixels(capabilities.cellPixelSize)), ("window_pixels", pixels(capabilities.windowPixelSize)),
            ("background", JSONValue(background)), ("kitty_graphics", .bool(capabilities.kittyGraphics)),
            ("sixel", .bool(capabilities.sixel)), ("sixel_registers", JSONValue(capabilities.sixelRegisters.map(Int64.init))),
            ("sixel_limit", pixels(capabilities.sixelLimit)),
            ("sixel_display_mode", capabilities.sixelDisplayMode.map { .bool($0) } ?? .null),
        ])
    }

    private func known(_ text: String) -> JSONValue { JSONValue(text.isEmpty ? nil : DisplayText.singleLine(text)) }

    private func pixels(_ size: PixelSize?) -> JSONValue {
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
            ("terminal", identity.isEmpty ? "unknown" : identity),
            ("TERM", environment.term.isEmpty ? "not set" : environment.term),
            ("answered", (capabilities.answered ? "within " : "nothing in ") + milliseconds),
            ("size", "\(size.cells.columns)x\(size.cells.rows) cells"), ("cell", cellLine),
            ("colours", capabilities.colourDepth.rawValue), ("UTF-8", yes(capabilities.utf8)),
            ("synchronized", yes(capabilities.synchronizedUpdate)), ("pixel mouse", yes(capabilities.sgrPixelMouse)),
            ("background", background ?? "not said"), ("kitty graphics", yes(capabilities.kittyGraphics)), ("sixel", sixelLine),
            ("chosen", choice.map { "\($0.renderer.rawValue), \($0.depth.rawValue)" } ?? "plain lines"),
        ]
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

    private var sixelLine: String {
        guard capabilities.sixel else { return "no" }
        let registers = capabilities.sixelRegisters.map { ", \($0) registers" } ?? ""
        return "yes" + registers + (capabilities.sixelLimit.map { ", up to \($0.width)x\($0.height)" } ?? "")
    }

    private func yes(_ value: Bool) -> String { value ? "yes" : "no" }
}
