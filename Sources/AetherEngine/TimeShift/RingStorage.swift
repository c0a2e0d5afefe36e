import AetherCore
import Glibc

/// Why a ring could not be written.
enum RingFault: Error, Equatable {
    /// There is no more room.
    case full
    /// The system's number.
    case system(Int32)

    /// For the person.
    var reason: String {
        switch self {
        case .full: translated("the disk is full")
        case .system(let number): String(cString: strerror(number))
        }
    }
}

/// The bytes below a ring of packets. Each operation may block on a disk.
protocol RingStorage: Sendable {
    func write(_ bytes: [UInt8], at offset: Int64) throws(RingFault)
    /// As many bytes from there on; nil where there are fewer.
    func read(_ count: Int, at offset: Int64) -> [UInt8]?
}

/// A file without a name, which is gone with the process whatever ends it. No other user can open it.
final class RingFile: RingStorage {
    private let descriptor: Int32

    /// Makes it in a folder, and the folder where it is missing. Blocks. Throws where that is not possible.
    init(in folder: String) throws(RingFault) {
        RingFile.makeFolder(folder)
        // Readable by the owner alone, until its name is gone.
        var name = PathText.cString(folder + "/time-shift-XXXXXX")
        descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw .system(errno) }
        unlink(name)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { close(descriptor) }

    private static func makeFolder(_ folder: String) {
        var path = ""
        for part in folder.split(separator: "/") {
            path += "/" + part
            // A folder that cannot be made cannot be opened either, and that error says why.
            mkdir(PathText.cString(path), 0o700)
        }
    }

    func write(_ bytes: [UInt8], at offset: Int64) throws(RingFault) {
        var written = 0
        while written < bytes.count {
            let step = bytes.withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress! + written, bytes.count - written, Int(offset) + written)
            }
            if step < 0, errno == EINTR { continue }
            guard step > 0 else {
                throw errno == ENOSPC || errno == EDQUOT || errno == EFBIG ? .full : .system(step < 0 ? errno : EIO)
            }
            written += step
        }
    }

    func read(_ count: Int, at offset: Int64) -> [UInt8]? {
        var isWhole = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
            while used < count {
                let step = pread(descriptor, buffer.baseAddress! + used, count - used, Int(offset) + used)
                if step < 0, errno == EINTR { continue }
                guard step > 0 else { return }
                used += step
            }
            isWhole = true
        }
        return isWhole ? bytes : nil
    }
}
