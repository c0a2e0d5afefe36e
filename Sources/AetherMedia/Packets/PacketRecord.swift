public import AetherCore
import CFFmpeg

/// A packet as bytes, to be kept outside of memory for a while: a head of 64 bytes, the payload, and the side data. Only for the process that
/// wrote it: neither order of bytes nor version are said.
public enum PacketRecord {
    /// Bytes of the head, which says how long the record is.
    public static let headBytes = 64
    /// A packet of 8K at its worst takes 50 MB.
    public static let largest = 128 << 20
    private static let mark: UInt32 = 0xAE7E_5AFE

    private struct Head {
        var mark, length: UInt32
        var pts, dts, duration: Int64
        var source, format: UInt16
        var streamIndex, flags, byteCount, numerator, denominator: Int32
        var sideCount: UInt32
    }

    /// The record of a packet, behind some bytes and before others; nil where there is no memory for it, or it is too large.
    public static func bytes(of packet: Packet, behind first: [UInt8] = [], before last: [UInt8] = []) -> [UInt8]? {
        packet.withAVPacket { pointer -> [UInt8]? in
            let raw = pointer.pointee, count = max(0, Int(raw.size)), sides = Int(max(0, raw.side_data_elems))
            let sideBytes = (0..<sides).reduce(0) { $0 + 8 + Int(raw.side_data[$1].size) }
            let length = headBytes + count + sideBytes
            guard length <= largest else { return nil }
            let head = Head(
                mark: mark, length: UInt32(length), pts: packet.ptsTicks ?? aether_nopts(),
                dts: packet.dtsTicks ?? aether_nopts(),
                duration: raw.duration, source: UInt16(clamping: packet.stream.source), format: UInt16(clamping: packet.format),
                streamIndex: Int32(clamping: packet.stream.number), flags: raw.flags, byteCount: Int32(count),
                numerator: packet.timeBase.numerator, denominator: packet.timeBase.denominator, sideCount: UInt32(sides))
            let border = first.count + length
            return [UInt8](unsafeUninitializedCapacity: border + last.count) { buffer, used in
                let whole = UnsafeMutableRawBufferPointer(buffer)
                whole.copyBytes(from: first)
                UnsafeMutableRawBufferPointer(rebasing: whole[border...]).copyBytes(from: last)
                let target = UnsafeMutableRawBufferPointer(rebasing: whole[first.count..<border])
                // Nothing of our memory goes along between the fields.
                for place in 0..<headBytes { target[place] = 0 }
                target.storeBytes(of: head, as: Head.self)
                if let data = raw.data {
                    UnsafeMutableRawBufferPointer(rebasing: target[headBytes...])
                        .copyMemory(from: UnsafeRawBufferPointer(start: data, count: count))
                }
                var place = headBytes + count
                for index in 0..<sides {
                    let side = raw.side_data[index]
                    target.storeBytes(of: UInt32(side.type.rawValue), toByteOffset: place, as: UInt32.self)
                    target.storeBytes(of: UInt32(side.size), toByteOffset: place + 4, as: UInt32.self)
                    UnsafeMutableRawBufferPointer(rebasing: target[(place + 8)...])
                        .copyMemory(from: UnsafeRawBufferPointer(start: side.data, count: Int(side.size)))
                    place += 8 + Int(side.size)
                }
                used = border + last.count
            }
        } ?? nil
    }

