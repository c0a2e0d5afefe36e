import AetherCore

/// Asks tmux whether our pane is on the screen of one of its clients, by its program, on a thread of its own.
final class TmuxSight: Sendable {
    /// nil in an answer: tmux did not say.
    struct Answer: Sendable {
        let isSeen: Bool?
    }
    private let requests: Requests<String, Answer>

    private let pane: String

    /// The question about a pane.
    private static let format = "#{pane_id},#{session_attached},#{window_active},#{window_zoomed_flag},#{pane_active}"
    /// A server that does not answer is not waited for.
    private static let patience = TimeSpan.seconds(1)

    /// nil outside of tmux, and where its program is not found. `wake` is signalled when there is an answer.
    init?(_ environment: [String: String], wake: WakeHandle) {
        guard environment["TMUX"]?.isEmpty == false, let pane = environment["TMUX_PANE"], Self.isPane(pane),
            let program = ChildProgram.find("tmux", in: environment["PATH"] ?? "")
        else { return nil }
        requests = Requests(name: "pane", urgency: .bulk, threads: 1, wake: { wake.wake() }) {
            { pane, _ in Answer(isSeen: Self.look(program, pane)) }
        }
        self.pane = pane
    }

    /// Asks. Never blocks.
    func ask() { requests.ask(pane) }

    /// The answer since then, once.
    func take() -> Answer? { requests.take() }

    /// Blocks for a second at most.
    private static func look(_ program: String, _ pane: String) -> Bool? {
        let call = ChildProgram.Call(
            // All sessions: a window that several share is seen where any of them shows it.
            path: program, arguments: ["list-panes", "-a", "-F", format], outputLimit: 256 << 10)
        guard let outcome = ChildProgram(call)?.outcome(until: SystemTime().now() + patience), outcome.end == .exited(0) else {
            return nil
        }
        return isSeen(String(decoding: outcome.output, as: UTF8.self), pane: pane)
    }

    /// "%12": nothing else is handed to another program.
    static func isPane(_ name: String) -> Bool {
        name.first == "%" && (2...12).contains(name.count) && name.dropFirst().allSatisfy { $0.isASCII && $0.isNumber }
    }

    /// Whether a pane is seen by what tmux says of all panes, a line for each session that has its window: a client is attached, the window is the
    /// present one, and no other pane fills that. nil for another answer.
    static func isSeen(_ answer: String, pane: String) -> Bool? {
        let lines = answer.split(whereSeparator: \.isNewline).filter { $0.hasPrefix(pane + ",") }
        let sights = lines.map { isSeen(state: $0.dropFirst(pane.count + 1)) }
        return sights.isEmpty || sights.contains(nil) ? nil : sights.contains(true)
    }

    private static func isSeen(state: Substring) -> Bool? {
        let numbers = state.split(whereSeparator: { $0 == "," || $0.isWhitespace }).map { Int($0) }
        guard numbers.count == 4, let clients = numbers[0], let isPresent = numbers[1], let isZoomed = numbers[2],
            let isActive = numbers[3]
        else { return nil }
        return clients > 0 && isPresent == 1 && (isZoomed == 0 || isActive == 1)
    }
}
