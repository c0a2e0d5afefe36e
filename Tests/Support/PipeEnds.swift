import CLinux

/// A pipe whose ends no program inherits that another test starts meanwhile: with one end in a stranger's hands, the closing of the other
/// is no end of the stream.
public struct PipeEnds: Sendable {
    public let reader, writer: Int32

    /// There are no descriptors left.
    public struct Failure: Error {}

    /// Opens both ends; whoever made it closes them.
    public init() throws {
        var ends: [Int32] = [-1, -1]
        guard clinux_pipe(&ends) == 0 else { throw Failure() }
        (reader, writer) = (ends[0], ends[1])
    }
}
