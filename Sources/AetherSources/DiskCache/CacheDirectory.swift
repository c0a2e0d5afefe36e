import AetherCore
import Glibc

/// The directory of cached files: one pair of files (`.data`, `.index`) for each address and state of what lies there, named by their digests.
/// Bounded in bytes: what was longest not opened goes first. Two players may use it at once. Everything blocks as the file system does.
struct CacheDirectory: Sendable {
    let options: DiskCacheOptions
    private static let dataSuffix = ".data", indexSuffix = ".index", draftSuffix = ".draft"
    private static let entryLimit = 100_000

    private var path: String { options.directory }

    /// The newest entry of an address; nil where there is none.
    func newest(of address: String) -> CacheEntry? {
        guard isOurs else { return nil }
        let prefix = Self.digest(address) + "-"
        let found = names.filter { $0.hasPrefix(prefix) && $0.hasSuffix(Self.indexSuffix) }
            .compactMap { name in Self.status(of: path + "/" + name).map { (name, Self.time($0)) } }
            .sorted { $0.1 > $1.1 }
        for (name, _) in found.prefix(4) {
            if let entry = open(String(name.dropLast(Self.indexSuffix.count))) { return entry }
        }
        return nil
    }

    /// The entry of an address with this validator and size, which is made where it is missing; nil where that cannot be.
    func entry(of address: String, validator: String, size: Int64) -> CacheEntry? {
        guard let index = CacheIndex(size: size, validator: validator), make() else { return nil }
        let stem = Self.digest(address) + "-" + Self.digest("\(size) \(validator)")
        if let entry = open(stem) { return entry.size == size && entry.validator == validator ? entry : nil }
        remove(stem)
        let draft = "\(path)/.\(stem).\(getpid()).\(UInt64(pthread_self()))\(Self.draftSuffix)"
        unlink(draft)
        let descriptor = Glibc.open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return nil }
        let head = index.head
        let isWritten = head.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } == head.count
        close(descriptor)
        // Another player may have been faster; then its index counts.
        if isWritten { _ = link(draft, path + "/" + stem + Self.indexSuffix) }
        unlink(draft)
        return open(stem)
    }

    /// Removes the files of an entry.
    func remove(_ stem: String) {
        unlink(path + "/" + stem + Self.indexSuffix)
        unlink(path + "/" + stem + Self.dataSuffix)
    }

    // MARK: - The bound

    /// The result of looking through the directory.
    enum Trimmed {
        /// So many bytes may be written before it is looked through again; 0: the cache is full with this file alone.
        case room(Int64)
        /// Another player is at it.
        case busy
    }

    /// Removes the oldest entries until there is room for a step, but not this one. Drafts of programs that died are the oldest.
    func trimmed(sparing stem: String) -> Trimmed {
        let turn = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard turn >= 0 else { return .room(0) }
        defer { close(turn) }
        // Never waited for: its holder may be stopped.
        guard flock(turn, LOCK_EX | LOCK_NB) == 0 else { return .busy }
        var residents = self.residents
        let own = residents.removeValue(forKey: stem)?.bytes ?? 0
        var sum = residents.values.reduce(own) { $0 + $1.bytes }
        for (name, resident) in residents.sorted(by: { $0.value.used < $1.value.used }) {
            guard sum + options.step > options.limit else { break }
            if name.hasSuffix(Self.draftSuffix) { unlink(path + "/" + name) } else { remove(name) }
            sum -= resident.bytes
        }
        return .room(max(0, min(options.step, options.limit - sum)))
    }

    private struct Resident {
        var bytes: Int64 = 0
        var used: Int64 = .min
    }

    /// By stems, and drafts by their names. Other files that are kept here are not ours to drop.
    private var residents: [String: Resident] {
        var residents: [String: Resident] = [:]
        for name in names {
            guard let status = Self.status(of: path + "/" + name) else { continue }
            let suffix = [Self.dataSuffix, Self.indexSuffix].first { name.hasSuffix($0) }
            guard suffix != nil || name.hasSuffix(Self.draftSuffix) else { continue }
            let key = suffix.map { String(name.dropLast($0.count)) } ?? name
            residents[key, default: Resident()].bytes += Int64(status.st_blocks) * 512
            // The index says when it was opened; data without one is of no use.
            if suffix == Self.indexSuffix { residents[key]?.used = Self.time(status) }
        }
        return residents
    }

    private var names: [String] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while names.count < Self.entryLimit, let entry = readdir(stream) {
            names.append(
                withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return names
    }

    // MARK: - Files

    /// Opens both files of an entry and counts it as used now; nil where one is missing or is not what we have written.
    private func open(_ stem: String) -> CacheEntry? {
        let log = Self.openOwn(path + "/" + stem + Self.indexSuffix, O_RDWR | O_APPEND)
        guard log >= 0 else { return nil }
        guard let bytes = Self.bytes(log), let index = CacheIndex(bytes) else {
            close(log)
            return nil
        }
        let data = Self.openOwn(path + "/" + stem + Self.dataSuffix, O_RDWR | O_CREAT)
        guard data >= 0 else {
            close(log)
            return nil
        }
        // A record that was cut off would shift those that are appended behind it.
        let odd = (bytes.count - index.head.count) % CacheIndex.recordSize
        if odd > 0 { _ = ftruncate(log, off_t(bytes.count - odd)) }
        futimens(log, nil)
        return CacheEntry(index, stem: stem, in: self, data: data, log: log)
    }

    /// A regular file of our own that no other user may read or write; -1 otherwise.
    private static func openOwn(_ path: String, _ flags: Int32) -> Int32 {
        let descriptor = Glibc.open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { return -1 }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_mode & 0o077 == 0
        else {
            close(descriptor)
            return -1
        }
        return descriptor
    }

    /// 64 MB at most: the blocks of 256 GB.
    private static func bytes(_ descriptor: Int32) -> [UInt8]? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size <= 64 << 20 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done, off_t(done))
            }
            if count > 0 { done += count } else if count == 0 || errno != EINTR { return nil }
        }
        return bytes
    }

    private static func status(of path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? status : nil
    }

    private static func time(_ status: stat) -> Int64 {
        Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
    }

    /// The directory is ours, and no other user may write in it.
    private var isOurs: Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
            && status.st_mode & 0o022 == 0
    }

    private func make() -> Bool {
        var made = ""
        for part in path.split(separator: "/") {
            made += "/" + part
            _ = mkdir(made, 0o700)
        }
        return isOurs
    }

    /// Half of SHA-256: no two addresses meet, and no address can be read from it.
    private static func digest(_ text: String) -> String {
        SHA256.digest(of: Array(text.utf8)).prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
