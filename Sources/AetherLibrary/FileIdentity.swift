import AetherCore
import CLinux
import Glibc

/// A source that a history can know: a file by its path, or a URL.
public enum HistorySource: Sendable, Hashable {
    /// A path as it was opened.
    case file(String)
    /// An address as it was opened.
    case url(String)

    /// The server that it comes from; nil for files.
    var linkHost: LinkHost? { if case .url(let url) = self { LinkHost(url) } else { nil } }
}

/// By what a file is known again: where it is, and where that is no more, by its size and its first 64 KB.
public struct FileIdentity: Sendable, Equatable {
    /// The path without links and dots, or the URL without passwords and tokens.
    public let location: String
    /// The size in bytes; nil for what is no regular file or device of blocks.
    public let size: Int64?
    /// FNV-1a of the first 64 KB of a file, of a device's first 128 KB or of an audio CD's table of contents; of a URL of which something was left out, the first 8 bytes of its SHA-256. Else nil.
    public let fingerprint: UInt64?

    /// 64 KB: headers, titles and the first packets, which two files of one size hardly share.
    static let headBytes = 64 << 10
    /// 128 KB of a disc: the first half is empty, or describes the volume as many others are; the second has its name and number (UDF).
    static let deviceHeadBytes = 128 << 10

    /// An identity.
    public init(location: String, size: Int64? = nil, fingerprint: UInt64? = nil) {
        self.location = location
        self.size = size
        self.fingerprint = fingerprint
    }

    /// Reads what is needed; blocks for as long as the file system does. What cannot be read is known by its location alone.
    public init(of source: HistorySource) {
        switch source {
        case .url(let text):
            let location = Redaction.url(text)
            // Not to be turned back into what was left out, and still the same for the same URL.
            let digest = location == text ? nil : SHA256.digest(of: Array(text.utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
            self.init(location: location, fingerprint: digest)
        case .file(let path):
            let location = FileIdentity.canonical(path)
            var status = stat()
            // A pipe is not opened to be looked at: who waits for a reader at its other end would take us for that one, and then be ended by SIGPIPE.
            guard stat(PathText.cString(path), &status) == 0, [S_IFREG, S_IFBLK].contains(status.st_mode & S_IFMT) else {
                self.init(location: location)
                return
            }
            let descriptor = open(PathText.cString(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else {
                self.init(location: location)
                return
            }
            defer { close(descriptor) }
            guard fstat(descriptor, &status) == 0 else {
                self.init(location: location)
                return
            }
            switch status.st_mode & S_IFMT {
            case S_IFREG:
                self.init(
                    location: location, size: Int64(status.st_size),
                    fingerprint: FileIdentity.headHash(descriptor, count: FileIdentity.headBytes))
            case S_IFBLK:
                // The disc in a drive is not the one that was there yesterday.
                let size = Int64(lseek(descriptor, 0, SEEK_END))
                lseek(descriptor, 0, SEEK_SET)
                self.init(
                    location: location, size: size > 0 ? size : nil,
                    fingerprint: FileIdentity.discHash(descriptor)
                        ?? FileIdentity.headHash(descriptor, count: FileIdentity.deviceHeadBytes))
            default: self.init(location: location)
            }
        }
    }

    /// Whether a record of the same location is of the same file: another one may have taken its place. A file that grows, as a
    /// recording does, stays the same.
    func isSameContent(as other: FileIdentity) -> Bool {
        guard let fingerprint, let theirs = other.fingerprint else { return true }
        return fingerprint == theirs
    }

    private static func canonical(_ path: String) -> String {
        guard let resolved = realpath(PathText.cString(path), nil) else { return path }
        defer { free(resolved) }
        return PathText.text(cString: resolved)
    }

    /// Of an audio CD, which has no bytes that can be read so: where its tracks begin. nil for other devices.
    private static func discHash(_ descriptor: Int32) -> UInt64? {
        var starts = [Int32](repeating: 0, count: 100)
        let count = Int(clinux_disc_starts(descriptor, &starts, Int32(starts.count)))
        return count > 0
            ? hash(starts.prefix(count).flatMap { start in withUnsafeBytes(of: start.littleEndian) { Array($0) } }) : nil
    }

    private static func headHash(_ descriptor: Int32, count: Int) -> UInt64? {
        var buffer = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < buffer.count {
            let count = buffer.withUnsafeMutableBytes { bytes in
                read(descriptor, bytes.baseAddress.map { $0 + filled }, bytes.count - filled)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            filled += count
        }
        return hash(buffer[..<filled])
    }

    /// FNV-1a with 64 bits. It tells files of one person apart; a collision is of no use.
    static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
