import AetherCore

/// Whether anybody can see the pane that is drawn into. A terminal that tells of its focus (mode 1004) says only where the keys go: a pane
/// without it may still be seen beside another. So tmux is asked, when the focus goes and from time to time while it is away, since another
/// window may be chosen without a word to the pane. Pure: time is an argument.
struct PaneSight: Sendable, Equatable {
    /// The pane is hidden: nothing needs to be drawn.
    private(set) var isHidden = false
    /// When tmux is to be asked; nil: not at all.
    private(set) var askAt: HostTime?
    private var hasFocus = true

    /// A person who looks again sees a frame that is no older.
    private static let interval = TimeSpan.seconds(1)

    /// The terminal told that the pane has the focus now, or not any more.
    mutating func take(focus: Bool, now: HostTime) {
        hasFocus = focus
        if focus { isHidden = false }
        askAt = focus ? nil : now
    }

    /// A key or the pointer moved here.
    mutating func touch(now: HostTime) {
        isHidden = false
        if !hasFocus { askAt = now + Self.interval }
    }

    /// tmux is asked.
    mutating func ask() { askAt = nil }

    /// The answer: whether the pane is on the screen of a client; nil where tmux did not say.
    mutating func take(isSeen: Bool?, now: HostTime) {
        guard !hasFocus else { return }
        isHidden = isSeen == false
        askAt = isSeen == nil ? nil : now + Self.interval
    }
}
