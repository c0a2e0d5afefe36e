public import AetherCore
import CFFmpeg

/// A packet as bytes, to be kept outside of memory for a while: a head of 64 bytes, the payload, which may lie apart, and the side data. Only for
/// the process that wrote it: neither order of bytes nor version are said.
public enum PacketRecord {
    /// Bytes of the head, which says how long the record is.
    public static let headBytes = 64
    /// A packet of 8K at its worst takes 50 MB.
    public static let largest = 128 << 20
    private static let mark: UInt32 = 0xAE7E_5AFE
    /// The payload lies elsewhere; the length counts the rest.
    private static let apartMark: UInt32 = 0xAE7E_5AFF

    private struct Head {
        var mark, length: UInt32
        var pts, dts, duration: Int64
        var source, format: UInt16
        var streamIndex, flags, byteCount, numerator, denominator: Int32
        var sideCount: UInt32
    }

    /// The record of a packet, behind some bytes and before others; nil where there is no memory for it, or it is too large. `apart`: memory for a
    /// payload, which is written there where it fits, and is no part of the record then.
    public static func bytes(
        of packet: Packet, behind first: [UInt8] = [], before last: [UInt8] = [], apart: UnsafeMutableRawBufferPointer? = nil
    ) -> [UInt8]? {
        packet.withAVPacket { pointer -> [UInt8]? in
            let raw = pointer.pointee, count = max(0, Int(raw.size)), sides = Int(max(0, raw.side_data_elems))
            let payload = raw.data.map { UnsafeRawBufferPointer(start: $0, count: count) }
            let isApart = apart.map { count <= $0.count } ?? false, inline = isApart ? 0 : count
            let sideBytes = (0..<sides).reduce(0) { $0 + 8 + Int(raw.side_data[$1].size) }
            let length = headBytes + inline + sideBytes
            guard length <= largest else { return nil }
            let head = Head(
                mark: isApart ? apartMark : mark, length: UInt32(length), pts: packet.ptsTicks ?? aether_nopts(),
                dts: packet.dtsTicks ?? aether_nopts(),
                duration: raw.duration, source: UInt16(clamping: packet.stream.source), format: UInt16(clamping: packet.format),
                streamIndex: Int32(clamping: packet.stream.number), flags: raw.flags, byteCount: Int32(count),
                numerator: packet.timeBase.numerator, denominator: packet.timeBase.denominator, sideCount: UInt32(sides))
            if isApart, let payload { apart?.copyMemory(from: payload) }
            let border = first.count + length
            return [UInt8](unsafeUninitializedCapacity: border + last.count) { buffer, used in
                let whole = UnsafeMutableRawBufferPointer(buffer)
                whole.copyBytes(from: first)
                UnsafeMutableRawBufferPointer(rebasing: whole[border...]).copyBytes(from: last)
                let target = UnsafeMutableRawBufferPointer(rebasing: whole[first.count..<border])
                // Nothing of our memory goes along between the fields.
                for place in 0..<headBytes { target[place] = 0 }
                target.storeBytes(of: head, as: Head.self)
                if !isApart, let payload {
                    UnsafeMutableRawBufferPointer(rebasing: target[headBytes...]).copyMemory(from: payload)
                }
                putSides(of: raw, count: sides, to: UnsafeMutableRawBufferPointer(rebasing: target[(headBytes + inline)...]))
                used = border + last.count
            }
        } ?? nil
    }

    private static func putSides(of raw: AVPacket, count: Int, to target: UnsafeMutableRawBufferPointer) {
        var place = 0
        for index in 0..<count {
            let side = raw.side_data[index]
            target.storeBytes(of: UInt32(side.type.rawValue), toByteOffset: place, as: UInt32.self)
            target.storeBytes(of: UInt32(side.size), toByteOffset: place + 4, as: UInt32.self)
            UnsafeMutableRawBufferPointer(rebasing: target[(place + 8)...])
                .copyMemory(from: UnsafeRawBufferPointer(start: side.data, count: Int(side.size)))
            place += 8 + Int(side.size)
        }
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

    /// The packet of a record that came out of a box, where it may say anything; nil where it makes no sense. The record fills a part of the bytes,
    /// nil for all of them; `apart`: the memory in which its payload may lie, which the box may change at any time; `name` gives the name of a
    /// container's stream.
    static func boxed(
        _ bytes: [UInt8], at place: Range<Int>? = nil, apart: UnsafeRawBufferPointer? = nil, epoch: Epoch,
        in shelf: inout PacketShelf,
        name: (Int) -> Packet.StreamName
    ) -> Packet? {
        bytes.withUnsafeBytes { all -> Packet? in
            let place = place ?? 0..<all.count
            guard place.upperBound <= all.count, let parts = Parts(all, from: place.lowerBound, apart),
                parts.end == place.upperBound,
                (0..<Self.mostStreams).contains(parts.head.streamIndex), parts.head.sideCount <= 64,
                sidesAreSound(parts.sides, count: Int(parts.head.sideCount))
            else { return nil }
            return packet(parts, epoch: epoch, in: &shelf, named: name(Int(parts.head.streamIndex)))
        }
    }

    /// Streams of one source; a demuxer opens 512 at most, and broadcasts find more.
    private static let mostStreams: Int32 = 1024

    /// Whether side data fills its part of a record, of kinds that there are.
    private static func sidesAreSound(_ sides: UnsafeRawBufferPointer, count: Int) -> Bool {
        var place = 0
        for _ in 0..<count {
            guard place <= sides.count - 8 else { return false }
            let type = sides.loadUnaligned(fromByteOffset: place, as: UInt32.self)
            let size = Int(sides.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self))
            guard type < AV_PKT_DATA_NB.rawValue, size <= sides.count - place - 8 else { return false }
            place += 8 + size
        }
        return place == sides.count
    }

