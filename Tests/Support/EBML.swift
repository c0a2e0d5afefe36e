/// Writes EBML: enough of it to make Matroska chapters.
public enum EBML {
    /// An element of any content, its size in eight bytes.
    public static func element(_ id: UInt32, _ content: [UInt8]) -> [UInt8] {
        let size = UInt64(content.count) | 1 << 56
        return number(bytes: UInt64(id)) + (0..<8).map { UInt8(truncatingIfNeeded: size >> (56 - 8 * $0)) } + content
    }

    /// An element that holds others.
    public static func element(_ id: UInt32, _ parts: [[UInt8]]) -> [UInt8] { element(id, Array(parts.joined())) }

    /// An element that holds an unsigned number.
    public static func element(_ id: UInt32, _ value: UInt64) -> [UInt8] { element(id, number(bytes: value)) }

    /// An element that holds UTF-8.
    public static func element(_ id: UInt32, _ text: String) -> [UInt8] { element(id, Array(text.utf8)) }

    /// An element that takes up so many bytes, nine at least.
    public static func void(_ count: Int) -> [UInt8] { element(0xEC, [UInt8](repeating: 0, count: count - 9)) }

    private static func number(bytes value: UInt64) -> [UInt8] {
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
        return Array(bytes.drop { $0 == 0 }.isEmpty ? [0] : bytes.drop { $0 == 0 })
    }

    // MARK: - Chapters

    /// A chapter; times in seconds.
    public static func atom(
        _ start: Double, _ end: Double? = nil, _ names: [(String, String)] = [], isHidden: Bool = false, isEnabled: Bool = true,
        segment: [UInt8]? = nil, _ children: [[UInt8]] = []
    ) -> [UInt8] {
        func ticks(_ seconds: Double) -> UInt64 { UInt64((seconds * 1e9).rounded()) }
        var parts = [element(0x73C4, UInt64(start * 10) + 1), element(0x91, ticks(start))]
        if let end { parts.append(element(0x92, ticks(end))) }
        if isHidden { parts.append(element(0x98, 1 as UInt64)) }
        if !isEnabled { parts.append(element(0x4598, 0 as UInt64)) }
        if let segment { parts.append(element(0x6E67, segment)) }
        for (language, text) in names { parts.append(element(0x80, [element(0x85, text), element(0x437C, language)])) }
        return element(0xB6, parts + children)
    }

    /// A way to cut the file.
    public static func edition(
        _ uid: UInt64, isHidden: Bool = false, isDefault: Bool = false, isOrdered: Bool = false, name: String? = nil,
        _ atoms: [[UInt8]]
    ) -> [UInt8] {
        var parts = [element(0x45BC, uid)]
        if isHidden { parts.append(element(0x45BD, 1 as UInt64)) }
        if isDefault { parts.append(element(0x45DB, 1 as UInt64)) }
        if isOrdered { parts.append(element(0x45DD, 1 as UInt64)) }
        if let name { parts.append(element(0x4520, [element(0x4521, name), element(0x45E4, "en")])) }
        return element(0x45B9, parts + atoms)
    }

    /// All chapters of a file.
    public static func chapters(_ editions: [[UInt8]]) -> [UInt8] { element(0x1043_A770, editions) }
}
