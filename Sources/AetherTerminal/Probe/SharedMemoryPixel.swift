import Glibc

/// One black pixel in POSIX shared memory, for a terminal to prove that it can read ours. A terminal that reads it unlinks it; else it
/// goes when this value does. Readable by the user alone.
struct SharedMemoryPixel: ~Copyable {
    let name: String?

    /// A pixel under a name of its own; none where it is not wanted, or where there is no shared memory (a container without /dev/shm,
    /// a full disk).
    init(isWanted: Bool = true) {
        let name = "/aether-tui-\(getpid())-\(String(UInt32.random(in: .min ... .max), radix: 16))"
        let descriptor = isWanted ? shm_open(name, O_CREAT | O_EXCL | O_RDWR, 0o600) : -1
        guard descriptor >= 0 else {
            self.name = nil
            return
        }
        defer { close(descriptor) }
        let pixel: [UInt8] = [0, 0, 0]
        let isWritten = write(descriptor, pixel, pixel.count) == pixel.count
        if !isWritten { shm_unlink(name) }
        self.name = isWritten ? name : nil
    }

    deinit { remove() }

    /// Takes it away, if the terminal has not.
    func remove() {
        if let name { shm_unlink(name) }
    }

    /// The name of the pixel as the kitty protocol wants it; nil where there is no pixel.
    var encodedName: String? { name.map { Self.base64(Array($0.utf8)) } }

    /// RFC 4648: here without Foundation, which this module does not need otherwise.
    static func base64(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for digit in 0...group.count { text.append(alphabet[bits >> (18 - 6 * digit) & 63]) }
            text += String(repeating: "=", count: 3 - group.count)
        }
        return text
    }
}
