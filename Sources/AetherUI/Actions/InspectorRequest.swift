/// A wish of the Debug face.
public enum InspectorRequest: Sendable, Equatable {
    /// Look into the file that plays.
    case open
    /// Read its samples, where no table lists them.
    case samples
    /// Bytes of it, to be shown in hexadecimal.
    case bytes(offset: Int64, count: Int)
    /// Nothing is wanted any more.
    case close
}
