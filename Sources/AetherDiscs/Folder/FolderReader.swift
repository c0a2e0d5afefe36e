import AetherCore
import AetherSources
import Synchronization

/// A file of a disc on a server. The server is asked for it when it is read, and anew where it had to make room for others.
final class FolderReader: IOReader {
    private struct State {
        /// nil while it rests.
        var reader: (any ServerReader)?
        var size: Int64?
        var isClosed = false
        var isCancelled = false
    }
    private let state: Mutex<State>
    private let cursor = ReaderCursor()
    private let server: DiscServer
    private let location: MediaLocation

    /// `size`: as the folder's list says it; nil where that is not known before the file is open.
    init(_ location: MediaLocation, size: Int64?, of server: DiscServer) {
        (self.location, self.server) = (location, server)
        state = Mutex(State(size: size))
    }

    /// Asks for the file where it rests. Blocks on the server. Throws what it says, `.cancelled`, or `.closed`.
    func open() throws(IOReaderError) { _ = try opened() }

    private func opened() throws(IOReaderError) -> any ServerReader {
        if let reader = state.withLock({ $0.reader }) { return reader }
        let reader = try server.opening(location)
        let (isClosed, isCancelled) = state.withLock { state in
            if !state.isClosed { state.reader = reader }
            return (state.isClosed, state.isCancelled)
        }
        if isClosed { throw .closed }
        if isCancelled { reader.cancel() }
        do throws(IOReaderError) {
            try server.opens(self)
            try reader.open()
        } catch {
            rest()
            throw error
        }
        let size = reader.size
        let isSame = state.withLock { state in
            defer { state.size = state.size ?? size }
            return state.size == nil || state.size == size
        }
        guard isSame else {
            rest()
            throw .network(NetworkFault(.changed))
        }
        return reader
    }

    /// Reads from the position on. Blocks on the server.
    func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        try cursor.read(buffer) { offset throws(IOReaderError) in
            while true {
                do throws(IOReaderError) {
                    let reader = try opened()
                    try reader.seek(to: offset)
                    return try reader.read(buffer)
                } catch {
                    // Another thread has opened so many files meanwhile that this one had to rest.
                    guard error == .closed, !state.withLock({ $0.isClosed }) else { throw error }
                    rest()
                }
            }
        }
    }

    /// Lets go of the server until the file is read again. Any thread; never blocks.
    func rest() {
        let reader = state.withLock { state in
            defer { state.reader = nil }
            return state.reader
        }
        server.closes(self)
        reader?.close()
    }

    /// Moves the position, also behind the end.
    func seek(to offset: Int64) throws(IOReaderError) { try cursor.move(to: offset) }
    /// nil before the file was open for the first time, where the folder's list does not say it.
    var size: Int64? { state.withLock { $0.size } }
    /// Always true: that a server gives no parts of a file is told by reading.
    var isSeekable: Bool { true }
    /// Those of servers.
    var traits: IOReaderTraits { .network }

    /// See `IOReader`.
    func cancel() {
        cursor.cancel()
        let reader = state.withLock { state in
            state.isCancelled = true
            return state.reader
        }
        reader?.cancel()
    }

    /// See `IOReader`.
    func resume() {
        cursor.resume()
        let reader = state.withLock { state in
            state.isCancelled = false
            return state.reader
        }
        reader?.resume()
    }

    /// See `IOReader`.
    func close() {
        cursor.close()
        state.withLock { $0.isClosed = true }
        rest()
    }

    /// See `IOReader`.
    func makeIndependentReader() -> (any IOReader)? { FolderReader(location, size: size, of: server) }
}
