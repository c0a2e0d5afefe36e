import Glibc

/// The disposition of every signal in this process, as of one moment. ncurses installs its own handlers (SIGINT, SIGTERM, SIGTSTP,
/// SIGWINCH) and would end the process or write to a terminal from them; this puts ours back.
struct SignalDispositions {
    private var saved: [(signal: Int32, action: sigaction)] = []

    /// Remembers the present dispositions.
    init() {
        // 1 … 64 are all signals of Linux; glibc refuses its own two (32, 33), which no program changes.
        for signal in Int32(1)...64 {
            var action = sigaction()
            if sigaction(signal, nil, &action) == 0 { saved.append((signal, action)) }
        }
    }

    /// Puts them back. SIGKILL and SIGSTOP cannot be set, and cannot have changed.
    func restore() {
        for entry in saved {
            var action = entry.action
            sigaction(entry.signal, &action, nil)
        }
    }
}
