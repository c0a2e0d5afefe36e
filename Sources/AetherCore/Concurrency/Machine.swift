import CLinux

/// The machine that the process runs on.
public enum Machine {
    /// The cores that this process may use (`taskset` and containers leave it fewer than there are), at least 1. Never blocks.
    public static var cores: Int { max(1, Int(clinux_usable_cores())) }
}
