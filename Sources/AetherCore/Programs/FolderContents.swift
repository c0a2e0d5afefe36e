import Glibc

/// The names in a folder of the system.
public enum FolderContents {
    /// At most so many.
    private static let limit = 10_000

    /// All names but "." and ".."; none where it cannot be read. Blocks on the file system.
    public static func names(_ path: String) -> [String] {
        guard let folder = opendir(PathText.cString(path)) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while names.count < limit, let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { place in
                place.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: place.pointee)) {
                    PathText.text(cString: $0)
                }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
