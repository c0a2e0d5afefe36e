import AetherCore
import CFFmpeg
import Glibc
import Synchronization

/// Our side of the callbacks of a muxer: the file that it writes. For one thread.
final class FileMuxerPort: Sendable {
    private let descriptor: Int32
    /// The system's number for the first write that failed; 0: none did.
    private let failure = Atomic<Int32>(0)
    /// The end of the file so far, in bytes.
    private let end = Atomic<Int>(0)

    /// 256 KiB: a write a second of a video at 2 Mbit/s.
    private static let bufferSize = 256 << 10

    /// Makes a file; one of that name stays as it is, and is an error, unless `replaces`. Blocks.
    init(path: String, replaces: Bool) throws(MediaError) {
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | (replaces ? O_TRUNC : O_EXCL)
        descriptor = Glibc.open(PathText.cString(path), flags, 0o644)
        guard descriptor >= 0 else {
            throw MediaError(.cannotOpen, "write", subject: path, averror: aether_averror(errno))
        }
    }

    deinit { close(descriptor) }

    /// Bytes of the file so far.
    var byteCount: Int64 { Int64(end.load(ordering: .relaxed)) }

    /// The reason of the system's why bytes could not be written; nil where all could.
    var fault: String? {
        let number = failure.load(ordering: .relaxed)
        return number == 0 ? nil : number == ENOSPC ? "the disk is full" : AVError(code: aether_averror(number)).text
    }

    /// An AVIO context that writes the file, or nil without memory.
    func makeIO() -> UnsafeMutablePointer<AVIOContext>? {
        guard let buffer = av_malloc(Self.bufferSize) else { return nil }
        let io = avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferSize), 1, Unmanaged.passUnretained(self).toOpaque(), nil,
            { opaque, bytes, count in
                FileMuxerPort.at(opaque)?.write(bytes.map { UnsafeRawPointer($0) }, count) ?? aether_averror(EIO)
            },
            { opaque, offset, whence in FileMuxerPort.at(opaque)?.seek(offset, whence) ?? -1 })
        if io == nil { av_free(buffer) }
        return io
    }

    private static func at(_ opaque: UnsafeMutableRawPointer?) -> FileMuxerPort? {
        opaque.map { Unmanaged<FileMuxerPort>.fromOpaque($0).takeUnretainedValue() }
    }

    private func write(_ bytes: UnsafeRawPointer?, _ count: Int32) -> Int32 {
        guard let bytes, count > 0 else { return 0 }
        var written = 0
        while written < Int(count) {
            let step = Glibc.write(descriptor, bytes + written, Int(count) - written)
            if step < 0, errno == EINTR { continue }
            guard step > 0 else {
                let number = step < 0 ? errno : EIO
                _ = failure.compareExchange(expected: 0, desired: number, ordering: .relaxed)
                return aether_averror(number)
            }
            written += step
        }
        let place = lseek(descriptor, 0, SEEK_CUR)
        if place > end.load(ordering: .relaxed) { end.store(Int(place), ordering: .relaxed) }
        return count
    }

    private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
        if whence & AVSEEK_SIZE != 0 { return byteCount }
        let place = lseek(descriptor, Int(offset), whence & ~AVSEEK_FORCE)
        return place < 0 ? Int64(aether_averror(errno)) : Int64(place)
    }
}
