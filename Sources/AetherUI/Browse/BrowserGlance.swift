import AetherCore

/// A still out of the file that is selected in the browser. A value without an image of its own: `BrowserPane` says where it lies,
/// `SelectedVideo` takes it out of the file.
struct BrowserGlance: Sendable, Equatable {
    /// The file that is selected; nil where that is none, or there is no room for a still.
    private(set) var path: String?
    private(set) var image: ScrubStill?
    /// The time at which the still is asked for, if nothing is pressed until then.
    private(set) var due: HostTime?
    private var isAsked = false

    /// 0.6 s: desktops wait for 0.25 to 0.6 s before a held key repeats. Nothing is read while one is held.
    static let rest = TimeSpan.milliseconds(600)

    /// The request that follows from an event.
    enum Wish: Equatable {
        case nothing
        case look(String?)
    }

    /// Takes in what is selected now; `isTouched`: a key or the mouse did something.
    mutating func follow(_ selected: String?, isTouched: Bool, now: HostTime) -> Wish {
        if selected != path {
            let wasAsked = isAsked
            self = BrowserGlance()
            path = selected
            due = selected.map { _ in now + Self.rest }
            return wasAsked ? .look(nil) : .nothing
        }
        guard let path, let due else { return .nothing }
        if isTouched { self.due = now + Self.rest }
        guard !isTouched, now >= due else { return .nothing }
        (self.due, isAsked) = (nil, true)
        return .look(path)
    }

    /// The still has come; false where it is not wanted any more.
    mutating func take(_ image: ScrubStill, of path: String) -> Bool {
        guard path == self.path, isAsked else { return false }
        self.image = image
        return true
    }
}
