extension Browser {
    static func join(_ directory: String, _ name: String) -> String {
        // The entries of the list of shares are whole addresses.
        if directory == RemotePath.shares || name == RemotePath.shares { return name }
        return directory.hasSuffix("/") ? directory + name : directory + "/" + name
    }

    /// The directory above; nil for the root.
    static func parent(of path: String) -> (path: String, name: String)? {
        if RemotePath.isRemote(path) { return RemotePath.parent(of: path) }
        let parts = path.split(separator: "/")
        guard let last = parts.last else { return nil }
        return ("/" + parts.dropLast().joined(separator: "/"), String(last))
    }

    /// The directory of a video, and its name there; the present directory where there is no video.
    static func place(of path: String, in present: String) -> (directory: String, name: String?) {
        guard !path.isEmpty else { return (present, nil) }
        if let (folder, name) = RemotePath.parts(of: path) { return (folder, name) }
        // A folder that is looked around in.
        if path.hasSuffix("/"), path != "/" {
            let folder = String(path.dropLast())
            if RemotePath.isRemote(folder) { return (folder, nil) }
            let (above, name) = place(of: folder, in: present)
            return (name.map { join(above, $0) } ?? above, nil)
        }
        let whole = path.hasPrefix("/") ? path : join(present, path)
        var parts: [Substring] = []
        for part in whole.split(separator: "/") where part != "." {
            if part == ".." { parts = parts.dropLast() } else { parts.append(part) }
        }
        guard let name = parts.popLast() else { return ("/", nil) }
        return ("/" + parts.joined(separator: "/"), String(name))
    }
}
