import AetherCore
import AetherTestSupport

/// Answers what the player asks its terminal: that it is well (`CSI 5 n`) and what it is (`CSI c`), each question when it has been read.
final class AnsweringTerminal: Sendable {
    private struct State {
        var answers = 0
        var holdsBack = false
        var isStopped = false
    }

    private let state = Monitor(State())
    private let thread: WorkerThread

    init(_ pty: Pty) {
        thread = WorkerThread(name: "answers") { [state] in
            var read = 0
            while !state.read({ $0.isStopped }) {
                // The answers that are held back come when the terminal has read the end of the screen.
                let isHeld = state.read { $0.holdsBack }
                let end = isHeld ? "\u{1B}[?1049l" : nil
                var questions: [String] = []
                let isWhole = pty.waitForOutput(from: read, within: .milliseconds(50)) { bytes in
                    let text = String(decoding: bytes, as: UTF8.self)
                    if let end, !text.contains(end) { return false }
                    questions = text.split(separator: "\u{1B}[").compactMap { part in
                        part.hasPrefix("5n") ? "\u{1B}[0n" : part.hasPrefix("c") ? "\u{1B}[?62;22c" : nil
                    }
                    // A question may be cut in two.
                    let isCut = ["\u{1B}", "\u{1B}[", "\u{1B}[5"].contains { text.hasSuffix($0) }
                    if questions.isEmpty || isCut { return false }
                    read = bytes.endIndex
                    return true
                }
                guard isWhole else { continue }
                pty.send(questions.joined())
                state.update { $0.answers += questions.count }
            }
        }
    }

    deinit { stop() }

    /// Waits until so many were answered.
    func waitForAnswers(_ count: Int) -> Bool {
        state.wait(until: SystemTime().now() + .seconds(60)) { $0.answers >= count ? true : nil } ?? false
    }

    /// From now on answers come only when the program has left the screen.
    func holdBack() { state.update { $0.holdsBack = true } }

    /// Answers nothing more.
    func stop() {
        state.update { $0.isStopped = true }
        thread.join()
    }
}
