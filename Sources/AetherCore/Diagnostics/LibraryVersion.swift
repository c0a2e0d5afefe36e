/// A library that the programs stand on, as it says of itself.
public struct LibraryVersion: Sendable, Equatable {
    /// The library's own name, such as "dav1d".
    public let name: String
    /// Its version, in its own words.
    public let version: String

    /// A library.
    public init(_ name: String, _ version: String) { (self.name, self.version) = (name, version) }
}
