import AetherCore

/// Decides whether the end of a file is its end for good, or more is to come. Pure.
enum GrowthPolicy {
    /// 15 s: a recorder writes every few seconds; one that has written nothing for so long has stopped or hangs.
    static let patience = TimeSpan.seconds(15)
    /// 5 s on systems that do not tell of writers: a file that has grown meanwhile is taken for a recording for so long.
    static let patienceOnTrust = TimeSpan.seconds(5)

    /// The time to wait for more bytes; nil: the file ends here. `hasWriter`: a process has it open for writing, nil where that is unknown.
    /// `age`: the time since it was written last. `hasGrown`: since it was opened.
    /// `patience`: with a writer that writes nothing.
    static func wait(
        hasWriter: Bool?, age: TimeSpan, hasGrown: Bool, patience wanted: TimeSpan = GrowthPolicy.patience
    ) -> TimeSpan? {
        let patience: TimeSpan
        switch hasWriter {
        case true: patience = wanted
        case false: return nil
        case nil: patience = hasGrown ? min(wanted, Self.patienceOnTrust) : .zero
        }
        return age < patience ? patience - max(age, .zero) : nil
    }
}
