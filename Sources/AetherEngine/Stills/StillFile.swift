public import AetherCore
import Glibc

/// Writes stills. Everything here blocks as the file system does.
public enum StillFile {
    /// Two stills of one moment are two files; more than these are a mistake.
    private static let nameLimit = 1000

    /// Writes a new file beside others and returns its path; existing files are never touched. `directory` is made where it is missing, its
    /// parent is not. Throws `.cannotOpen` in the system's words.
    public static func write(
        _ bytes: [UInt8], into directory: String, source: String, mark: String = "", at offset: TimeSpan
    ) throws(MediaError) -> String {
        try write(bytes, into: directory) { StillName.name(of: source, mark: mark, at: offset, number: $0) }
    }

    /// Writes a new file under the caller's names, of which the first free one is taken.
    public static func write(
        _ bytes: [UInt8], into directory: String, named names: (Int) -> String
    ) throws(MediaError) -> String {
        _ = mkdir(PathText.cString(directory), 0o755)
        for number in 0..<nameLimit {
            let name = names(number)
            let path = directory == "." ? name : directory.hasSuffix("/") ? directory + name : directory + "/" + name
            let descriptor = open(PathText.cString(path), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
            if descriptor < 0, errno == EEXIST { continue }
            guard descriptor >= 0 else { throw failure(path, errno) }
            let status = writeAll(bytes, to: descriptor)
            let closing = close(descriptor)
            guard status == 0, closing == 0 else {
                // Half a still is none.
                let cause = status != 0 ? status : errno
                unlink(PathText.cString(path))
                throw failure(path, cause)
            }
            return path
        }
        throw failure(directory, EEXIST)
    }

    /// Writes the named file, over an existing one; "-" is standard output.
    public static func write(_ bytes: [UInt8], to path: String) throws(MediaError) {
        let isOutput = path == "-"
        let descriptor = isOutput ? STDOUT_FILENO : open(PathText.cString(path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure(path, errno) }
        let status = writeAll(bytes, to: descriptor)
        let closing = isOutput ? 0 : close(descriptor)
        if status != 0 || closing != 0 { throw failure(isOutput ? "standard output" : path, status != 0 ? status : errno) }
    }

    /// 0, or the system's number for what went wrong.
    static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        bytes.withUnsafeBytes { buffer in
            var sent = 0
            while sent < buffer.count {
                let count = Glibc.write(descriptor, buffer.baseAddress.map { $0 + sent }, buffer.count - sent)
                if count > 0 { sent += count } else if count < 0, errno != EINTR { return errno }
            }
            return 0
        }
    }

    private static func failure(_ path: String, _ number: Int32) -> MediaError {
        MediaError(.cannotOpen, "write", subject: path, cause: -number, reason: String(cString: strerror(number)))
    }
}
