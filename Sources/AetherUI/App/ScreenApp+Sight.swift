import AetherCore
import AetherSources
import AetherTerminal

/// Drawing while the pane is hidden, and after the machine has slept.
extension ScreenApp {
    /// Takes in what an input says of the pane.
    mutating func noteSight(_ input: InputEvent) {
        guard tmux != nil else { return }
        switch input {
        case .focus(let has): sight.take(focus: has, now: time.now())
        case .key, .mouse, .paste: sight.touch(now: time.now())
        default: return
        }
        followSight()
    }

    /// Asks tmux where that is due, and draws or does not by what it said.
    mutating func followSight() {
        let now = time.now()
        if let answer = tmux?.take() { sight.take(isSeen: answer.isSeen, now: now) }
        if let due = sight.askAt, due <= now {
            sight.ask()
            tmux?.ask()
        }
        face.hide(sight.isHidden)
        // A terminal whose graphics memory went with the power has nothing of the frame that stands.
        if sleep.look() { face.redraw() }
    }
}
