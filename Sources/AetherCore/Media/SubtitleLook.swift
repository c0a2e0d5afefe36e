/// The look that a person gives to subtitles. What is nil is the file's, or the player's own. Of texts that are cells of the terminal the colour
/// alone counts.
public struct SubtitleLook: Sendable, Equatable, CustomStringConvertible {
    /// The name of a font, of 64 characters at most.
    public var font: String?
    /// Letters so high, in 288ths of the frame: 4...96. The player's own text has 16.
    public var size: Double?
    /// Of letters and of their edge, 0xRRGGBB.
    public var colour, borderColour: UInt32?
    /// The width of the edge, in 288ths of the frame: 0...10.
    public var border: Double?
    /// The distance from the lower edge, in 288ths of the frame: 0...200.
    public var margin: Double?
    /// Scripts that bring styles of their own (ASS) are drawn in this look too.
    public var overridesScripts = false

    /// The file's own.
    public init() {}

    /// Whether nothing is another than the file's.
    public var isPlain: Bool { self == SubtitleLook() }

    /// This look within the ranges; NaN is the file's own.
    public var bounded: SubtitleLook {
        func inside(_ value: Double?, _ range: ClosedRange<Double>) -> Double? {
            value.flatMap { $0.isNaN ? nil : min(max($0, range.lowerBound), range.upperBound) }
        }
        var look = self
        look.font = font.flatMap { Self.isFontName($0) ? $0 : nil }
        (look.size, look.border) = (inside(size, 4...96), inside(border, 0...10))
        look.margin = inside(margin, 0...200)
        (look.colour, look.borderColour) = (colour.map { $0 & 0xFFFFFF }, borderColour.map { $0 & 0xFFFFFF })
        return look
    }

    /// A name that can stand in a script: no comma, no brace, no control character.
    public static func isFontName(_ name: String) -> Bool {
        !name.isEmpty && name.count <= 64
            && name.unicodeScalars.allSatisfy { $0.value >= 0x20 && !",{};=\\".unicodeScalars.contains($0) && $0.value != 0x7F }
    }

    /// "#FFE000" or "FFE000" as a colour; nil for anything else.
    public static func colour(_ text: some StringProtocol) -> UInt32? {
        let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
        return digits.count == 6 && digits.allSatisfy(\.isHexDigit) ? UInt32(digits, radix: 16) : nil
    }

    /// The settings as text, in the form that `init(_:)` reads: "font=Sans;size=20;colour=FFE000".
    public var description: String {
        func hex(_ value: UInt32) -> String {
            String(String(value & 0xFFFFFF | 0x100_0000, radix: 16, uppercase: true).dropFirst())
        }
        return [
            font.map { "font=\($0)" }, size.map { "size=\($0)" }, colour.map { "colour=" + hex($0) },
            borderColour.map { "border-colour=" + hex($0) }, border.map { "border=\($0)" }, margin.map { "margin=\($0)" },
            overridesScripts ? "override=yes" : nil,
        ].compactMap { $0 }.joined(separator: ";")
    }

    /// Reads what `description` says; nil for anything else.
    public init?(_ text: String) {
        for part in text.split(separator: ";") {
            let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
            guard pair.count == 2 else { return nil }
            switch pair[0] {
            case "font": font = pair[1]
            case "size": size = Double(pair[1])
            case "colour": colour = Self.colour(pair[1])
            case "border-colour": borderColour = Self.colour(pair[1])
            case "border": border = Double(pair[1])
            case "margin": margin = Double(pair[1])
            case "override": overridesScripts = pair[1] == "yes"
            default: return nil
            }
        }
    }
}
