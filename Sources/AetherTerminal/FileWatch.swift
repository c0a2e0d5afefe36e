import Glibc

/// Tells when a file was written, replaced or made (inotify), as editors do it: in place, or by renaming a new one over the old. Owns a
/// descriptor that becomes readable then; of one thread, and never blocks.
public struct FileWatch: ~Copyable {
    /// For `poll`; -1 where the system has no watches left.
    public let descriptor: Int32
    private var watched: Int32 = -1
    private var name: [UInt8] = []

    /// Watches nothing yet.
    public init() { descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)) }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Watches a file from now on, nil for none, in place of the one before. Its directory must exist, the file need not.
    public mutating func follow(_ path: String?) {
        if watched >= 0 { inotify_rm_watch(descriptor, watched) }
        (watched, name) = (-1, [])
        guard descriptor >= 0, let path, let last = path.split(separator: "/").last else { return }
        let directory = String(path.dropLast(last.count))
        let events = UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO)
        watched = inotify_add_watch(descriptor, directory.isEmpty ? "." : directory, events)
        name = Array(last.utf8)
    }

    /// Takes what has happened since the last time; returns whether it concerns the file.
    public mutating func drain() -> Bool {
        guard descriptor >= 0 else { return false }
        var concerns = false
        var buffer = [UInt8](repeating: 0, count: 8192)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return concerns }
            buffer.withUnsafeBytes { bytes in
                // An event: watch, mask, cookie, length of the name, the name with zeros behind it.
                var offset = 0
                while offset + 16 <= count {
                    let watch = bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)
                    let length = Int(bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
                    let start = offset + 16, end = min(count, start + length)
                    let text = bytes[start..<max(start, end)].prefix { $0 != 0 }
                    if watch == watched, text.elementsEqual(name) { concerns = true }
                    offset = start + length
                }
            }
        }
    }
}
