/// Paths as text. For Linux a name is bytes, and those of old collections are no UTF-8: such bytes become scalars that nothing else uses, the
/// last of Unicode's last plane for private use, and bytes again where the system is asked. Pure.
public enum PathText {
    /// Stands for the byte 0x80; the others follow.
    private static let first: UInt32 = 0x10_FF80

    /// The text of a name as the system has it.
    public static func text(_ bytes: some Collection<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self), !hasStrayBytes(text) { return text }
        var result = String.UnicodeScalarView()
        var rest = Array(bytes)[...]
        while let byte = rest.first {
            let whole = (1...4).lazy.filter { $0 <= rest.count }.compactMap { count in
                String(validating: rest.prefix(count), as: UTF8.self)?.unicodeScalars.first
            }.first { !isStrayByte($0) }
            if let whole {
                result.append(whole)
                rest = rest.dropFirst(UTF8.width(whole))
            } else {
                result.append(Unicode.Scalar(first + UInt32(byte & 0x7F)) ?? "\u{FFFD}")
                rest = rest.dropFirst()
            }
        }
        return String(result)
    }

    /// The words of the command line behind the program's name: names of files among them may be any bytes.
    public static var commandLine: [String] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { CommandLine.unsafeArgv[$0].map { text(cString: $0) } }
    }

    /// The text of a name that ends with a zero.
    public static func text(cString: UnsafePointer<CChar>) -> String {
        var count = 0
        while cString[count] != 0 { count += 1 }
        return UnsafeRawBufferPointer(start: cString, count: count).withMemoryRebound(to: UInt8.self) { text($0) }
    }

    /// The argument of a system call: the bytes of a path, and a zero.
    public static func cString(_ path: String) -> [CChar] {
        guard hasStrayBytes(path) else { return Array(path.utf8CString) }
        var bytes: [CChar] = []
        for scalar in path.unicodeScalars {
            if isStrayByte(scalar) {
                bytes.append(CChar(truncatingIfNeeded: scalar.value - first + 0x80))
            } else {
                bytes += UTF8.encode(scalar).map { $0.map { CChar(bitPattern: $0) } } ?? []
            }
        }
        return bytes + [0]
    }

    /// Whether a scalar stands for a byte that is no UTF-8.
    static func isStrayByte(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= first }

    /// Bytes are looked at, not scalars: nearly no path has one, and ten thousand of them are asked.
    private static func hasStrayBytes(_ text: String) -> Bool {
        text.utf8.contains(0xF4) && text.unicodeScalars.contains { isStrayByte($0) }
    }
}
