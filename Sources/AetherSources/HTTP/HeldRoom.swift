import Synchronization

/// The memory for heads and tails of files, in sum over all readers that are made with the same options: a part of what a person gives to all
/// that was read. The memory of an address gives back what it took with its last reader. Any thread.
package final class HeldRoom: Sendable, Equatable, CustomStringConvertible {
    /// Bytes in all.
    package let limit: Int
    private let free: Mutex<Int>

    /// 1 MB of a head and 8 MB of a tail.
    package static let usual = 9 << 20

    /// Room for so many bytes.
    package init(limit: Int = HeldRoom.usual) {
        self.limit = max(0, limit)
        free = Mutex(max(0, limit))
    }

    /// Bytes that are held now.
    package var held: Int { limit - free.withLock { $0 } }

    /// Takes from what is free.
    func take(_ body: (inout Int) -> Void) { free.withLock { body(&$0) } }

    /// So many bytes are free again.
    func giveBack(_ count: Int) { free.withLock { $0 += count } }

    /// Options that differ in what is held are the same.
    package static func == (a: HeldRoom, b: HeldRoom) -> Bool { true }

    /// Nothing: whatever the room is, a file's bytes are the same.
    package var description: String { "" }
}
