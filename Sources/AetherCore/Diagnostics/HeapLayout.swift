import CLinux

/// The layout of glibc's heap. For programs, at their start: a library leaves it to its host.
public enum HeapLayout {
    /// From this size on a block is a mapping of its own, which goes back to the system with it.
    public static let largeBlockBytes = 256 << 10

    /// Keeps large blocks out of the heap for good. By itself glibc raises the size from which on it maps them to that of each one that was
    /// let go of, up to 32 MB: frames, indexes and the cache's lists of megabytes then leave holes between what stays, 12 MB of 20 in the
    /// reading thread's arena after an hour of video. Call it before other threads are started.
    public static func mapLargeBlocks() {
        guard clinux_map_blocks_from(largeBlockBytes) == 0 else { return }
        Log.module("memory").info("glibc keeps its own measure for large blocks")
    }
}
