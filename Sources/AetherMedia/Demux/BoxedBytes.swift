public import AetherCore

/// The bytes of a source as a box asks for them. For the thread of its demuxer.
public final class BoxedBytes: Sendable {
    private let port: InputPort

    init(_ port: InputPort) { self.port = port }

    /// Reads as an `IOReader`; fails with `.cancelled` while the interrupt is raised.
    public func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int { try port.readBytes(buffer) }

    /// Moves to an absolute offset.
    public func seek(to offset: Int64) throws(IOReaderError) {
        guard let reader = port.reader else { throw .closed }
        try reader.seek(to: offset)
    }

    /// Bytes in all; nil when unknown.
    public var size: Int64? { port.reader?.size }

    /// Whether `seek` works.
    public var isSeekable: Bool { port.reader?.isSeekable ?? false }

    /// Whether more is being written behind the present end.
    public var isGrowing: Bool { port.reader?.isGrowing ?? false }

    /// Whether the bytes lie on this machine.
    public var isLocal: Bool { port.reader?.traits.isLocal ?? false }

    /// Whether nobody has to wait for a read: not for a server, a drive or a program that still writes.
    public var isAtHand: Bool {
        guard let reader = port.reader, reader.isSeekable, !reader.isGrowing else { return false }
        return reader.traits.isLocal && !reader.traits.mayStall
    }

    /// Whether nothing is to be read now.
    public var isInterrupted: Bool { port.interrupt.isRaised }
}
