import CBox

/// The parts of the box that hold around a process. Each is used where the kernel has it.
public struct BoxParts: OptionSet, Sendable {
    /// The bits, as a worker states them.
    public let rawValue: UInt32

    /// A set of parts.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// No program that it starts has more rights than it.
    public static let noNewPrivileges = BoxParts(rawValue: UInt32(BOX_NO_NEW_PRIVS))
    /// Its memory is not written to disk when it dies, and no other process of the user looks into it.
    public static let notDumpable = BoxParts(rawValue: UInt32(BOX_NOT_DUMPABLE))
    /// Bounds of memory and descriptors, no files.
    public static let limits = BoxParts(rawValue: UInt32(BOX_LIMITS))
    /// No descriptor but that of its socket.
    public static let descriptors = BoxParts(rawValue: UInt32(BOX_DESCRIPTORS))
    /// No file, no network (Landlock).
    public static let landlock = BoxParts(rawValue: UInt32(BOX_LANDLOCK))
    /// No system call but those of a decoder (seccomp).
    public static let seccomp = BoxParts(rawValue: UInt32(BOX_SECCOMP))

    /// All that a recent kernel has.
    public static let all: BoxParts = [.noNewPrivileges, .notDumpable, .limits, .descriptors, .landlock, .seccomp]

    /// Their names, for people.
    public var names: [String] {
        let known: [(BoxParts, String)] = [
            (.seccomp, "seccomp"), (.landlock, "Landlock"), (.noNewPrivileges, "no_new_privs"), (.limits, "limits"),
            (.descriptors, "no descriptors"), (.notDumpable, "not dumpable"),
        ]
        return known.filter { contains($0.0) }.map(\.1)
    }
}
