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
