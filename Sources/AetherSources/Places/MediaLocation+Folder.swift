public import AetherCore

extension MediaLocation {
    /// The folder that it lies in, and its name there; nil where that cannot be known: of pipes, and of servers that list no folders.
    public var inFolder: (folder: any Folder, name: String)? {
        switch self {
        case .standardInput: return nil
        case .file(let path):
            guard let slash = path.lastIndex(of: "/") else { return (LocalFolder("./"), path) }
            return (LocalFolder(String(path[...slash])), String(path[path.index(after: slash)...]))
        case .url(let url):
            guard ShareReader.opens(url), let (folder, name) = ShareFolder.parts(of: url) else { return nil }
            return (ShareFolder(folder), name)
        }
    }
}

extension MediaLocation {
    /// A reader of a file on a server that is spoken to by ourselves: of the web, of files, of shares. Nothing is asked yet. nil for what lies
    /// elsewhere. Throws `.network` for what is no address of a file.
    public func serverReader(_ http: HTTPOptions) throws(IOReaderError) -> (any ServerReader)? {
        guard case .url(let url) = self else { return nil }
        if HTTPReader.opens(url) { return try HTTPReader(url, options: http) }
        return ShareReader.opens(url) ? try ShareReader(url) : nil
    }
}
