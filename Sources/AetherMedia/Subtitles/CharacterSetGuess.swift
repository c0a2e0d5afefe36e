import CUchardet

/// The guess at the character set of a text by its letters.
public enum CharacterSetGuess {
    /// The name of the set, in capitals; nil for ASCII, and where none is likely. Made in the box of this process, where it has one: blocks then.
    static func of(_ text: [UInt8]) -> String? {
        guard let box = ProcessBox.current as? any SubtitleBox else { return here(text) }
        // iconv looks for files of such names.
        return box.characterSet(of: text).flatMap { name in
            let isName =
                name.utf8.count <= 40
                && name.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || $0 == 0x2D || $0 == 0x5F }
            return isName && !name.isEmpty ? name : nil
        }
    }

    /// The same in this process, by uchardet, of bytes of any kind. Never blocks.
    public static func here(_ text: [UInt8]) -> String? {
        guard let detector = uchardet_new() else { return nil }
        defer { uchardet_delete(detector) }
        let status = text.withUnsafeBytes { raw in
            uchardet_handle_data(detector, raw.baseAddress?.assumingMemoryBound(to: CChar.self), raw.count)
        }
        guard status == 0 else { return nil }
        uchardet_data_end(detector)
        let name = String(cString: uchardet_get_charset(detector)).uppercased()
        return name.isEmpty || name == "ASCII" ? nil : name
    }
}
