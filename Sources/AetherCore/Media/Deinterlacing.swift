/// Whether interlaced frames are deinterlaced.
public enum DeinterlaceMode: String, Sendable, CaseIterable {
    /// Deinterlaces where that can be seen.
    case auto
    /// Always, by the filter.
    case software
    /// Fields stay interlaced.
    case off
}

/// The number of frames that come of an interlaced one, where there is a choice.
public enum DeinterlaceFieldRate: String, Sendable, CaseIterable {
    /// One for each field: the motion that the camera saw.
    case field
    /// One for each pair of fields: half the work.
    case frame
}

/// The treatment of interlaced frames.
public struct Deinterlacing: Sendable, Equatable {
    /// The frames that are deinterlaced.
    public var mode: DeinterlaceMode
    /// One frame for each field, or for each pair of fields.
    public var fieldRate: DeinterlaceFieldRate

    /// A treatment; the default filters where it can be seen, a frame for each field.
    public init(mode: DeinterlaceMode = .auto, fieldRate: DeinterlaceFieldRate = .field) {
        self.mode = mode
        self.fieldRate = fieldRate
    }
}
