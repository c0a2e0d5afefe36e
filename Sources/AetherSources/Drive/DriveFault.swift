import AetherCore
import Glibc

/// The reason why there is nothing to play in a drive.
public enum DriveFault: Error, Sendable, Equatable {
    /// There is no drive at a path.
    case noDrive(String)
    /// There is no disc in it.
    case empty
    /// Its tray is open.
    case trayOpen
    /// It is still looking at the disc.
    case notReady
    /// The disc is blank, or its table of contents cannot be read.
    case noTable
    /// Another disc is in the drive, or none.
    case changed
    /// So much behind one another cannot be read that no more is tried.
    case unreadable
    /// This user may not read the device; the group that may, "" where there is none.
    case forbidden(String, group: String)
    /// The program that reads compact discs is not installed, or does not run; a clause.
    case noProgram(String)

    /// One clause for people.
    public var reason: String {
        switch self {
        case .noDrive(let path): translated("no drive for discs at \(DisplayText.singleLine(path, limit: 200))")
        case .empty: translated("no disc in the drive")
        case .trayOpen: translated("the drive's tray is open: put a disc in and close it")
        case .notReady: translated("the drive is still looking at the disc: try again in a moment")
        case .noTable: translated("the disc is blank, or its table of contents cannot be read")
        case .changed: translated("the disc was taken out of the drive")
        case .unreadable: translated("the disc is scratched or dirty: ten seconds of it cannot be read")
        case .forbidden(let path, let group):
            group.isEmpty
                ? translated("you may not read \(DisplayText.singleLine(path, limit: 200)): its rights are for root alone")
                : translated(
                    "you may not read \(DisplayText.singleLine(path, limit: 200)): “sudo usermod -aG \(group) $USER”, and log in again"
                )
        case .noProgram(let clause):
            translated("audio CDs and Video CDs in a drive are read by the program aether-disc, which \(clause)")
        }
    }

    /// The errno for a reader that was open.
    var number: Int32 {
        switch self {
        case .empty, .trayOpen, .changed: ENOMEDIUM
        case .notReady: EBUSY
        case .forbidden: EACCES
        case .noDrive: ENXIO
        case .noTable, .unreadable, .noProgram: EIO
        }
    }
}
