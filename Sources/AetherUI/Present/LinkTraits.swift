import AetherCore

/// The traits of the link to the terminal when the first frame goes out.
struct LinkTraits: Equatable {
    /// Frames may go inside mode 2026.
    var synchronizedUpdates = false
    /// The terminal answers `CSI 5 n`, so that what has arrived can be told from what was written.
    var answersStatus = false
    /// The time that the answer to the probe took; nil where none came.
    var roundTrip: TimeSpan?
    /// `--max-rate`, in bytes a second.
    var maximumRate: Int?
}
