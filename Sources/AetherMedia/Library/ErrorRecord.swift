public import AetherCore

/// Errors on their way out of a box.
public enum ErrorRecord {
    /// An error as bytes.
    public static func bytes(of error: MediaError) -> [UInt8] {
        var record = RecordWriter()
        record.put(error.code.rawValue)
        record.put(error.operation)
        record.put(error.subject)
        record.put(error.cause) { $0.put($1) }
        record.put(error.reason)
        return record.bytes
    }

    /// The error of a record; one of our own where it is none.
    public static func error(_ bytes: [UInt8]) -> MediaError {
        var record = RecordReader(bytes)
        let code = MediaError.Code(rawValue: record.line(limit: 40)), operation = record.line(limit: 100)
        let subject = record.line(), cause = record.optional { $0.integer(Int32.self) }, reason = record.line()
        guard let code, record.isWhole else { return MediaError(.internalFailure, "read what the decoder says") }
        return MediaError(code, operation, subject: subject, cause: cause, reason: reason)
    }

    /// A reader's error as bytes. Of a network's fault its owner keeps the words; the number tells whether the file is another one by now.
    public static func bytes(of error: IOReaderError) -> [UInt8] {
        var record = RecordWriter()
        let (kind, number): (UInt8, Int32) =
            switch error {
            case .cancelled: (0, 0)
            case .posix(let number): (1, number)
            case .timedOut: (2, 0)
            case .notSeekable: (3, 0)
            case .closed: (4, 0)
            case .network(let fault): (5, fault.kind == .changed ? 1 : 0)
            }
        record.put(kind)
        record.put(number)
        return record.bytes
    }

    /// A reader's error of a record.
    public static func readerError(_ bytes: [UInt8]) -> IOReaderError {
        var record = RecordReader(bytes)
        let kind = record.integer(UInt8.self), number = record.integer(Int32.self)
        switch kind {
        case 0: return .cancelled
        case 1: return .posix(number)
        case 2: return .timedOut
        case 3: return .notSeekable
        case 5: return .network(NetworkFault(number == 1 ? .changed : .brokeOff))
        default: return .closed
        }
    }
}
