import AetherCore
import AetherFormats
import AetherMedia
import AetherSources
import Synchronization

/// Opens the files of a run's pieces: goes on in the file of the piece before where that leads there, and asks for one ahead. One thread opens;
/// cancelling reaches it from any.
final class SegmentFiles: Sendable {
    private struct State {
        /// The file of the piece before: the next one may go on in it.
        var former: SegmentFile?
        var ahead: SegmentFile?
        var isCancelled = false, isClosed = false

        var readers: [any IOReader] { [former?.reader, ahead?.reader].compactMap { $0 } }
    }
    private let fetch: StreamFetch
    private let state = Mutex(State())

    init(_ fetch: StreamFetch) { self.fetch = fetch }

    /// Keeps the file of a piece that was read.
    func keep(_ file: SegmentFile) { state.withLock { $0.former = file } }

    /// Asks for a file that will be read next, where none was yet.
    func ask(for address: StreamAddress, as asked: NamedFile) {
        guard state.withLock({ $0.ahead == nil && !$0.isClosed }) else { return }
        do throws(IOReaderError) {
            let file = SegmentFile(address, try fetch.reader(address, asked))
            let isWanted = state.withLock { state -> Bool in
                guard !state.isClosed else { return false }
                state.ahead = file
                return true
            }
            if !isWanted { file.reader.close() }
        } catch {
            // It is told when its turn comes.
            Log.module("net").info("\(address.text): \(error)")
        }
    }

    /// The file of a piece at its first byte: the one that was read before, the one that was asked for ahead, or another. Blocks.
    func file(of piece: SegmentPiece, as asked: NamedFile) throws(IOReaderError) -> SegmentFile {
        let (former, ahead) = state.withLock { state in
            defer { (state.former, state.ahead) = (nil, nil) }
            return (state.former, state.ahead)
        }
        if let former {
            if former.address == piece.address, piece.range != nil, !piece.isPart, ahead == nil,
                try place(former, at: piece.offset)
            {
                return former
            }
            former.reader.close()
        }
        if let ahead {
            if ahead.address == piece.address {
                let isThere = piece.isPart ? try isThere(ahead) : true
                if isThere { return try placed(ahead, at: piece.offset) }
            }
            ahead.reader.close()
        }
        let reader = try fetch.reader(
            piece.address, as: piece.number == nil ? .small : .media, asked, from: piece.offset,
            to: piece.isPart ? piece.range?.end : nil)
        return try placed(SegmentFile(piece.address, reader), at: piece.offset)
    }

    /// Whether a part that was asked for before it was there has come.
    private func isThere(_ file: SegmentFile) throws(IOReaderError) -> Bool {
        guard let reader = file.reader as? HTTPReader else { return true }
        state.withLock { $0.former = file }
        defer { state.withLock { $0.former = nil } }
        do throws(IOReaderError) {
            try reader.open()
            return true
        } catch {
            if error == .cancelled || error == .closed { throw error }
            return false
        }
    }

    private func placed(_ file: SegmentFile, at offset: Int64) throws(IOReaderError) -> SegmentFile {
        guard try place(file, at: offset) else { throw .notSeekable }
        return file
    }

    /// Returns false where the file does not lead there any more. Cancelling reaches it while it moves.
    private func place(_ file: SegmentFile, at offset: Int64) throws(IOReaderError) -> Bool {
        let isCancelled = state.withLock { state in
            state.former = file
            return state.isCancelled
        }
        defer { state.withLock { $0.former = nil } }
        if isCancelled { throw .cancelled }
        do throws(IOReaderError) {
            try file.move(to: offset)
            return true
        } catch {
            if error == .notSeekable { return false }
            throw error
        }
    }

    /// Ends what blocks until `resume()`.
    func cancel() {
        let readers = state.withLock { state in
            state.isCancelled = true
            return state.readers
        }
        for reader in readers { reader.cancel() }
    }

    /// Lets files be read again.
    func resume() {
        let readers = state.withLock { state in
            state.isCancelled = false
            return state.readers
        }
        for reader in readers { reader.resume() }
    }

    /// Closes the files that have no reader.
    func close() {
        let readers = state.withLock { state in
            state.isClosed = true
            return state.readers
        }
        for reader in readers { reader.close() }
    }
}
