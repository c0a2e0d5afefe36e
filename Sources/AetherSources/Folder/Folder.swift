public import AetherCore

/// A folder: of the file system, on a share, of a server of files. What lies beside a file, what follows it and what can be chosen is found through
/// this, wherever the file lies.
public protocol Folder: Sendable {
    /// Its folders and the files whose names are wanted, without hidden ones unless they are asked for; at most `limit` of them.
    /// Blocks on the disk or the server. Throws `.posix` or `.network` where it cannot be read, `.cancelled` where that was broken off.
    func contents(limit: Int, includesHidden: Bool, where isWanted: (String) -> Bool) throws(IOReaderError) -> DirectoryContents

    /// Whether the sizes in its list are those of the files: pages for people round them.
    var statesSizes: Bool { get }

    /// The place of an entry, by its name.
    func location(of name: String) -> MediaLocation

    /// A folder in it, by its name.
    func folder(_ name: String) -> any Folder

    /// Makes what blocks throw `.cancelled`, now and later. Any thread; never blocks. Of the file system nothing can be broken off.
    func cancel()
}

extension Folder {
    /// True.
    public var statesSizes: Bool { true }

    /// Nothing.
    public func cancel() {}
}
