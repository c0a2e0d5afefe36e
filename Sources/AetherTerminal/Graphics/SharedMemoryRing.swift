import AetherCore
import Glibc
import Synchronization

/// A handful of POSIX shared memory objects through which images reach a terminal on this machine, which removes each after reading
/// it. Owns their names: unread objects are removed with this value, and what a killed program has left behind, when the next one
/// starts.
///
/// Any thread, one call at a time; never blocks. The methods are those of AetherRender's `SharedPixels`.
public final class SharedMemoryRing: Sendable {
    private struct Slot {
        /// The name for the terminal, and the path for C.
        var name: [UInt8] = [], path: [UInt8] = []
        var generation = 0
        /// Whether an object of that name may exist.
        var exists = false
    }

    /// Linux' folder of the objects.
    private static let folder = "/dev/shm"
    private static let prefix = "aether-tui-"
    /// Objects of a dead program that are older than this are read by no terminal any more.
    private static let staleSeconds = 60

    /// The number of objects that can exist at once.
    public let slots: Int
    private let family: String
    private let state: Mutex<[Slot]>

    /// A ring without any object yet; 3…6 slots. Removes what dead programs of this user have left behind.
    public init(slots: Int = 3) {
        self.slots = min(max(3, slots), 6)
        // The random part: no other program can lie in wait with an object of that name, and a process of the same number is told apart.
        family = "\(Self.prefix)\(getpid())-" + String(UInt32.random(in: 0 ... .max), radix: 16)
        state = Mutex([Slot](repeating: Slot(), count: self.slots))
        Self.sweep()
    }

    deinit {
        state.withLock { slots in
            for slot in slots where slot.exists { Self.unlink(slot.path) }
        }
    }

    /// Makes the object of a slot (0..<slots) anew and fills it. Returns its name, `/name`, or nil when the system refuses: no room,
    /// no /dev/shm. Copies once.
    public func write(_ pixels: UnsafeRawBufferPointer, slot: Int) -> [UInt8]? {
        state.withLock { slots in
            guard slots.indices.contains(slot) else { return nil }
            if slots[slot].name.isEmpty { rename(&slots[slot], slot) }
            // Normally the terminal has removed it; one that does not must not see it change under its eyes.
            if slots[slot].exists { Self.unlink(slots[slot].path) }
            slots[slot].exists = Self.create(slots[slot].path, pixels)
            return slots[slot].exists ? slots[slot].name : nil
        }
    }

    /// Gives a slot up, read or unread: its name is removed, and the slot's next
    /// object has another one.
    public func abandon(slot: Int) {
        state.withLock { slots in
            guard slots.indices.contains(slot) else { return }
            if slots[slot].exists { Self.unlink(slots[slot].path) }
            rename(&slots[slot], slot)
        }
    }

    private func rename(_ slot: inout Slot, _ index: Int) {
        slot.generation += 1
        slot.name = Array("/\(family)-\(index)-\(slot.generation)".utf8)
        slot.path = slot.name + [0]
        slot.exists = false
    }

    private static func unlink(_ path: [UInt8]) {
        path.withUnsafeBytes { path in
            if let start = path.assumingMemoryBound(to: CChar.self).baseAddress { shm_unlink(start) }
        }
    }

    private static func create(_ path: [UInt8], _ pixels: UnsafeRawBufferPointer) -> Bool {
        let descriptor = path.withUnsafeBytes { path -> Int32 in
            guard let start = path.assumingMemoryBound(to: CChar.self).baseAddress else { return -1 }
            return shm_open(start, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR)
        }
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // write and not mmap: the kernel fills fresh pages without clearing them first and without a fault for each, which is
        // twice as fast, and a full file system is an error here and not SIGBUS.
        var done = 0
        while done < pixels.count, let base = pixels.baseAddress {
            let count = Glibc.write(descriptor, base + done, pixels.count - done)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                unlink(path)
                return false
            }
            done += count
        }
        return true
    }

    /// Removes objects of dead processes of ours.
    private static func sweep() {
        guard let folder = opendir(folder) else { return }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            guard name.hasPrefix(prefix), let process = Int32(name.dropFirst(prefix.count).prefix { $0 != "-" }),
                process > 0, kill(process, 0) != 0, errno == ESRCH
            else { continue }
            var status = stat()
            guard fstatat(dirfd(folder), name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_uid == getuid(),
                status.st_mtim.tv_sec < time(nil) - staleSeconds
            else { continue }
            unlinkat(dirfd(folder), name, 0)
        }
    }
}
