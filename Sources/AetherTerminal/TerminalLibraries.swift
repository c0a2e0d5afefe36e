public import AetherCore
import CFriBidi
import CHarfBuzz
import CNcurses

/// The libraries behind this target. For reports.
public enum TerminalLibraries {
    /// All of them, by the versions that run. Never blocks.
    public static var versions: [LibraryVersion] {
        let curses = String(cString: curses_version()).split(separator: " ").last.map(String.init) ?? ""
        return [LibraryVersion("ncurses", curses), LibraryVersion("HarfBuzz", String(cString: hb_version_string()))]
    }
}
