/// The places where a line of a subtitle may end: the part of UAX #14 that matters to them. Behind spaces and hyphens, and between the characters of
/// Chinese and Japanese, but not before what closes nor behind what opens. Korean breaks at its spaces. Thai, which has none within a
/// sentence, breaks where a line is full: to know its words takes a dictionary.
enum LineBreak {
    /// Whether a line may end behind the first of two neighbours.
    static func isAllowed(_ last: UInt32, before next: UInt32) -> Bool {
        if next == 0x20 { return false }
        if last == 0x20 { return !closing.contains(next) || next < 0x80 }
        if last == 0x2D || last == 0x2010 || last == 0x2013 || last == 0x2014 { return !(0x30...0x39 ~= next) }
        guard isIdeographic(last) || isIdeographic(next) else { return false }
        return !closing.contains(next) && !opening.contains(last)
    }

    /// Kana, ideographs and their full-width marks.
    private static func isIdeographic(_ value: UInt32) -> Bool {
        switch value {
        case 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF, 0xF900...0xFAFF, 0xFF01...0xFF60,
            0x20000...0x3FFFD:
            true
        default: false
        }
    }

    private static func set(_ text: String) -> Set<UInt32> { Set(text.unicodeScalars.map(\.value)) }

    private static let closing = set(
        "、。，．！？：；」』）】〉》〕］｝…‥ー々ゝゞヽヾ゛゜ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ%％!?,.:;)]}”’")
    private static let opening = set("「『（【〈《〔［｛“‘([{")
}
