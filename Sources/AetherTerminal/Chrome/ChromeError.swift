/// The reason why ncurses could not be set up.
public enum ChromeError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A size outside 1x1 … 1000x500.
    case unusableSize(columns: Int, rows: Int)
    /// ncurses keeps its screen in globals: one at a time per process.
    case alreadyInUse
    /// No terminfo entry that knows colours was found.
    case noTerminalDescription
    /// No locale with UTF-8 is installed, so wide characters cannot be drawn.
    case noUTF8Locale
    /// Out of memory or descriptors.
    case outOfResources(operation: String)

    /// One sentence.
    public var description: String {
        switch self {
        case .unusableSize(let columns, let rows): "a screen of \(columns)x\(rows) cells cannot be drawn (1x1 to 1000x500 can)"
        case .alreadyInUse: "the screen is already in use"
        case .noTerminalDescription: "no terminfo entry for xterm-256color or xterm: install the package ncurses-base"
        case .noUTF8Locale: "the locale C.UTF-8 is missing: install the package libc-bin"
        case .outOfResources(let operation): "cannot \(operation): out of memory or descriptors"
        }
    }
}
