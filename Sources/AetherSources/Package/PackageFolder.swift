public import AetherCore
import Glibc

/// The folder of a package, open. Everything is reached from its descriptor by names without slashes but one, and no link is followed. Calls block
/// as the file system does; any thread may make them.
public final class PackageFolder: Sendable {
    private let descriptor: Int32
    /// As it was given.
    public let path: String

    /// Opens a folder, which is made where there is none. `isExclusive`: no other process writes to it meanwhile. Throws `.posix`, with EWOULDBLOCK
    /// where another process does.
    public init(_ path: String, isExclusive: Bool = true) throws(IOReaderError) {
        self.path = path
        if path.utf8.contains(0) { throw .posix(EINVAL) }
        if isExclusive, mkdir(PathText.cString(path), 0o777) != 0, errno != EEXIST { throw .posix(errno) }
        descriptor = open(PathText.cString(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .posix(errno) }
        guard isExclusive else { return }
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            let number = errno
            close(descriptor)
            throw .posix(number)
        }
    }

    deinit {
        // A program that another thread has just started holds the descriptor, and with it the lock, until it begins.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Bytes that may still be written; nil where the system does not say.
    public var freeBytes: Int64? { Self.freeBytes(below: descriptor) }

    /// The same of the file system that an open file lies in.
    public static func freeBytes(below descriptor: Int32) -> Int64? {
        var status = statvfs()
        guard fstatvfs(descriptor, &status) == 0 else { return nil }
        let (free, overflow) = Int64(clamping: status.f_bavail).multipliedReportingOverflow(by: Int64(status.f_frsize))
        return overflow ? .max : free
    }

    /// Whether nothing lies in it but files of these names.
    public func holds(onlyOf names: Set<String>) -> Bool {
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let stream = fdopendir(copy) else { return false }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { PathText.text($0.prefix { $0 != 0 }) }
            if name != ".", name != "..", !names.contains(name) { return false }
        }
        return true
    }

    /// Makes a folder in it, where there is none.
    public func makeFolder(_ name: String) throws(IOReaderError) {
        guard Self.isName(name[...]) else { throw .posix(EINVAL) }
        if mkdirat(descriptor, PathText.cString(name), 0o777) != 0, errno != EEXIST { throw .posix(errno) }
    }

    /// A new file, open for writing. One of the name must not be there. `isSecret`: for this person alone.
    public func create(_ name: String, isSecret: Bool = false) throws(IOReaderError) -> PackageFile {
        try at(name) { folder, last throws(IOReaderError) in
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
            let file = openat(folder, PathText.cString(last), flags, isSecret ? 0o600 : 0o666)
            guard file >= 0 else { throw .posix(errno) }
            return PackageFile(descriptor: file)
        }
    }

    /// A file that is there, to be written on from an offset, behind which it is cut off.
    public func reopen(_ name: String, at offset: Int64) throws(IOReaderError) -> PackageFile {
        try at(name) { folder, last throws(IOReaderError) in
            let file = openat(folder, PathText.cString(last), O_RDWR | O_NOFOLLOW | O_CLOEXEC)
            guard file >= 0 else { throw .posix(errno) }
            guard ftruncate(file, off_t(offset)) == 0, lseek(file, off_t(offset), SEEK_SET) >= 0 else {
                let number = errno
                close(file)
                throw .posix(number)
            }
            return PackageFile(descriptor: file)
        }
    }

    /// A file, made where there is none, to which each write is appended as a whole.
    public func append(_ name: String) throws(IOReaderError) -> PackageFile {
        try at(name) { folder, last throws(IOReaderError) in
            let file = openat(folder, PathText.cString(last), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o666)
            guard file >= 0 else { throw .posix(errno) }
            return PackageFile(descriptor: file)
        }
    }

