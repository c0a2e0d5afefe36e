import AetherCore
import AetherSources
import Glibc

/// The hidden file that becomes the target when it is complete, locked against other runs, whatever their packages. What a killed run has left
/// is taken over. Calls block as the file system does.
struct MuxDraft: ~Copyable {
    let path: String
    private let target: String
    private let descriptor: Int32

    /// Throws `.cannotOpen` where it cannot be made, or another run writes it.
    init(of target: String) throws(MediaError) {
        let name = target.split(separator: "/").last.map(String.init) ?? target
        let path: String = target.dropLast(name.count) + ".\(name).part"
        let file = open(PathText.cString(path), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0o644)
        guard file >= 0 else { throw Self.failure(.cannotOpen, target, errno) }
        while flock(file, LOCK_EX | LOCK_NB) != 0 {
            let number = errno
            if number == EINTR { continue }
            close(file)
            guard number == EWOULDBLOCK else { throw Self.failure(.cannotOpen, target, number) }
            throw MediaError(.cannotOpen, "write", subject: target, reason: Self.busy)
        }
        // Between the opening and the lock another run may have finished the file, or given it up.
        var own = stat(), named = stat()
        guard fstat(file, &own) == 0, lstat(PathText.cString(path), &named) == 0, own.st_ino == named.st_ino,
            own.st_dev == named.st_dev, own.st_mode & S_IFMT == S_IFREG
        else {
            close(file)
            throw MediaError(.cannotOpen, "write", subject: target, reason: Self.busy)
        }
        (self.path, self.target, descriptor) = (path, target, file)
    }
    private static let busy = "another run writes it"

    deinit { close(descriptor) }

    /// Throws where so many bytes are more than the disk has, less what is left to others.
    func checkRoom(for bytes: Int64) throws(MediaError) {
        guard let free = PackageFolder.freeBytes(below: descriptor) else { return }
        guard free.subtractingReportingOverflow(bytes).partialValue < PackageStore.reserve else { return }
        throw MediaError(
            .cannotOpen, "write", subject: target, cause: -ENOSPC,
            reason: translated(
                "it needs about \(bytes / 1_000_000 + 1) MB, and the disk has \(free / 1_000_000) MB; make room there"))
    }

    /// Gives the complete file its name, after its bytes are on disk: the package may be removed then.
    func finish() throws(MediaError) {
        guard fsync(descriptor) == 0 else { throw Self.failure(.readFailed, target, errno) }
        let result = FileRename.toNew(path, target)
        guard result == 0 else { throw Self.failure(.readFailed, target, -result) }
    }

    /// Removes it.
    func discard() { unlink(PathText.cString(path)) }

    private static func failure(_ code: MediaError.Code, _ target: String, _ number: Int32) -> MediaError {
        MediaError(code, "write", subject: target, cause: -number, reason: String(cString: strerror(number)))
    }
}