    /// The packet of a record, of an epoch; nil where it is none, or there is no memory. `shelf` keeps its payload.
    public static func packet(_ record: [UInt8], epoch: Epoch, in shelf: inout PacketShelf) -> Packet? {
        record.withUnsafeBytes { all in Parts(all, from: 0, nil).flatMap { packet($0, epoch: epoch, in: &shelf, named: nil) } }
    }

    /// The packet of a record that begins at `start`, in memory of its own: for one that is let go at once. `apart`: the memory in which its payload
    /// may lie.
    public static func packet(
        _ record: [UInt8], from start: Int, apart: UnsafeRawBufferPointer? = nil, epoch: Epoch
    ) -> Packet? {
        record.withUnsafeBytes { all -> Packet? in
            guard let parts = Parts(all, from: start, apart), let pointer = lent(parts) else { return nil }
            guard av_packet_make_refcounted(pointer) >= 0 else {
                var owned: UnsafeMutablePointer<AVPacket>? = pointer
                av_packet_free(&owned)
                return nil
            }
            let head = parts.head
            return Packet(
                taking: pointer, epoch: epoch, timeBase: TimeBase(head.numerator, head.denominator), name: name(head))
        }
    }

    private static func packet(
        _ parts: Parts, epoch: Epoch, in shelf: inout PacketShelf, named given: Packet.StreamName?
    ) -> Packet? {
        let head = parts.head
        return lent(parts).flatMap {
            Packet(
                placing: $0, in: &shelf.blocks, epoch: epoch, timeBase: TimeBase(head.numerator, head.denominator),
                name: given ?? name(head))
        }
    }

    private static func name(_ head: Head) -> Packet.StreamName {
        Packet.StreamName(id: StreamID(source: Int(head.source), number: Int(head.streamIndex)), format: Int(head.format))
    }

    /// The parts of a record, which are good as long as its bytes.
    private struct Parts {
        let head: Head
        let payload, sides: UnsafeRawBufferPointer
        /// Where the record ends.
        let end: Int

        /// nil for bytes that are no record.
        init?(_ all: UnsafeRawBufferPointer, from start: Int, _ apart: UnsafeRawBufferPointer?) {
            guard start >= 0, all.count - start >= headBytes else { return nil }
            head = all.loadUnaligned(fromByteOffset: start, as: Head.self)
            let length = Int(head.length), count = Int(head.byteCount), inline = head.mark == apartMark ? 0 : count
            guard head.mark == mark || head.mark == apartMark, headBytes...largest ~= length, length <= all.count - start,
                count >= 0, headBytes + inline <= length
            else { return nil }
            end = start + length
            sides = UnsafeRawBufferPointer(rebasing: all[(start + headBytes + inline)..<end])
            if head.mark == mark {
                payload = UnsafeRawBufferPointer(rebasing: all[(start + headBytes)..<(start + headBytes + count)])
            } else {
                guard let apart, count <= apart.count else { return nil }
                payload = UnsafeRawBufferPointer(rebasing: apart[..<count])
            }
        }
    }

    /// A packet of its parts, which the caller owns; its payload are the record's bytes, which must be copied.
    private static func lent(_ parts: Parts) -> UnsafeMutablePointer<AVPacket>? {
        guard let pointer = av_packet_alloc() else { return nil }
        let head = parts.head, sides = parts.sides
        if !parts.payload.isEmpty, let start = parts.payload.baseAddress {
            pointer.pointee.data = UnsafeMutablePointer(mutating: start.assumingMemoryBound(to: UInt8.self))
            pointer.pointee.size = head.byteCount
        }
        (pointer.pointee.pts, pointer.pointee.dts, pointer.pointee.duration) = (head.pts, head.dts, head.duration)
        (pointer.pointee.stream_index, pointer.pointee.flags) = (head.streamIndex, head.flags)
        var place = 0
        for _ in 0..<min(head.sideCount, 64) {
            guard place + 8 <= sides.count else { break }
            let type = sides.loadUnaligned(fromByteOffset: place, as: UInt32.self)
            let size = Int(sides.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self))
            guard place + 8 + size <= sides.count else { break }
            if let room = av_packet_new_side_data(pointer, AVPacketSideDataType(rawValue: type), size), size > 0 {
                UnsafeMutableRawPointer(room).copyMemory(from: sides.baseAddress! + place + 8, byteCount: size)
            }
            place += 8 + size
        }
        return pointer
    }
}

/// The memory of packets that come back from their records. For one thread.
public struct PacketShelf: ~Copyable {
    var blocks = PayloadBlocks()

    /// Empty.
    public init() {}
}
