import AetherCore
import Glibc
import Synchronization

/// One reader's use of the disk: which entry, the block that it reads, and the one that it puts together. Called by the reader's thread alone;
/// blocks as the file system does.
final class CacheUse: Sendable {
    private struct State: Sendable {
        var assembly = BlockAssembly()
        /// The block that was read last.
        var number: UInt32?
        var bytes: [UInt8] = []
    }

    private let directory: CacheDirectory
    private let address: WebAddress
    private let memory: WebMemory
    private let looked = Mutex<CacheEntry?>(nil)
    private let options: HTTPOptions
    private let hasLooked = Atomic(false)
    private let decided = Atomic(false)
    /// libcurl knows a name and a password for the server.
    private let isBarred = Atomic(false)
    private let state = Mutex<State?>(State())

    /// nil where the options want no cache, or the file may not be kept.
    init?(_ address: WebAddress, _ options: HTTPOptions, _ memory: WebMemory) {
        guard let disk = options.diskCache, disk.limit > 0, CacheRules.admits(address, options, netrc: nil) else { return nil }
        (directory, self.address, self.memory, self.options) = (CacheDirectory(options: disk), address, memory, options)
    }

    /// Whether it is settled which entry is used.
    var isDecided: Bool { decided.load(ordering: .relaxed) }

    /// The file on disk, before the server is asked; nil: none, or it was asked before.
    func look() -> CachedFile? {
        guard !hasLooked.exchange(true, ordering: .relaxed) else { return nil }
        guard CacheRules.admits(address, options, netrc: CacheUse.netrc(options)) else {
            isBarred.store(true, ordering: .relaxed)
            return nil
        }
        let entry = directory.newest(of: address.text)
        looked.withLock { $0 = entry }
        return entry.map { CachedFile(size: $0.size, validator: $0.validator) }
    }

    /// Settles which entry is read and written, by the server's first answer. Once.
    func decide(_ verdict: CacheVerdict, _ file: WebFile) {
        guard !decided.exchange(true, ordering: .relaxed), !isBarred.load(ordering: .relaxed) else { return }
        let found = looked.withLock { entry in
            defer { entry = nil }
            return entry
        }
        switch verdict {
        // Another reader of the address has asked.
        case .unknown: break
        case .unchanged: memory.entry = found
        case .never: found?.discard()
        case .fresh:
            if let found, found.validator != file.validator || found.size != file.size { found.discard() }
            if let size = file.size, let validator = file.validator, file.isSeekable {
                memory.entry = directory.entry(of: address.text, validator: validator, size: size)
            }
        }
    }

    /// Copies what is held from an offset on; 0 where nothing is.
    func read(from offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard let entry = memory.entry, offset < entry.size, var state = state.withLock({ $0.take() }) else { return 0 }
        defer { put(state) }
        let number = UInt32(clamping: offset / Int64(CacheIndex.blockSize)), start = Int(offset % Int64(CacheIndex.blockSize))
        if state.number != number {
            guard let bytes = entry.block(number) else { return 0 }
            (state.number, state.bytes) = (number, bytes)
        }
        let count = min(buffer.count, state.bytes.count - start)
        guard count > 0 else { return 0 }
        state.bytes.withUnsafeBytes {
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<start + count]))
        }
        return count
    }

    /// Keeps bytes that came from the server.
    func keep(_ bytes: UnsafeRawBufferPointer, at offset: Int64) {
        guard let entry = memory.entry, var state = state.withLock({ $0.take() }) else { return }
        state.assembly.take(bytes, at: offset, size: entry.size) { entry.store($0, $1) }
        put(state)
    }

    /// The server has another file, or forbids to keep it.
    func discard() {
        memory.entry?.discard()
        memory.entry = nil
    }

    private func put(_ used: State) { state.withLock { $0 = used } }

    /// The file of names and passwords that libcurl would look into. One that is too long may have words for everybody.
    private static func netrc(_ options: HTTPOptions) -> String? {
        guard let path = options.netrcFile ?? getenv("HOME").map({ String(cString: $0) + "/.netrc" }) else { return nil }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 256 << 10), done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return String(decoding: bytes[..<done], as: UTF8.self) }
            done += count
        }
        return "default"
    }
}
