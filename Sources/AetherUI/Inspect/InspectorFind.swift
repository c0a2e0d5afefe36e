public import AetherFormats

/// A result of inspecting the file that plays.
public enum InspectorFind: Sendable, Equatable {
    /// The parts of its container, and its samples where tables list them.
    case parts(format: String, boxes: [InspectedBox], samples: SampleList?)
    /// The samples, read one by one; nil: they cannot be.
    case samples(SampleList?)
    /// Bytes that were asked for.
    case bytes(offset: Int64, bytes: [UInt8])
    /// Nothing, and why.
    case failed(String)
}
