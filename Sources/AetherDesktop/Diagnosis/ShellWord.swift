/// Words for a shell's command line.
enum ShellWord {
    /// The word as a shell takes it for itself: bare where nothing in it means anything to a shell, else in single quotes. Pure.
    static func quoted(_ word: String) -> String {
        let bare = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "/._-+,:@%".utf8.contains(byte)
            }
        }
        if bare, !word.isEmpty, !word.hasPrefix("-") { return word }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
