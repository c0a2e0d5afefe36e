import CLinux

/// The kernel, asked.
public enum KernelFeatures {
    /// The features of the running kernel. None of them is used. Never blocks.
    public static var present: MachineFacts.Kernel {
        MachineFacts.Kernel(
            landlock: Int(clinux_landlock_version()), seccomp: clinux_has_seccomp() != 0,
            noNewPrivileges: clinux_has_no_new_privs() != 0)
    }
}
