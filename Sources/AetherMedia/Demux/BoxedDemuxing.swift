public import AetherCore

/// A demuxer in a box, for one thread. As `Demuxer`, whose streams have the container's numbers.
public protocol BoxedDemuxing: AnyObject {
    /// The description of the source.
    var info: SourceInfo { get }
    /// Reads the next packet of a selected stream, as its record.
    func read() throws(MediaError) -> BoxedPacket
    /// Delivers only packets of these streams from now on.
    func select(_ streams: Set<Int>)
    /// Moves to the last key frame at or before a point.
    func seek(to target: MediaTime, stream: Int?) throws(MediaError)
    /// Moves to a byte.
    func seek(toByte offset: Int64) throws(MediaError)
    /// The key frames that surround a point.
    func keys(around target: MediaTime, stream: Int) -> (before: MediaTime, next: MediaTime)?
    /// All key frames of a stream.
    func keyFrames(stream: Int) -> [KeyFramePlace]?
    /// The number by which the container itself calls a stream.
    func code(ofStream index: Int) -> Int?
    /// Whether the source ends before its header says.
    func isCut(reached: TimeSpan?) -> Bool
    /// The record of a report on the container, with the description of its source. Throws where no worker gives one.
    func report(of info: SourceInfo, name: String) throws(MediaError) -> [UInt8]
    /// From now on reading waits at the end of a source that grows.
    func follow()
    /// Lends a look at bytes of the source beside its packets, as `Demuxer.withBytes`.
    func withBytes(_ body: ((_ offset: Int64, _ count: Int) -> [UInt8]?) -> Void)
}

/// A packet as it comes out of a box, and what is to be known of the reading.
public struct BoxedPacket {
    /// Bytes with a `PacketRecord` in them.
    public let bytes: [UInt8]
    /// Where that lies.
    public let record: Range<Int>
    /// The memory in which its payload may lie, until the next packet is read. The box may change it at any time.
    public let apart: UnsafeRawBufferPointer?
    /// Damaged places so far.
    public let damageCount: Int
    /// The packet has lost a part of its bytes.
    public let isCut: Bool
    /// The byte of the source at which it begins, nil where unknown.
    public let position: Int64?

    /// A packet.
    public init(
        bytes: [UInt8], record: Range<Int>, apart: UnsafeRawBufferPointer? = nil, damageCount: Int, isCut: Bool, position: Int64?
    ) {
        (self.bytes, self.record, self.apart) = (bytes, record, apart)
        (self.damageCount, self.isCut, self.position) = (damageCount, isCut, position)
    }
}
