public import AetherCore
import Glibc

/// A file that a document names, and which must lie in the document's own folder, with all links followed.
public enum ConfinedFile {
    /// Opens a file below a folder. Throws `.posix(EXDEV)` where it lies elsewhere, also by a link. Blocks as the file system
    /// does.
    public static func reader(path: String, below folder: String) throws(IOReaderError) -> any IOReader {
        let root = try real(folder), file = try real(path)
        guard file.hasPrefix(root == "/" ? root : root + "/") else { throw .posix(EXDEV) }
        return try FileReader(path: file)
    }

    /// The path without links and dots.
    private static func real(_ path: String) throws(IOReaderError) -> String {
        if path.utf8.contains(0) { throw .posix(EINVAL) }
        guard let resolved = realpath(PathText.cString(path), nil) else { throw .posix(errno) }
        defer { free(resolved) }
        return PathText.text(Array(UnsafeBufferPointer(start: resolved, count: strlen(resolved)).map { UInt8(bitPattern: $0) }))
    }
}
