import CLinux
import Glibc

/// Memory that the player and one `aether-share` both see: bytes of a file are put there by the program and copied out by the player, which
/// spares two copies through a socket. Nobody can make it smaller under the other's hands; pages that were never filled cost nothing.
package final class ShareMemory: Sendable {
    /// 16 MiB: two pieces of the largest kind, one that is filled and one that is read.
    package static let size = 16 << 20

    /// The mapping. The player only reads: a place is filled when its answer has come, and what it holds is hostile at any time.
    nonisolated(unsafe) package let bytes: UnsafeMutableRawBufferPointer

    /// Memory for a program, and the descriptor that leads to it, which is the caller's; nil where there is none.
    static func make() -> (memory: ShareMemory, descriptor: Int32)? {
        let descriptor = clinux_sealed_memory("aether-share", size)
        guard descriptor >= 0 else { return nil }
        guard let memory = ShareMemory(descriptor, PROT_READ) else {
            close(descriptor)
            return nil
        }
        return (memory, descriptor)
    }

    /// The memory that a descriptor leads to, for writing; nil where that is no such memory. The descriptor stays the caller's.
    package convenience init?(_ descriptor: Int32) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_size == Self.size else { return nil }
        self.init(descriptor, PROT_READ | PROT_WRITE)
    }

    private init?(_ descriptor: Int32, _ access: Int32) {
        guard let start = mmap(nil, Self.size, access, MAP_SHARED, descriptor, 0), start != MAP_FAILED else { return nil }
        bytes = UnsafeMutableRawBufferPointer(start: start, count: Self.size)
    }

    deinit { munmap(bytes.baseAddress, bytes.count) }
}
