import AetherCore
import AetherSources
import Glibc

/// Strips on disk, one file for each video, bounded in bytes: what was longest not looked at goes first. Two players may use it at once:
/// a file appears whole or not at all, and what the other has written meanwhile is taken over. Everything blocks as the file system does.
struct StripStore: Sendable {
    let directory: String
    /// Bytes of all files.
    var limit = 64 << 20
    private static let suffix = ".strip"
    /// Of what is being written.
    private static let draftSuffix = ".draft"

    /// The identity of a video without reading it: device, inode, size and time of the last change. nil for what is no file.
    static func identity(of path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let parts = [
            UInt64(status.st_dev), UInt64(status.st_ino), UInt64(bitPattern: Int64(status.st_size)),
            UInt64(bitPattern: Int64(status.st_mtim.tv_sec)), UInt64(bitPattern: Int64(status.st_mtim.tv_nsec)),
        ]
        return name(parts.flatMap { part in (0..<8).map { UInt8(truncatingIfNeeded: part >> UInt64(8 * $0)) } })
    }

    /// The identity of a stream by its address and its length: another one may come to lie there. The name does not tell the address.
    static func identity(of url: String, duration: TimeSpan) -> String {
        name(Array(url.utf8) + [0] + Array("\(duration.nanoseconds)".utf8))
    }

    /// FNV-1a over the bytes: 64 bits of each of two seeds, so that videos do not meet.
    private static func name(_ bytes: [UInt8]) -> String {
        let hashes = [0xcbf2_9ce4_8422_2325 as UInt64, 0x9e37_79b9_7f4a_7c15].map { seed in
            bytes.reduce(seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        }
        return hashes.map { String($0, radix: 36) }.joined(separator: "-")
    }

    /// The strip of a file; what is not there or damaged is empty. It counts as looked at now.
    func strip(_ identity: String) -> StillStrip {
        let path = self.path(identity)
        guard let bytes = Self.read(path), let strip = StillStrip(bytes) else { return StillStrip() }
        utimensat(AT_FDCWD, path, nil, 0)
        return strip
    }

    /// Keeps a strip, together with what the file has by now. Returns whether that went well.
    @discardableResult
    func keep(_ strip: StillStrip, _ identity: String) -> Bool {
        guard makeDirectory() else { return false }
        // One at a time between reading and writing, or what the other kept in between were lost. The directory's own lock: no file
        // of it is left behind.
        let turn = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard turn >= 0 else { return false }
        defer { close(turn) }
        while flock(turn, LOCK_EX) != 0 { guard errno == EINTR else { return false } }
        var whole = self.strip(identity)
        whole.merge(strip)
        // The number of the process and of the thread: no other thread writes there.
        let draft = directory + "/.\(identity).\(getpid()).\(UInt64(pthread_self()))\(Self.draftSuffix)"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        let isWritten = StillFile.writeAll(whole.bytes, to: descriptor) == 0
        guard close(descriptor) == 0, isWritten, rename(draft, path(identity)) == 0 else {
            unlink(draft)
            return false
        }
        trim(sparing: identity)
        return true
    }

    private func path(_ identity: String) -> String { directory + "/" + identity + Self.suffix }

    /// The directory and those above it, as far as they are missing; readable by their owner alone.
    private func makeDirectory() -> Bool {
        var path = ""
        for part in directory.split(separator: "/") {
            path += (path.isEmpty && !directory.hasPrefix("/") ? "" : "/") + part
            _ = mkdir(path, 0o700)
        }
        var status = stat()
        return stat(directory, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func read(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= StillStrip.byteLimit else {
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done) }
            if count > 0 { done += count } else if count == 0 || errno != EINTR { return nil }
        }
        return bytes
    }

    // MARK: - The bound

    private struct Resident {
        let path: String
        let byteCount: Int
        let used: Int64
    }

    /// Drafts of killed processes count, too, and are the first to be old.
    private func trim(sparing identity: String) {
        var residents = self.residents
        var sum = residents.reduce(0) { $0 + $1.byteCount }
        residents.sort { $0.used < $1.used }
        for resident in residents where sum > limit && resident.path != path(identity) {
            unlink(resident.path)
            sum -= resident.byteCount
        }
    }

    private var residents: [Resident] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var residents: [Resident] = []
        while residents.count < 100_000, let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            // Other files that are kept here are not ours to drop.
            guard name.hasSuffix(Self.suffix) || name.hasSuffix(Self.draftSuffix) else { continue }
            var status = stat()
            let path = directory + "/" + name
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            residents.append(
                Resident(
                    path: path, byteCount: Int(status.st_size),
                    used: Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)))
        }
        return residents
    }
}
