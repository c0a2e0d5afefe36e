import AetherMedia

/// The frames that a worker hands over in one answer, and what is to be known of them. What comes from a worker may say anything.
struct HandedFrames {
    /// The most frames of one answer.
    static let most = 4
    /// The number of no place: the frame is in its record.
    private static let noPlace: UInt8 = 255

    /// A frame: the place in which it lies, nil for audio, and its record.
    struct Frame: Equatable {
        let place: Int?
        let record: [UInt8]
    }

    var frames: [Frame] = []
    /// Damaged packets and frames so far.
    var damage: Int32 = 0
    /// There is none left until the next packet.
    var isAll = false
    /// Bytes of memory that the next one needs, for which there is no place.
    var room = 0

    /// None yet.
    init() {}

    /// Those of an answer, which ends with them; nil where it makes no sense.
    init?(_ record: inout RecordReader) {
        damage = record.integer(in: Int32(0)...Int32.max)
        isAll = record.bool()
        room = Int(record.integer(in: UInt64(0)...UInt64(FrameRecord.largest)))
        frames = record.list(limit: Self.most) { record in
            let place = record.integer(UInt8.self)
            return Frame(place: place == Self.noPlace ? nil : Int(place), record: record.bytes(limit: BoxMessage.limit))
        }
        guard record.isWhole else { return nil }
    }

    /// Writes them as the end of an answer.
    func put(to record: inout RecordWriter) {
        record.put(damage)
        record.put(isAll)
        record.put(UInt64(clamping: room))
        record.put(each: frames) { record, frame in
            record.put(frame.place.map { UInt8(clamping: $0) } ?? Self.noPlace)
            record.put(frame.record)
        }
    }
}
