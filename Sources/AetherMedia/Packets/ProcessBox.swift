import Synchronization

/// The box of a whole process, in which every source is taken apart unless its options name another: no way to a decoder can be forgotten.
public enum ProcessBox {
    private static let installed = Mutex<(any DecodingPlace)?>(nil)

    /// The box; nil where there is none. Any thread.
    public static var current: (any DecodingPlace)? { installed.withLock { $0 } }

    /// From now on options have this box by default. Called once, before anything is opened.
    public static func install(_ box: any DecodingPlace) { installed.withLock { $0 = box } }

    /// It does not work on this machine: what is opened from now on is opened in this process.
    public static func remove() { installed.withLock { $0 = nil } }
}
