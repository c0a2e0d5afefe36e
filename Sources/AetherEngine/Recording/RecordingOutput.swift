import AetherCore
import AetherMedia

/// The files of a recording: of packets, or of the source's own bytes. Lives on the thread `record`.
struct RecordingOutput: ~Copyable {
    private let order: RecordingOrder
    private var packets: RecordingFile?
    private var bytes: RawRecordingFile?
    /// The first packet was written.
    private var hasBegun = false
    /// The file of the present part.
    private(set) var path: String
    /// Bytes of all parts.
    private(set) var byteCount: Int64 = 0
    /// Media time; nil where it is told beside the bytes.
    private(set) var span: TimeSpan?
    /// All that was asked for is there.
    private(set) var isFull = false

    init(_ order: RecordingOrder) { (self.order, path) = (order, order.path) }

    mutating func describe(_ description: SourceDescription) {
        if packets == nil {
            packets = RecordingFile(order.settled(for: description.info), of: description)
        } else {
            packets?.describe(description)
        }
    }

    mutating func beginRun() { packets?.beginRun() }

    /// From now on the source's own bytes come.
    mutating func beginBytes(ending: String?) { bytes = RawRecordingFile(order, ending: ending) }

    /// Puts a packet in. Returns the streams that the file cannot hold, once. Blocks. Throws where the file cannot be made or written.
    mutating func write(_ packet: Packet) throws(MediaError) -> [StreamInfo] {
        defer { note() }
        try packets?.write(packet)
        byteCount = packets?.byteCount ?? 0
        guard !hasBegun, byteCount > 0 else { return [] }
        hasBegun = true
        return packets?.leftOut ?? []
    }

    /// Appends bytes. Blocks. Throws as `write` of a packet.
    mutating func write(_ chunk: RecordedBytes) throws(MediaError) {
        defer { note() }
        try bytes?.write(chunk)
    }

    /// Writes the rest. Blocks.
    mutating func finish() throws(MediaError) {
        defer { note() }
        try packets?.finish()
    }

    private mutating func note() {
        path = packets?.path ?? bytes?.path ?? path
        byteCount = packets?.byteCount ?? bytes?.byteCount ?? 0
        if let span = packets?.span ?? bytes?.span ?? nil { self.span = span }
        isFull = packets?.isFull ?? bytes?.isFull ?? false
    }
}
