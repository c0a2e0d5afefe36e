/// A way to learn the clock of the server by which a dynamic manifest is written.
public struct UTCTiming: Sendable, Equatable {
    /// The ways.
    public enum Method: Sendable, Equatable {
        /// The manifest says the moment itself, in nanoseconds since 1970.
        case direct(Int64)
        /// The header "Date" of an answer to a HEAD request.
        case head(StreamAddress)
        /// The body of an answer, by ISO 8601 or XML Schema.
        case body(StreamAddress)
    }

    /// The way.
    public let method: Method
}
