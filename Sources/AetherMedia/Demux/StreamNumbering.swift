public import AetherCore

/// The names of a container's streams among all that are read together.
///
/// A container that is one part of a glued source has the numbers of the first part's streams, and a format of its own for each.
public struct StreamNumbering: Sendable, Equatable {
    /// The number of the source.
    public var source: Int
    /// The numbers of streams that are not called by the container's.
    public var numbers: [Int: Int] = [:]
    /// The number of the format that a stream's packets have, among those of their stream; 0 where nothing is said.
    public var formats: [Int: Int] = [:]

    /// The number of tables of programmes whose first section comes after the stream was opened, when its streams have been described. No
    /// container has so many streams.
    public static let lateTables = 1_000_000

    /// The container's own numbers, in the first format.
    public init(source: Int = 0) { self.source = source }

    /// The name of a stream of the container.
    public func id(of index: Int) -> StreamID { StreamID(source: source, number: numbers[index] ?? index) }

    /// The name of tables of programmes that come late.
    public var lateTablesID: StreamID { StreamID(source: source, number: Self.lateTables) }

    /// The container's stream behind a name; nil for one of another source, or that it does not have.
    public func index(of id: StreamID) -> Int? {
        guard id.source == source else { return nil }
        if id.number == Self.lateTables { return Self.lateTables }
        if let index = numbers.first(where: { $0.value == id.number })?.key { return index }
        return numbers.isEmpty ? id.number : nil
    }
}
