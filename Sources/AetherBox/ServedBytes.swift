import AetherCore
import AetherMedia

/// The bytes of a source, read for the worker that asks for them, from where it is.
struct ServedBytes {
    let bytes: BoxedBytes
    /// Where the bytes go that the worker asks for.
    var tray: SharedTray?
    /// The byte behind those that the worker was given; -1 where that could not be gone to.
    private var offset: Int64 = 0
    /// The questions of an interrupted worker that are answered before it must say so; one that goes on asking is stopped.
    private static let patienceWithQuestions = 10_000
    private var questions = 0

    init(_ bytes: BoxedBytes) { self.bytes = bytes }

    /// The worker begins with another wish.
    mutating func beginWish() { questions = 0 }

    /// Another worker begins with the first byte. Throws what the source does.
    mutating func restart() throws(IOReaderError) {
        try bytes.seek(to: 0)
        offset = 0
    }

    /// Reads elsewhere, and comes back to where the worker is.
    mutating func withBytes(_ body: ((_ offset: Int64, _ count: Int) -> [UInt8]?) -> Void) {
        body { [bytes] offset, count in
            guard count > 0, offset >= 0 else { return nil }
            do throws(IOReaderError) {
                try bytes.seek(to: offset)
                let found = try bytes.whole(count)
                return found.isEmpty ? nil : found
            } catch {
                return nil
            }
        }
        do throws(IOReaderError) {
            try bytes.seek(to: offset)
        } catch {
            // The next read of the worker meets it.
            offset = -1
        }
    }

    /// The answer to what a worker asks of the source; nil for what it may not ask.
    mutating func serve(_ question: BoxMessage) -> BoxMessage? {
        if bytes.isInterrupted {
            questions += 1
            if questions > Self.patienceWithQuestions { return nil }
        }
        var record = RecordReader(question.bytes)
        do throws(IOReaderError) {
            switch question.kind {
            case .sourceRead:
                let count = Int(record.integer(in: Int32(1)...Int32(1 << 20)))
                guard record.isWhole else { return nil }
                if offset < 0 { throw .posix(5) }
                guard let tray else { return nil }
                let room = UnsafeMutableRawBufferPointer(rebasing: tray.own[..<min(count, tray.own.count)])
                let found = min(room.count, max(0, try bytes.read(room)))
                offset += Int64(found)
                var reply = RecordWriter()
                reply.put(Int32(clamping: found))
                return BoxMessage(.sourceLying, reply.bytes)
            case .sourceSeek:
                let target = record.integer(in: Int64(0)...Int64.max)
                guard record.isWhole else { return nil }
                try bytes.seek(to: target)
                offset = target
                return BoxMessage(.sourceNumber)
            case .sourceSize:
                var reply = RecordWriter()
                reply.put(bytes.size ?? -1)
                return BoxMessage(.sourceNumber, reply.bytes)
            default: return nil
            }
        } catch {
            return BoxMessage(.sourceFailure, ErrorRecord.bytes(of: error))
        }
    }
}

extension BoxedBytes {
    /// The bytes of one read, at most so many.
    fileprivate func piece(_ count: Int) throws(IOReaderError) -> [UInt8] {
        var failure: IOReaderError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { room, filled in
            do throws(IOReaderError) {
                filled = min(count, max(0, try read(UnsafeMutableRawBufferPointer(room))))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// So many bytes, fewer at the end.
    fileprivate func whole(_ count: Int) throws(IOReaderError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let more = try piece(min(count - bytes.count, 1 << 20))
            if more.isEmpty { break }
            bytes += more
        }
        return bytes
    }
}
