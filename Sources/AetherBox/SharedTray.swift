import CBox
import Glibc

/// Memory that player and worker share for long contents of messages, which a socket would copy twice. Each side writes one half and reads the
/// other, in turn, as they speak. What the player reads there a worker may change at any time.
final class SharedTray: Sendable {
    /// Who of the two this process is.
    enum Side { case player, worker }

    /// Bytes of each half: those of a key frame at 100 Mbit/s. What is longer goes through the socket.
    static let halfBytes = 512 << 10

    /// The mapping, which never moves.
    nonisolated(unsafe) private let memory: UnsafeMutableRawPointer
    private let side: Side

    /// Maps the memory of a descriptor, which stays the caller's. nil where that cannot be.
    init?(_ descriptor: Int32, side: Side) {
        guard let memory = mmap(nil, 2 * Self.halfBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), memory != MAP_FAILED
        else { return nil }
        (self.memory, self.side) = (memory, side)
    }

    deinit { munmap(memory, 2 * Self.halfBytes) }

    /// The player's side of a new one, and the descriptor that leads to it, which is the caller's; nil where there is no memory. Nobody can make it
    /// smaller under the other's hands.
    static func make() -> (tray: SharedTray, descriptor: Int32)? {
        let descriptor = box_sealed_memory(2 * halfBytes)
        guard descriptor >= 0 else { return nil }
        guard let tray = SharedTray(descriptor, side: .player) else {
            close(descriptor)
            return nil
        }
        return (tray, descriptor)
    }

    /// The half that is written here.
    var own: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: memory + (side == .player ? 0 : Self.halfBytes), count: Self.halfBytes)
    }

    /// The half that the other side writes.
    var other: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: memory + (side == .player ? Self.halfBytes : 0), count: Self.halfBytes)
    }
}
