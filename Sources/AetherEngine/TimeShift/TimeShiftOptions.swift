public import AetherCore

/// The part of a live source that is kept on disk, so that a person can go back in it.
public struct TimeShiftOptions: Sendable, Equatable {
    /// The folder of the file; nil: nothing is kept.
    public var folder: String?
    /// Media time that is kept at most.
    public var span = TimeSpan.seconds(1800)
    /// Bytes of the file at most.
    public var byteLimit: Int64 = 4 << 30

    /// Nothing is kept.
    public init() {}

    /// Keeps the last half hour, at most 4 GB, in a folder.
    public init(folder: String?) { self.folder = folder }

    /// Whether anything is kept.
    public var isOn: Bool { folder != nil && span > .zero && byteLimit > 0 }
}
