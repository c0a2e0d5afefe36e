import AetherCore
import AetherSources
import Synchronization

/// A server with files in memory, which writes down what it is asked.
final class ScriptedServer: Sendable {
    struct State {
        var files: [String: [UInt8]]
        var opened: [String] = [], listed: [String] = []
        /// Readers that are open now, and the most that were at once.
        var open = 0, most = 0
        /// Its lists say sizes that are not those of the files.
        var rounds = false
        /// Its lists say no size of files.
        var hidesSizes = false
        /// Pages list nothing.
        var listsNothing = false
        /// Called when a file was asked for, before its first byte.
        var whenOpened: (@Sendable () -> Void)?
    }
    let state: Mutex<State>

    init(_ files: [String: [UInt8]]) { state = Mutex(State(files: files)) }

    func reader(_ location: MediaLocation) throws(IOReaderError) -> any ServerReader {
        guard case .url(let path) = location, let bytes = state.withLock({ $0.files[path] }) else {
            throw .network(NetworkFault(.status(404)))
        }
        return ScriptedFile(path, bytes, self)
    }
}

/// A folder of it, by its path with a slash at its end.
struct ScriptedFolder: Folder {
    let path: String
    let server: ScriptedServer

    func contents(
        limit: Int, includesHidden: Bool, where isWanted: (String) -> Bool
    ) throws(IOReaderError) -> DirectoryContents {
        let (files, rounds, hidesSizes, listsNothing) = server.state.withLock { state in
            state.listed.append(path)
            return (state.files, state.rounds, state.hidesSizes, state.listsNothing)
        }
        if listsNothing { throw .network(NetworkFault(.badAnswer)) }
        var entries: [String: DirectoryContents.Entry] = [:]
        for (place, bytes) in files where place.hasPrefix(path) {
            let parts = place.dropFirst(path.count).split(separator: "/"), name = String(parts[0])
            if parts.count == 1, !isWanted(name) { continue }
            entries[name] = DirectoryContents.Entry(
                name: name, isDirectory: parts.count > 1,
                bytes: hidesSizes ? 0 : Int64(rounds ? bytes.count / 1000 * 1000 : bytes.count))
        }
        return DirectoryContents(entries: entries.values.sorted { $0.name < $1.name })
    }

    var statesSizes: Bool { server.state.withLock { !$0.rounds } }
    func location(of name: String) -> MediaLocation { .url(path + name) }
    func folder(_ name: String) -> any Folder { ScriptedFolder(path: path + name + "/", server: server) }
}

/// A file of it.
private final class ScriptedFile: ServerReader {
    private let path: String
    private let bytes: MemoryReader
    private let server: ScriptedServer
    private let isOpen = Mutex(false)

    init(_ path: String, _ bytes: [UInt8], _ server: ScriptedServer) {
        (self.path, self.bytes, self.server) = (path, MemoryReader(bytes), server)
    }

    func open() throws(IOReaderError) {
        if isOpen.withLock({ $0 }) { return }
        isOpen.withLock { $0 = true }
        let told = server.state.withLock { state in
            state.opened.append(path)
            state.open += 1
            state.most = max(state.most, state.open)
            return state.whenOpened
        }
        told?()
    }

    func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        try open()
        return try bytes.read(buffer)
    }
    func seek(to offset: Int64) throws(IOReaderError) { try bytes.seek(to: offset) }
    var size: Int64? { bytes.size }
    var isSeekable: Bool { true }
    func cancel() { bytes.cancel() }
    func resume() { bytes.resume() }
    func close() {
        bytes.close()
        guard
            isOpen.withLock({ isOpen in
                defer { isOpen = false }
                return isOpen
            })
        else { return }
        server.state.withLock { $0.open -= 1 }
    }
    func makeIndependentReader() -> (any IOReader)? { nil }
}
