import AetherCore
import CFFmpeg
import Glibc

/// The memory of packets from their reading until the last holder lets go: block after block of one size, filled in reading order, each packet's
/// head before its payload.
///
/// A cache keeps packets for minutes and drops them in the order of their coming. Each with malloc's own memory and libav's objects around it,
/// 71 000 of them had 145 MB resident. A block goes back to the system as a whole, with its last packet. Where no packet is left in
/// the present one, it is filled again from its beginning: a process that hands its packets on would fault in each page of them anew, 28 a
/// frame at 22 Mbit/s. For one thread; what it placed may be let go on any.
struct PayloadBlocks: ~Copyable {
    /// 256 KB are half a second of a video at 4 Mbit/s: what one late packet can hold fast.
    static let blockBytes = 256 << 10

    private var block: PayloadBlock?
    private var usedBytes = 0
    /// The last one made for a payload that is larger than a block.
    private var large: PayloadBlock?

    /// Copies a payload here; nil where it has no bytes, or the system no memory.
    mutating func place(_ payload: UnsafeRawBufferPointer, _ head: Packet.Head) -> PayloadSlot? {
        guard let data = payload.baseAddress, !payload.isEmpty else { return nil }
        guard let (block, offset) = room(PayloadSlot.headBytes + payload.count + PayloadSlot.padding) else { return nil }
        let place = (block.start + offset).initializeMemory(as: Packet.Head.self, to: head)
        let bytes = UnsafeMutableRawPointer(PayloadSlot.payload(behind: place))
        bytes.copyMemory(from: data, byteCount: payload.count)
        // A block that is filled again holds older payloads.
        memset(bytes + payload.count, 0, PayloadSlot.padding)
        return PayloadSlot(block: block, head: place)
    }

    /// The place for so many bytes: in the present block, in a new one, or, where they are more than one holds, in one of their own.
    private mutating func room(_ count: Int) -> (PayloadBlock, offset: Int)? {
        guard count <= PayloadBlocks.blockBytes else { return largeBlock(count).map { ($0, 0) } }
        if isKnownUniquelyReferenced(&block) { usedBytes = 0 }
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

    private mutating func largeBlock(_ count: Int) -> PayloadBlock? {
        if isKnownUniquelyReferenced(&large), let large, large.byteCount >= count { return large }
        large = PayloadBlock(byteCount: count)
        return large
    }

    /// The next head, and with it the next payload, begins at a cache line, as libavcodec's own buffers do.
    private mutating func advance(by count: Int) { usedBytes = (usedBytes + count + 63) & ~63 }
}

/// The place of a packet.
struct PayloadSlot {
    /// Readers of bits look beyond the end of a payload; what they find there is zero.
    static let padding = Int(AV_INPUT_BUFFER_PADDING_SIZE)
    /// A head fills one cache line.
    static let headBytes = 64

    let block: PayloadBlock
    let head: UnsafeMutablePointer<Packet.Head>

    /// The beginning of the payload of a packet that lies in a block.
    static func payload(behind head: UnsafeMutablePointer<Packet.Head>) -> UnsafeMutablePointer<UInt8> {
        (UnsafeMutableRawPointer(head) + headBytes).assumingMemoryBound(to: UInt8.self)
    }
}

/// Owns pages of the system's, writable and zero at first. Written to while a packet is made
/// (`PayloadBlocks`, `Packet.shift`), only read after that.
final class PayloadBlock: Sendable {
    nonisolated(unsafe) let start: UnsafeMutableRawPointer
    let byteCount: Int

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
