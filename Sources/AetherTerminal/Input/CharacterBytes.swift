/// A character that comes in several bytes of UTF-8, one after the other.
struct CharacterBytes: Sendable {
    /// The effect of a byte.
    enum Step: Sendable, Equatable {
        case more
        /// The character is complete; nil: an overlong form, a surrogate, or beyond the last character.
        case whole(Unicode.Scalar?)
        /// The byte does not belong to the character.
        case cut
    }

    private var value: UInt32
    /// Bytes that are still to come.
    private var left: Int
    /// The first value that needs so many bytes.
    private let least: UInt32

    /// nil: no character of several bytes starts so.
    init?(first byte: UInt8) {
        switch byte {
        case 0xC2...0xDF: (value, left, least) = (UInt32(byte & 0x1F), 1, 0x80)
        case 0xE0...0xEF: (value, left, least) = (UInt32(byte & 0x0F), 2, 0x800)
        case 0xF0...0xF4: (value, left, least) = (UInt32(byte & 0x07), 3, 0x10000)
        default: return nil
        }
    }

    mutating func take(_ byte: UInt8) -> Step {
        guard byte & 0xC0 == 0x80 else { return .cut }
        value = value << 6 | UInt32(byte & 0x3F)
        left -= 1
        guard left == 0 else { return .more }
        return .whole(value >= least ? Unicode.Scalar(value) : nil)
    }
}
