import AetherCore
import AetherMedia
import Glibc
import Synchronization

/// The bytes of a source inside of the box: each read asks the player, which puts them into the tray. For the worker's one thread.
final class AskingReader: IOReader {
    let isSeekable: Bool
    let isGrowing: Bool
    private let isLocal: Bool
    private let tray: SharedTray
    private let ahead: Mutex<ReadAhead>

    init(isSeekable: Bool, isGrowing: Bool, isLocal: Bool, tray: SharedTray) {
        (self.isSeekable, self.isGrowing, self.isLocal, self.tray) = (isSeekable, isGrowing, isLocal, tray)
        ahead = Mutex(ReadAhead(most: isLocal ? 256 << 10 : 0))
    }

    var traits: IOReaderTraits {
        let cost: IOReaderTraits.SeekCost = !isSeekable ? .impossible : isLocal ? .call : .roundTrip
        return IOReaderTraits(isLocal: isLocal, seekCost: cost, mayStall: !isLocal, isRepeatable: false)
    }

    func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        var now = ahead.withLock { $0 }
        if now.left.isEmpty {
            var wish = RecordWriter()
            let wanted = now.wish(for: min(buffer.count, tray.other.count))
            wish.put(Int32(clamping: wanted))
            let answer = try ask(BoxMessage(.sourceRead, wish.bytes))
            var record = RecordReader(answer.bytes)
            let count = Int(record.integer(in: Int32(0)...Int32(clamping: wanted)))
            guard answer.kind == .sourceLying, record.isWhole else { throw .closed }
            now.take(count, of: wanted)
        }
        let taken = now.left.prefix(buffer.count)
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: tray.other[taken]))
        now.left = taken.endIndex..<now.left.endIndex
        ahead.withLock { [now] in $0 = now }
        return taken.count
    }

    func seek(to offset: Int64) throws(IOReaderError) {
        ahead.withLock { $0.leave() }
        var wish = RecordWriter()
        wish.put(offset)
        _ = try ask(BoxMessage(.sourceSeek, wish.bytes))
    }

    var size: Int64? {
        guard let answer = try? ask(BoxMessage(.sourceSize)) else {
            // Unknown, as that of many a source.
            return nil
        }
        var record = RecordReader(answer.bytes)
        let size = record.integer(Int64.self)
        return record.isWhole && size >= 0 ? size : nil
    }

    private func ask(_ wish: BoxMessage) throws(IOReaderError) -> BoxMessage {
        let line = BoxLine(socket: 0, closes: false)
        let answer: BoxMessage
        do throws(BoxFault) {
            try line.send(wish)
            answer = try line.receive()
        } catch {
            throw .closed
        }
        if answer.kind == .sourceFailure { throw ErrorRecord.readerError(answer.bytes) }
        return answer
    }

    // The player waits, breaks off and closes on its side.
    func follow() {}
    func cancel() {}
    func resume() {}
    func close() {}
    func makeIndependentReader() -> (any IOReader)? { nil }
}
