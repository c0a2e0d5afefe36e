import AetherCore
import CNcurses
import Glibc

/// The width of text in cells, by the C library's tables: the same ones that ncurses goes by.
public enum ChromeText {
    /// Whether LC_CTYPE is a UTF-8 locale; sets C.UTF-8 the first time it is asked where it is not. Before threads that use
    /// locales are started: `setlocale` is global to the process.
    public static let hasUTF8Locale: Bool = {
        func isUTF8() -> Bool { String(cString: nl_langinfo(Int32(CODESET))).uppercased() == "UTF-8" }
        if isUTF8() { return true }
        for name in ["C.UTF-8", "C.utf8", "en_US.UTF-8"] where setlocale(LC_CTYPE, name) != nil {
            if isUTF8() { return true }
        }
        return false
    }()

    /// Cells that a scalar takes: 0 for those that are not shown (controls, combining marks, unsafe ones), 1 or 2.
    public static func columns(of scalar: Unicode.Scalar) -> Int {
        if scalar.value >= 0x20, scalar.value < 0x7F { return 1 }
        guard hasUTF8Locale, !DisplayText.isUnsafe(scalar) else { return 0 }
        return max(0, Int(aether_wcwidth(scalar.value)))
    }

    /// Cells that a text takes.
    public static func columns(of text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + columns(of: $1) }
    }

    /// The text cut to at most `limit` cells; `ellipsis` marks a cut when it fits itself.
    public static func clipped(_ text: String, to limit: Int, ellipsis: String = "…") -> String {
        guard columns(of: text) > limit else { return text }
        let room = limit - columns(of: ellipsis)
        guard room >= 0 else { return "" }
        var kept = String.UnicodeScalarView()
        var used = 0
        for scalar in text.unicodeScalars {
            used += columns(of: scalar)
            if used > room { break }
            kept.append(scalar)
        }
        return String(kept) + ellipsis
    }
}
