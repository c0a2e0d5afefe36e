import AetherCore
import AetherSources
import Glibc

/// A copy of a file of cookies for another program, which may write into it: 0600, in the folder for temporary files.
struct CookieCopy {
    /// There is no room for it, or the file cannot be read.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let path: String

    /// Browsers keep 3000 cookies of 4 KB at most; a file of them is under 1 MB as a rule.
    private static let limit = 16 << 20

    /// Copies a file. Blocks as the file system does.
    init(of file: String) throws(Failure) {
        let bytes: [UInt8]
        do throws(IOReaderError) {
            bytes = try FileReader(path: file).bytes(limit: Self.limit)
        } catch {
            if case .posix(let number) = error { throw Failure(description: SystemText.error(number)) }
            throw Failure(description: "\(error)")
        }
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        path = "\(folder)/aether-cookies-" + String(UInt64.random(in: .min ... .max), radix: 36)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(description: SystemText.error(errno)) }
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else {
                let number = errno
                unlink(path)
                throw Failure(description: SystemText.error(number))
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Takes it away.
    func remove() { unlink(path) }
}
