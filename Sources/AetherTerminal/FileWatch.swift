import Glibc

/// Tells when a file was written, replaced or made (inotify), as editors do it: in place, or by renaming a new one over the old. Of a
/// link, which some people use for settings kept elsewhere, the link and what it leads to are looked at. Owns a descriptor that becomes
/// readable then; of one thread, and never blocks.
public struct FileWatch: ~Copyable {
    /// The descriptor for `poll`; -1 where the system has no watches left.
    public let descriptor: Int32
    /// A name in a directory.
    private struct Place {
        let watch: Int32
        let name: [UInt8]
    }
    /// The file as it was named first, then what it leads to where that is another name.
    private var places: [Place] = []
    private var path: String?

    /// Watches nothing yet.
    public init() { descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)) }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Watches a file from now on, nil for none, in place of the one before. Its directory must exist, the file need not.
    public mutating func follow(_ path: String?) {
        for watch in Set(places.map(\.watch)) { inotify_rm_watch(descriptor, watch) }
        places = []
        self.path = path
        guard descriptor >= 0, let path else { return }
        add(path)
        if let target = FileWatch.target(path), target != path { add(target) }
    }

    private mutating func add(_ path: String) {
        guard let last = path.split(separator: "/").last else { return }
        let directory = String(path.dropLast(last.count))
        let events = UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_CREATE)
        let watch = inotify_add_watch(descriptor, directory.isEmpty ? "." : directory, events)
        if watch >= 0 { places.append(Place(watch: watch, name: Array(last.utf8))) }
    }

    private static func target(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// A file that was just made is told of when it is written; a link is whole at once.
    private var isLink: Bool {
        var status = stat()
        return path.map { lstat($0, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK } ?? false
    }

    /// Takes what has happened since the last time; returns whether it concerns the file.
    public mutating func drain() -> Bool {
        guard descriptor >= 0 else { return false }
        var concerns = false, movesOn = false
        var buffer = [UInt8](repeating: 0, count: 8192)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            buffer.withUnsafeBytes { bytes in
                // An event: watch, mask, cookie, length of the name, the name with zeros behind it.
                var offset = 0
                while offset + 16 <= count {
                    let watch = bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)
                    let isMade = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self) & UInt32(IN_CREATE) != 0
                    let length = Int(bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
                    let start = offset + 16, end = min(count, start + length)
                    let text = bytes[start..<max(start, end)].prefix { $0 != 0 }
                    let place = places.firstIndex { $0.watch == watch && text.elementsEqual($0.name) }
                    if place != nil, !isMade || isLink { concerns = true }
                    // The link leads elsewhere now, or a file has taken its place.
                    if place == 0, isLink || places.count > 1 { movesOn = true }
                    offset = start + length
                }
            }
        }
        if movesOn { follow(path) }
        return concerns
    }
}
