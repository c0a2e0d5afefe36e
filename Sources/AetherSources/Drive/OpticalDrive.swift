import AetherCore
import CLinux
import Glibc

/// A drive for discs, by its device.
public struct OpticalDrive: Sendable {
    /// The kinds of disc, by the kernel's look at their tables.
    public enum Contents: Sendable, Equatable {
        /// Music, alone or beside data.
        case compact
        /// One of data alone: a DVD, a Blu-ray disc, a CD of files, and a Video CD, whose tracks the kernel does not tell from those.
        case files
    }
    /// The device's path.
    public let path: String

    /// Where the kernel has a machine's first drive, whatever links udev makes.
    static let first = "/dev/sr0"

    /// The drive at a path; nil where there is none. Blocks on the file system.
    public init?(_ path: String) {
        var status = stat()
        guard !path.utf8.contains(0), stat(PathText.cString(path), &status) == 0, Self.isDrive(status) else { return nil }
        self.path = path
    }

    /// Whether a device is one of the kernel's drives for discs: they have a number of their own, so that none is opened to find out.
    static func isDrive(_ status: stat) -> Bool {
        status.st_mode & S_IFMT == S_IFBLK && Int(clinux_device_major(UInt64(status.st_rdev))) == CLINUX_MAJOR_OPTICAL
    }

    /// The disc that is in it. Throws where there is none, or it cannot be known. Blocks until the drive answers.
    public func contents() throws(DriveFault) -> Contents {
        let number = open(PathText.cString(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else { throw Self.fault(errno, path) }
        defer { close(number) }
        return try Self.contents(drive: Int(clinux_drive_status(number)), disc: Int(clinux_disc_status(number)))
    }

    /// Whether it says of a DVD that it is encrypted. Blocks until the drive answers.
    public var isProtected: Bool {
        let number = open(PathText.cString(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else { return false }
        defer { close(number) }
        return clinux_disc_protected(number) == 1
    }

    /// The reading of the kernel's two answers (linux/cdrom.h); below 0: -errno.
    static func contents(drive: Int, disc: Int) throws(DriveFault) -> Contents {
        switch drive {
        case CLINUX_DRIVE_EMPTY: throw .empty
        case CLINUX_DRIVE_OPEN: throw .trayOpen
        case CLINUX_DRIVE_NOT_READY: throw .notReady
        default: break
        }
        switch disc {
        case CLINUX_DISC_AUDIO, CLINUX_DISC_MIXED, CLINUX_DISC_XA1, CLINUX_DISC_XA2: return .compact
        case CLINUX_DISC_EMPTY: throw .empty
        // Of a disc that it knows nothing of the kernel may still give the sectors.
        default: return .files
        }
    }

    /// The reason why a device cannot be opened. Blocks on the file system.
    public static func fault(_ number: Int32, _ path: String) -> DriveFault {
        switch number {
        case EACCES, EPERM: return .forbidden(path, group: group(path))
        case ENOMEDIUM: return .empty
        default: return .noDrive(path)
        }
    }

    /// The group that may read a device; "" where none may, or this user is in it.
    private static func group(_ path: String) -> String {
        var status = stat()
        guard stat(PathText.cString(path), &status) == 0, status.st_mode & 0o040 != 0, status.st_gid != 0,
            let entry = getgrgid(status.st_gid), let name = entry.pointee.gr_name
        else { return "" }
        return String(cString: name)
    }
}
