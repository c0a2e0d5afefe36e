import CLinux

/// The process's use of the heap. Other tests of the same process have their share in it.
public enum HeapUse {
    /// Bytes in use, by glibc's own count.
    public static var bytes: Int { clinux_heap_in_use() }
}
