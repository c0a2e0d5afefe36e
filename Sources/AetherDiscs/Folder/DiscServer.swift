public import AetherCore
public import AetherSources
import Synchronization

/// The server that the files of a disc lie on: few of them are open at once, and whatever is asked of it can be broken off.
public final class DiscServer: Sendable {
    /// Makes a reader of a place on the server, of which nothing is asked yet.
    public typealias Opening = @Sendable (MediaLocation) throws(IOReaderError) -> any ServerReader

    private struct State {
        var isCancelled = false
        var nextNumber = 0
        /// The folders that are being listed, by number.
        var listed: [Int: any Folder] = [:]
        /// The readers that have asked the server, the oldest first.
        var open: [FolderReader] = []
    }
    private let state = Mutex(State())
    let opening: Opening
    private let fetcher: (any FileFetcher)?

    /// The same server, for readers that are broken off by themselves.
    func independent() -> DiscServer { DiscServer(opening) }

    /// One reads the title, one its previews, and each may be at the border of two files. An open file of a share is a process and a login.
    private static let openLimit = 4

    /// A server whose files are opened so. `fetcher`: who brings its tables; nil: they are read as its other files are.
    public init(_ opening: @escaping Opening, fetcher: (any FileFetcher)? = nil) {
        (self.opening, self.fetcher) = (opening, fetcher)
    }

    /// All of a small file. Blocks on the server.
    func bytes(of location: MediaLocation, limit: Int) throws(IOReaderError) -> [UInt8] {
        if let fetcher { return try fetcher.bytes(of: location, limit: limit) }
        let reader = FolderReader(location, size: nil, of: self)
        defer { reader.close() }
        return try reader.bytes(limit: limit)
    }

    /// Lets go of what the tables came over.
    public func rest() { fetcher?.rest() }

    /// The folders in a folder, and the files whose names are wanted. Blocks on the server. Throws `.network`, or `.cancelled`.
    func contents(of folder: any Folder, where isWanted: (String) -> Bool) throws(IOReaderError) -> DirectoryContents {
        let number = state.withLock { state -> Int? in
            guard !state.isCancelled else { return nil }
            state.nextNumber += 1
            state.listed[state.nextNumber] = folder
            return state.nextNumber
        }
        guard let number else { throw .cancelled }
        defer { state.withLock { _ = $0.listed.removeValue(forKey: number) } }
        return try folder.contents(limit: DirectoryContents.limit, includesHidden: false, where: isWanted)
    }

    /// A file is asked for now: the one that was opened longest ago rests until it is read again.
    func opens(_ reader: FolderReader) throws(IOReaderError) {
        let (isCancelled, oldest) = state.withLock { state -> (Bool, FolderReader?) in
            state.open.removeAll { $0 === reader }
            state.open.append(reader)
            return (state.isCancelled, state.open.count > Self.openLimit ? state.open.removeFirst() : nil)
        }
        oldest?.rest()
        if isCancelled { throw .cancelled }
    }

    /// A file is not needed any more.
    func closes(_ reader: FolderReader) { state.withLock { $0.open.removeAll { $0 === reader } } }

    /// Makes whatever is under way, and whatever is asked until `resume`, throw `.cancelled`. Any thread; never blocks.
    public func cancel() {
        let (listed, open) = state.withLock { state in
            state.isCancelled = true
            return (state.listed, state.open)
        }
        fetcher?.cancel()
        for folder in listed.values { folder.cancel() }
        for reader in open { reader.cancel() }
    }

    /// Ends what `cancel` began. Any thread; never blocks.
    public func resume() {
        let open = state.withLock { state in
            state.isCancelled = false
            return state.open
        }
        fetcher?.resume()
        for reader in open { reader.resume() }
    }
}