    /// All bytes of a file, `limit` at most; nil where there is none.
    public func read(_ name: String, limit: Int) throws(IOReaderError) -> [UInt8]? {
        let file: Int32? = try at(name) { folder, last throws(IOReaderError) in
            let file = openat(folder, PathText.cString(last), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
            if file < 0, errno == ENOENT { return nil }
            guard file >= 0 else { throw .posix(errno) }
            return file
        }
        guard let file else { return nil }
        defer { close(file) }
        guard isRegular(file) else { throw .posix(EINVAL) }
        return try FileReader(descriptor: file).bytes(limit: limit)
    }

    /// The size of a regular file; nil where there is none of the name.
    public func size(_ name: String) -> Int64? {
        // Whatever is wrong with it, the file is not there.
        let size: Int64?? = try? at(name) { folder, last throws(IOReaderError) in
            var status = stat()
            guard fstatat(folder, PathText.cString(last), &status, AT_SYMLINK_NOFOLLOW) == 0,
                status.st_mode & S_IFMT == S_IFREG
            else { return nil }
            return Int64(status.st_size)
        }
        return size ?? nil
    }

    /// Takes a file away, where there is one.
    public func remove(_ name: String) throws(IOReaderError) {
        try at(name) { folder, last throws(IOReaderError) in
            if unlinkat(folder, PathText.cString(last), 0) != 0, errno != ENOENT { throw .posix(errno) }
        }
    }

    /// Takes away the files and the folders in it that the names say, those of `last` in that order behind all others, then the folder itself
    /// where nothing else is in it. Returns whether it is gone.
    public func remove(
        files isFile: (String) -> Bool, folders isFolder: (String) -> Bool, with isInFolder: (String) -> Bool, last: [String]
    ) throws(IOReaderError) -> Bool {
        let names = try Self.names(descriptor)
        for name in names where isFolder(name) {
            let folder = openat(descriptor, PathText.cString(name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard folder >= 0 else { continue }
            defer { close(folder) }
            for file in try Self.names(folder) where isInFolder(file) {
                if unlinkat(folder, PathText.cString(file), 0) != 0, errno != ENOENT { throw .posix(errno) }
            }
            if unlinkat(descriptor, PathText.cString(name), Int32(AT_REMOVEDIR)) != 0, ![ENOTEMPTY, EEXIST].contains(errno) {
                throw .posix(errno)
            }
        }
        for name in names where isFile(name) { try remove(name) }
        for name in last { try remove(name) }
        if rmdir(PathText.cString(path)) == 0 { return true }
        guard [ENOTEMPTY, EEXIST].contains(errno) else { throw .posix(errno) }
        return false
    }

    /// The names in an open folder, without `.` and `..`.
    private static func names(_ folder: Int32) throws(IOReaderError) -> [String] {
        let copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0 else { throw .posix(errno) }
        guard let stream = fdopendir(copy) else {
            let number = errno
            close(copy)
            throw .posix(number)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { PathText.text($0.prefix { $0 != 0 }) }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Gives a file another name in the same folder, in place of what has that name.
    public func rename(_ name: String, to next: String) throws(IOReaderError) {
        let target = next.split(separator: "/").last.map(String.init) ?? next
        guard Self.isName(target[...]) else { throw .posix(EINVAL) }
        try at(name) { folder, last throws(IOReaderError) in
            guard renameat(folder, PathText.cString(last), folder, PathText.cString(target)) == 0 else { throw .posix(errno) }
        }
    }

    /// Moves a file of a folder in it to the package's own folder.
    public func move(_ name: String, to next: String) throws(IOReaderError) {
        guard Self.isName(next[...]) else { throw .posix(EINVAL) }
        try at(name) { folder, last throws(IOReaderError) in
            guard renameat(folder, PathText.cString(last), descriptor, PathText.cString(next)) == 0 else { throw .posix(errno) }
        }
        try sync(folderOf: next)
    }

    /// Writes a file as a whole: it has either its former bytes or these, whenever the power fails.
    public func replace(_ name: String, with text: String, isSecret: Bool = false) throws(IOReaderError) {
        let draft = name + ".new"
        try remove(draft)
        let file = try create(draft, isSecret: isSecret)
        try file.write(Array(text.utf8))
        try file.sync()
        try rename(draft, to: name)
        try sync(folderOf: name)
    }

    /// Makes sure that names in a folder are on disk.
    public func sync(folderOf name: String) throws(IOReaderError) {
        try at(name) { folder, _ throws(IOReaderError) in if fsync(folder) != 0 { throw .posix(errno) } }
    }

    /// Runs a body with the folder of a name and the last part of it.
    private func at<Value>(
        _ name: String, _ body: (Int32, String) throws(IOReaderError) -> Value
    ) throws(IOReaderError) -> Value {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ Self.isName($0) }) else { throw .posix(EINVAL) }
        guard parts.count == 2 else { return try body(descriptor, name) }
        let folder = openat(
            descriptor, PathText.cString(String(parts[0])), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { throw .posix(errno) }
        defer { close(folder) }
        return try body(folder, String(parts[1]))
    }

    private static func isName(_ name: Substring) -> Bool {
        !name.isEmpty && name.first != "." && name.utf8.count <= 200 && !name.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
    }
}

/// A file that is being written. One thread writes; closed with its last user.
public final class PackageFile: Sendable {
    private let descriptor: Int32

    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Writes all of it. Throws `.posix`, with ENOSPC where there is no room.
    public func write(_ bytes: UnsafeRawBufferPointer) throws(IOReaderError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .posix(count == 0 ? ENOSPC : errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Writes all of it.
    public func write(_ bytes: [UInt8]) throws(IOReaderError) {
        var failure: IOReaderError?
        bytes.withUnsafeBytes { buffer in
            do throws(IOReaderError) { try write(buffer) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Makes sure that all of it is on disk.
    public func sync() throws(IOReaderError) { if fdatasync(descriptor) != 0 { throw .posix(errno) } }
}
