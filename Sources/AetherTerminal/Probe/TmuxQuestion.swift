import AetherCore
import Glibc

/// Asks tmux, by its own program, which terminal it is shown in: `client_termtype` is what that terminal answered to XTVERSION. Runs
/// beside the probe, takes 5 ms as a rule, and is ended when it takes too long. Lives on one thread.
struct TmuxQuestion: ~Copyable {
    private let program: ChildProgram
    /// "kitty(0.26.5)": more than this is no name.
    private static let limit = 256
    static let command = ["tmux", "display-message", "-p", "#{client_termtype}"]

    /// Starts the program; nil when it cannot be started.
    init?(command: [String] = TmuxQuestion.command) {
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        guard let name = command.first, let path = ChildProgram.find(name, in: folders) else { return nil }
        let call = ChildProgram.Call(path: path, arguments: Array(command.dropFirst()), outputLimit: Self.limit)
        guard let program = ChildProgram(call) else { return nil }
        self.program = program
    }

    /// The output of tmux, less the line's end; "" for none, or not until the deadline. Blocks till then at most.
    consuming func answer(until deadline: HostTime) -> String {
        let outcome = program.outcome(until: deadline)
        if outcome.end == .givenUp { return "" }
        return String(decoding: outcome.output.prefix { $0 != 0x0A }, as: UTF8.self)
    }
}
