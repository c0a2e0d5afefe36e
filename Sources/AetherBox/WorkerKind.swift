/// The kinds of worker, by what it may still reach, or holds already, when it shuts itself in.
enum WorkerKind: UInt8, Sendable, CaseIterable {
    /// Nothing beyond its socket.
    case plain = 119
    /// It may read files of fonts.
    case fonts = 102
    /// It has loaded libavfilter, which comes with 28 libraries.
    case filters = 108

    /// The argument of a program that is such a worker itself, and no maker of copies; nil for one that needs none.
    var word: String? {
        switch self {
        case .plain: nil
        case .fonts: "fonts"
        case .filters: "filters"
        }
    }
}
