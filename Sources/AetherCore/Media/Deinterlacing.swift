/// Whether interlaced frames are deinterlaced.
public enum DeinterlaceMode: String, Sendable, CaseIterable {
    /// Where it can be seen.
    case auto
    /// Always, by the filter.
    case software
    case off
}

/// How many frames come of an interlaced one, where there is a choice.
public enum DeinterlaceFieldRate: String, Sendable, CaseIterable {
    /// One for each field: the motion that the camera saw.
    case field
    case frame
}

/// How interlaced frames are treated.
public struct Deinterlacing: Sendable, Equatable {
    public var mode: DeinterlaceMode
    public var fieldRate: DeinterlaceFieldRate

    /// A treatment; the default filters where it can be seen, a frame for each field.
    public init(mode: DeinterlaceMode = .auto, fieldRate: DeinterlaceFieldRate = .field) {
        self.mode = mode
        self.fieldRate = fieldRate
    }
}