    /// The length of the record that begins with a head; nil where none does.
    public static func length(of head: [UInt8], from start: Int = 0) -> Int? {
        guard start >= 0, head.count - start >= headBytes else { return nil }
        let head = head.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: Head.self) }
        let length = Int(head.length)
        return head.mark == mark && (headBytes...largest).contains(length) ? length : nil
    }

    /// The stream and the decode time of a record, without making a packet of it.
    public static func head(of record: [UInt8], from start: Int = 0) -> (stream: StreamID, time: MediaTime?)? {
        guard start >= 0, record.count - start >= headBytes else { return nil }
        let head = record.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: Head.self) }
        let ticks = head.dts != aether_nopts() ? head.dts : head.pts
        let base = TimeBase(head.numerator, head.denominator)
        return (
            StreamID(source: Int(head.source), number: Int(head.streamIndex)),
            ticks == aether_nopts() ? nil : MediaTime(ticks: ticks, in: base)
        )
    }

    /// The packet of a record that came out of a box, where it may say anything; nil where it makes no sense. The record begins at `start` and
    /// ends with the bytes; `name` gives the name of a container's stream.
    static func boxed(
        _ record: [UInt8], from start: Int = 0, epoch: Epoch, in shelf: inout PacketShelf, name: (Int) -> Packet.StreamName
    ) -> Packet? {
        guard let length = length(of: record, from: start), record.count - start == length else { return nil }
        let head = record.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: Head.self) }
        guard (0..<Self.mostStreams).contains(head.streamIndex), head.byteCount >= 0, head.sideCount <= 64,
            sidesAreSound(record, from: start + headBytes + Int(head.byteCount), count: Int(head.sideCount))
        else { return nil }
        return packet(record, from: start, epoch: epoch, in: &shelf, named: name(Int(head.streamIndex)))
    }

    /// Streams of one source; a demuxer opens 512 at most, and broadcasts find more.
    private static let mostStreams: Int32 = 1024

    /// Whether side data fills the rest of a record, of kinds that there are.
    private static func sidesAreSound(_ record: [UInt8], from start: Int, count: Int) -> Bool {
        var place = start
        for _ in 0..<count {
            guard place <= record.count - 8 else { return false }
            let (type, size) = record.withUnsafeBytes {
                (
                    $0.loadUnaligned(fromByteOffset: place, as: UInt32.self),
                    $0.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
                )
            }
            guard type < AV_PKT_DATA_NB.rawValue, Int(size) <= record.count - place - 8 else { return false }
            place += 8 + Int(size)
        }
        return place == record.count
    }

    /// The packet of a record, of an epoch; nil where it is none, or there is no memory. `shelf` keeps its payload.
    public static func packet(_ record: [UInt8], epoch: Epoch, in shelf: inout PacketShelf) -> Packet? {
        packet(record, from: 0, epoch: epoch, in: &shelf, named: nil)
    }

    /// The packet of a record that begins at `start`, in memory of its own: for one that is let go at once.
    public static func packet(_ record: [UInt8], from start: Int, epoch: Epoch) -> Packet? {
        withPacket(record, from: start) { pointer, head in
            guard av_packet_make_refcounted(pointer) >= 0 else {
                var owned: UnsafeMutablePointer<AVPacket>? = pointer
                av_packet_free(&owned)
                return nil
            }
            return Packet(
                taking: pointer, epoch: epoch, timeBase: TimeBase(head.numerator, head.denominator), name: name(head))
        }
    }

    private static func packet(
        _ record: [UInt8], from start: Int, epoch: Epoch, in shelf: inout PacketShelf, named given: Packet.StreamName?
    ) -> Packet? {
        withPacket(record, from: start) { pointer, head in
            Packet(
                placing: pointer, in: &shelf.blocks, epoch: epoch, timeBase: TimeBase(head.numerator, head.denominator),
                name: given ?? name(head))
        }
    }

    private static func name(_ head: Head) -> Packet.StreamName {
        Packet.StreamName(id: StreamID(source: Int(head.source), number: Int(head.streamIndex)), format: Int(head.format))
    }

    /// Lends the packet of a record, which `body` owns; its payload are bytes of the record, which it must copy.
    private static func withPacket(
        _ record: [UInt8], from start: Int, _ body: (UnsafeMutablePointer<AVPacket>, Head) -> Packet?
    ) -> Packet? {
        guard let length = length(of: record, from: start), record.count - start >= length else { return nil }
        return record.withUnsafeBytes { all -> Packet? in
            let bytes = UnsafeRawBufferPointer(rebasing: all[start...])
            let head = bytes.loadUnaligned(as: Head.self), count = Int(head.byteCount)
            guard count >= 0, headBytes + count <= length, let pointer = av_packet_alloc() else { return nil }
            if count > 0, let start = bytes.baseAddress {
                pointer.pointee.data = UnsafeMutablePointer(mutating: (start + headBytes).assumingMemoryBound(to: UInt8.self))
                pointer.pointee.size = head.byteCount
            }
            (pointer.pointee.pts, pointer.pointee.dts, pointer.pointee.duration) = (head.pts, head.dts, head.duration)
            (pointer.pointee.stream_index, pointer.pointee.flags) = (head.streamIndex, head.flags)
            var place = headBytes + count
            for _ in 0..<min(head.sideCount, 64) {
                guard place + 8 <= length else { break }
                let type = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
                let size = Int(bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self))
                guard place + 8 + size <= length else { break }
                if let room = av_packet_new_side_data(pointer, AVPacketSideDataType(rawValue: type), size), size > 0 {
                    UnsafeMutableRawPointer(room).copyMemory(from: bytes.baseAddress! + place + 8, byteCount: size)
                }
                place += 8 + size
            }
            return body(pointer, head)
        }
    }
}

/// The memory of packets that come back from their records. For one thread.
public struct PacketShelf: ~Copyable {
    var blocks = PayloadBlocks()

    /// Empty.
    public init() {}
}
