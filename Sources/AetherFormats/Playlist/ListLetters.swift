/// The letters of a list that is no Unicode. Players wrote lists in the character set of their machine and say nowhere in which: two are told
/// apart, that of Western Europe and Windows' Cyrillic. Pure.
public enum ListLetters: Sendable, Equatable {
    /// ISO 8859-1: every byte is the scalar of its number.
    case latin1
    /// Windows-1251.
    case cyrillic

    /// The likelier letters of bytes that are no Unicode: in Cyrillic whole words lie beyond ASCII, in the West one letter of a word does.
    init(_ bytes: some Sequence<UInt8>) {
        var high = 0, low = 0, whole = 0, mixed = 0
        func close() {
            if high > 1, low == 0 { whole += 1 } else if high > 0, low > 0 { mixed += 1 }
            (high, low) = (0, 0)
        }
        for byte in bytes {
            switch byte {
            case 0xC0...: high += 1
            case 0x41...0x5A, 0x61...0x7A: low += 1
            default: close()
            }
        }
        close()
        self = whole > mixed ? .cyrillic : .latin1
    }

    /// The text of bytes.
    func text(_ bytes: some Sequence<UInt8>) -> String {
        var scalars = String.UnicodeScalarView()
        for byte in bytes {
            scalars.append(self == .cyrillic && byte >= 0x80 ? Self.upperHalf[Int(byte) - 0x80] : Unicode.Scalar(byte))
        }
        return String(scalars)
    }

    /// The bytes that a text was made of; nil for one with other letters.
    public func bytes(of text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            if scalar.isASCII || self == .latin1 {
                guard let byte = UInt8(exactly: scalar.value) else { return nil }
                bytes.append(byte)
            } else {
                guard let place = Self.upperHalf.firstIndex(of: scalar) else { return nil }
                bytes.append(UInt8(0x80 + place))
            }
        }
        return bytes
    }

    /// The letters of Windows-1251 from 0x80 on; 0x98 is none of them and stays a control.
    private static let upperHalf = Array(
        ("ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—\u{98}™љ›њќћџ\u{A0}ЎўЈ¤Ґ¦§Ё©Є«¬\u{AD}®Ї°±Ііґµ¶·ё№є»јЅѕї"
            + "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя").unicodeScalars)
}
