import AetherCore

/// The fault that ended a worker.
public enum BoxFault: Error, Sendable, Equatable {
    /// It ended: a crash, a bound of its memory, or a system call that it may not make.
    case ended
    /// It did nothing for as long as is waited.
    case hung
    /// It said what no worker says.
    case nonsense
    /// There is no program of that name, or it could not be started.
    case missing

    /// In words, in English: "its decoder crashed". They are translated where they are read.
    public var words: String {
        switch self {
        case .ended: phrase("its decoder crashed").key
        case .hung: phrase("its decoder stood still").key
        case .nonsense: phrase("its decoder said what makes no sense").key
        case .missing: phrase("the program aether-decoder is missing, or does not start").key
        }
    }
}
