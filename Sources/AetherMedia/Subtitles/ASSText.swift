import AetherCore

/// The visible text of an ASS dialogue line.
enum ASSText {
    /// Longest text looked at, in bytes: no line that a person can read is longer.
    static let limit = 16 << 10

    /// The text field of an event as libavcodec writes it: ReadOrder,Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text.
    static func textField(ofEvent event: String) -> Substring {
        var rest = event[...]
        for _ in 0..<8 {
            guard let comma = rest.firstIndex(of: ",") else { return "" }
            rest = rest[rest.index(after: comma)...]
        }
        return rest
    }

    /// Lines of plain text: override blocks and drawings left out, `\N` and `\n` as line breaks, `\h` as a space. Empty lines are
    /// left out; at most 16 lines.
    static func lines(_ field: Substring) -> [String] {
        var plain = String.UnicodeScalarView()
        var isDrawing = false
        var rest = field.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if scalar == "{", let end = rest.firstIndex(of: "}") {
                isDrawing = drawingMode(rest[..<end], before: isDrawing)
                rest = rest[rest.index(after: end)...]
                continue
            }
            if scalar == "\\", let next = rest.first, "Nnh".unicodeScalars.contains(next) {
                rest.removeFirst()
                if !isDrawing { plain.append(next == "h" ? " " : "\n") }
                continue
            }
            if !isDrawing { plain.append(scalar) }
        }
        return DisplayText.lines(String(plain))
    }

    /// `\p1` and above starts a drawing, `\p0` ends it; `\pos`, `\pbo` and the like do neither.
    private static func drawingMode(_ block: Substring.UnicodeScalarView, before: Bool) -> Bool {
        var mode = before
        for tag in block.split(separator: "\\") {
            guard tag.first == "p" else { continue }
            let number = tag.dropFirst().prefix { ("0"..."9").contains($0) }
            guard !number.isEmpty else { continue }
            mode = number.contains { $0 != "0" }
        }
        return mode
    }
}
