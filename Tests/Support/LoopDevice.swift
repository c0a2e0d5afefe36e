import Glibc

/// A file as a device of blocks, until it is detached.
public final class LoopDevice: Sendable {
    /// The reason that a skipped test gives.
    public static let missing = "no loop devices here, or we are not root"

    /// Whether devices can be made.
    public static let isPossible: Bool = {
        guard geteuid() == 0, access("/dev/loop-control", R_OK | W_OK) == 0, let folder = try? TemporaryFolder() else {
            return false
        }
        // A container may show the device and refuse its use.
        let path = folder.path("image")
        guard (try? Command(["truncate", "-s", "1M", path]))?.status == 0, let device = try? LoopDevice(path) else {
            return false
        }
        device.detach()
        return true
    }()

    /// There is no device, for the reason in words.
    public struct Failure: Error {
        /// losetup's words.
        public let reason: String
    }

    /// The device.
    public let path: String

    /// The device of a file, to be read alone.
    public init(_ file: String) throws {
        let command = try Command(["losetup", "--find", "--show", "--read-only", file])
        guard command.status == 0, let line = command.standardOutput.split(separator: "\n").first else {
            throw Failure(reason: command.standardError)
        }
        path = String(line)
    }

    /// The device is none any more. A reader may still have it open: it goes with the last.
    public func detach() {
        // One that stays behind harms nothing.
        _ = try? Command(["losetup", "--detach", path])
    }
}
