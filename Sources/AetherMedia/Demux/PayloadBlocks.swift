import AetherCore
import CFFmpeg
import Glibc

/// Where the payloads of packets live from their reading until the last holder lets go: block after block of one size, filled in reading order.
///
/// A cache keeps packets for minutes and drops them in the order of their coming. Each with malloc's own memory and libav's objects around it, 71 000
/// of them had 145 MB resident; in blocks, with a head each (`Packet`), 124 MB. A block goes back to the system as a whole, with its last
/// packet; none is used twice, so that what lies behind a payload is zero. For one thread; what it placed may be let go on any.
struct PayloadBlocks: ~Copyable {
    /// 256 KB are half a second of a film at 4 Mbit/s: what one late packet can hold fast.
    static let blockBytes = 256 << 10

    private var block: PayloadBlock?
    private var usedBytes = 0

    /// Copies a payload here; nil where it has no bytes, or the system no memory.
    mutating func place(_ payload: UnsafeRawBufferPointer) -> PayloadSlot? {
        guard let data = payload.baseAddress, !payload.isEmpty else { return nil }
        guard let (block, offset) = room(payload.count + PayloadSlot.padding) else { return nil }
        let place = block.start + offset
        place.copyMemory(from: data, byteCount: payload.count)
        return PayloadSlot(block: block, start: place.assumingMemoryBound(to: UInt8.self), byteCount: payload.count)
    }

    /// Where so many bytes fit: in the present block, in a new one, or, where they are more than one holds, in one of their own.
    private mutating func room(_ count: Int) -> (PayloadBlock, offset: Int)? {
        guard count <= PayloadBlocks.blockBytes else { return PayloadBlock(byteCount: count).map { ($0, 0) } }
        if let block, usedBytes + count <= PayloadBlocks.blockBytes {
            defer { advance(by: count) }
            return (block, usedBytes)
        }
        guard let fresh = PayloadBlock(byteCount: PayloadBlocks.blockBytes) else { return nil }
        block = fresh
        usedBytes = 0
        advance(by: count)
        return (fresh, 0)
    }

    /// The next payload begins at a cache line, as libavcodec's own buffers do.
    private mutating func advance(by count: Int) { usedBytes = (usedBytes + count + 63) & ~63 }
}

/// Where a payload lies. Keeps its block.
struct PayloadSlot: Sendable {
    /// Readers of bits look beyond the end of a payload; what they find there is zero, as the block's pages are.
    static let padding = Int(AV_INPUT_BUFFER_PADDING_SIZE)

    let block: PayloadBlock
    nonisolated(unsafe) let start: UnsafeMutablePointer<UInt8>
    let byteCount: Int

    /// A buffer of libav's that keeps the block for as long as it lives, and may be written to by nobody.
    func makeBuffer() -> UnsafeMutablePointer<AVBufferRef>? {
        let held = Unmanaged.passRetained(block)
        let buffer = av_buffer_create(
            start, byteCount + PayloadSlot.padding,
            { block, _ in if let block { Unmanaged<PayloadBlock>.fromOpaque(block).release() } }, held.toOpaque(),
            Int32(AV_BUFFER_FLAG_READONLY))
        if buffer == nil { held.release() }
        return buffer
    }
}

/// Owns pages of the system's, writable and zero at first.
final class PayloadBlock: Sendable {
    nonisolated(unsafe) let start: UnsafeMutableRawPointer
    private let byteCount: Int

    /// Nil where the system has no memory.
    init?(byteCount: Int) {
        let pages = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let pages, pages != MAP_FAILED else { return nil }
        start = pages
        self.byteCount = byteCount
        MediaBalance.payloadBlocks.add()
    }

    deinit {
        munmap(start, byteCount)
        MediaBalance.payloadBlocks.add(-1)
    }
}
