import AetherCore
import AetherMedia
import Glibc

/// The bytes of a source inside of the box: each read asks the player. For the worker's one thread.
final class AskingReader: IOReader {
    let isSeekable: Bool
    let isGrowing: Bool
    private let isLocal: Bool

    init(isSeekable: Bool, isGrowing: Bool, isLocal: Bool) {
        (self.isSeekable, self.isGrowing, self.isLocal) = (isSeekable, isGrowing, isLocal)
    }

    var traits: IOReaderTraits {
        let cost: IOReaderTraits.SeekCost = !isSeekable ? .impossible : isLocal ? .call : .roundTrip
        return IOReaderTraits(isLocal: isLocal, seekCost: cost, mayStall: !isLocal, isRepeatable: false)
    }

    /// The most bytes of one wish: what the player's heap has without asking the kernel for pages.
    private static let most = 128 << 10

    func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        var wish = RecordWriter()
        wish.put(Int32(clamping: min(buffer.count, Self.most)))
        let answer = try ask(BoxMessage(.sourceRead, wish.bytes))
        guard answer.kind == .sourceBytes, answer.bytes.count <= buffer.count else { throw .closed }
        buffer.copyBytes(from: answer.bytes)
        return answer.bytes.count
    }

    func seek(to offset: Int64) throws(IOReaderError) {
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
