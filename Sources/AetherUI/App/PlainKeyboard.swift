import AetherCore
import AetherTerminal
import Glibc

/// The keys of a terminal on which plain lines are printed: read one by one, without an echo. The screen is left alone.
final class PlainKeyboard {
    private let port: TTYPort
    private let session: TerminalSession

    /// nil where standard input and output are not one terminal, or it belongs to another job: a player in the background reads nothing.
    init?() {
        guard isatty(STDIN_FILENO) != 0, isatty(STDOUT_FILENO) != 0, tcgetpgrp(STDIN_FILENO) == getpgrp() else { return nil }
        do throws(TerminalError) {
            port = try TTYPort(reopening: STDIN_FILENO)
            session = try TerminalSession(port: port)
            try session.enterRaw()
        } catch {
            Log.module("terminal").warning("no keys: \(error)")
            return nil
        }
    }

    /// To be read from.
    var descriptor: Int32 { port.descriptor }

    /// As it was found.
    func leave() { session.leave() }

    /// Keys again.
    func enter() {
        do throws(TerminalError) {
            try session.enterRaw()
        } catch {
            Log.module("terminal").warning("no keys: \(error)")
        }
    }
}
