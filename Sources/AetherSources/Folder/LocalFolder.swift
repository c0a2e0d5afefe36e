public import AetherCore

/// A folder of the file system.
public struct LocalFolder: Folder, Equatable {
    /// As the file system has it; "" is the present one.
    public let path: String

    /// A folder by its path; nothing is read yet.
    public init(_ path: String) { self.path = path }

    /// See `Folder`.
    public func contents(
        limit: Int, includesHidden: Bool, where isWanted: (String) -> Bool
    ) throws(IOReaderError) -> DirectoryContents {
        try DirectoryContents(of: path.isEmpty ? "." : path, limit: limit, includesHidden: includesHidden, where: isWanted)
    }

    /// See `Folder`.
    public func location(of name: String) -> MediaLocation { .file(joined(name)) }

    /// See `Folder`.
    public func folder(_ name: String) -> any Folder { LocalFolder(joined(name)) }

    private func joined(_ name: String) -> String { path.isEmpty || path.hasSuffix("/") ? path + name : path + "/" + name }
}
