/// The way in which bytes come from a reader: it decides how far ahead is read, how much is kept, and what may be asked beside the packets.
public struct IOReaderTraits: Sendable, Equatable {
    /// The price of going to another offset.
    public enum SeekCost: Sendable, Equatable {
        /// The reader cannot go there.
        case impossible
        /// A system call: under a millisecond.
        case call
        /// A request to another machine, or the way of a drive's head: tens to hundreds of milliseconds.
        case roundTrip
    }

    /// The bytes lie on this machine.
    public var isLocal: Bool
    /// The price of going elsewhere.
    public var seekCost: SeekCost
    /// Bytes may come late.
    public var mayStall: Bool
    /// A second reader can be opened over the same bytes.
    public var isRepeatable: Bool
    /// It is known where the bytes end, although they may only be read on.
    public var hasKnownEnd = false

    /// Traits.
    public init(isLocal: Bool, seekCost: SeekCost, mayStall: Bool, isRepeatable: Bool) {
        (self.isLocal, self.seekCost, self.mayStall, self.isRepeatable) = (isLocal, seekCost, mayStall, isRepeatable)
    }

    /// A regular file or a device of blocks.
    public static let file = IOReaderTraits(isLocal: true, seekCost: .call, mayStall: false, isRepeatable: true)
    /// A drive for discs: it has one head, which a second reader would only send to and fro.
    public static let drive = IOReaderTraits(isLocal: true, seekCost: .roundTrip, mayStall: true, isRepeatable: false)
    /// Bytes in memory.
    public static let memory = IOReaderTraits(isLocal: true, seekCost: .call, mayStall: false, isRepeatable: true)
    /// A pipe or a device of characters.
    public static let pipe = IOReaderTraits(isLocal: true, seekCost: .impossible, mayStall: true, isRepeatable: false)
    /// A server that is asked over a protocol.
    public static let network = IOReaderTraits(isLocal: false, seekCost: .roundTrip, mayStall: true, isRepeatable: true)
}
