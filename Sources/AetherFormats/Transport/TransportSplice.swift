/// Watches the bytes of an MPEG transport stream for the place at which another stream was glued to it: there the tables give a PID another
/// codec than before. A demuxer that keeps the codec of a PID, as libavformat does, must be opened anew there. Pure.
///
/// Packets of 188, 192 and 204 bytes. Bytes that are no transport stream give no result, and none of them are held back.
public struct TransportSplice: Sendable {
    /// Bytes before this offset belong to the part that was watched from its start.
    public private(set) var cleared: Int64
    /// Where the next part begins; nil until that is seen. Bytes behind it are not looked at.
    public private(set) var place: Int64?
    /// The codecs of the part by PID, as its tables call them.
    public private(set) var codecs: [Int: UInt8] = [:]
    private let start: Int64
    private var tables = ProgramTables()
    /// Not looked at yet, and where that begins.
    private var rest: [UInt8] = []
    private var restStart: Int64
    private var packetSize: Int?
    private var isSynchronous = false
    private var isWatched = true
    /// Bytes skipped in search of the first packet.
    private var skipped = 0
    /// Where the present run of packets with tables began, and how many packets ago that was.
    private var run: (start: Int64, packets: Int)?

    private static let sizes = [188, 192, 204]
    /// A stream that is cut anywhere shows its first packet much sooner.
    private static let searchLimit = 64 << 10
    /// The tables at the start of a stream are a few packets. What comes later is no part of the start.
    private static let longestRun = 64

    /// Watches a part that begins at an offset of its source. `codecs`: the codecs of its streams, as far as they are known.
    public init(at start: Int64 = 0, codecs: [Int: UInt8] = [:]) {
        (self.start, cleared, restStart, self.codecs) = (start, start, start, codecs)
    }

    /// Goes on at another offset of the part: the codecs there are unknown until the next table.
    public mutating func move(to offset: Int64) {
        guard place == nil else { return }
        (cleared, restStart, rest, run) = (offset, offset, [], nil)
        (codecs, isSynchronous) = ([:], false)
        tables = ProgramTables()
    }

    /// Whether packets were found.
    public var isTransport: Bool { packetSize != nil }

    /// No bytes follow for now: all bytes so far belong to the part.
    public mutating func end() {
        if place == nil { cleared = restStart + Int64(rest.count) }
    }

    /// Takes the bytes behind those that it took before.
    public mutating func take(_ bytes: UnsafeRawBufferPointer) {
        guard place == nil, !bytes.isEmpty else { return }
        guard isWatched else {
            cleared += Int64(bytes.count)
            return
        }
        rest.append(contentsOf: bytes)
        let buffer = rest
        var at = 0
        while place == nil, isWatched {
            if !isSynchronous, !synchronise(buffer, &at) { break }
            guard let size = packetSize, buffer.count - at > size else { break }
            guard buffer[at] == 0x47, buffer[at + size] == 0x47 else {
                isSynchronous = false
                at += 1
                continue
            }
            take(buffer[at..<at + 188], at: unit(at))
            at += size
        }
        let next = isWatched ? unit(min(at, buffer.count)) : restStart + Int64(buffer.count)
        restStart += Int64(min(at, buffer.count))
        rest.removeFirst(min(at, rest.count))
        if !isWatched { rest = [] }
        cleared = max(cleared, place ?? min(next, run?.start ?? next))
    }

    /// Where the packet whose first byte of synchronisation is there begins: of 192 bytes the first four are a time stamp.
    private func unit(_ at: Int) -> Int64 { max(start, restStart + Int64(at) - (packetSize ?? 192 == 192 ? 4 : 0)) }

    /// Looks for three packets in a row; false where more bytes are needed for that, or it has given up.
    private mutating func synchronise(_ buffer: [UInt8], _ at: inout Int) -> Bool {
        let sizes = packetSize.map { [$0] } ?? Self.sizes
        while at < buffer.count {
            var mayBe = false
            if buffer[at] == 0x47 {
                for size in sizes {
                    let others = [at + size, at + 2 * size]
                    guard others.allSatisfy({ $0 >= buffer.count || buffer[$0] == 0x47 }) else { continue }
                    mayBe = true
                    guard others[1] < buffer.count else { continue }
                    (packetSize, isSynchronous) = (size, true)
                    return true
                }
            }
            if mayBe { return false }
            at += 1
            skipped += 1
            if packetSize == nil, skipped > Self.searchLimit {
                isWatched = false
                return false
            }
        }
        return false
    }

    private mutating func take(_ packet: ArraySlice<UInt8>, at unit: Int64) {
        let head = packet.startIndex
        let pid = Int(packet[head + 1] & 0x1f) << 8 | Int(packet[head + 2])
        let isTable = tables.isTable(pid)
        if var present = run {
            present.packets += 1
            run = present
            if present.packets > Self.longestRun {
                tables.dropOpen()
                run = nil
            } else if !isTable, !tables.isOpen {
                run = nil
            }
        }
        guard isTable else { return }
        if run == nil { run = (unit, 1) }
        guard packet[head + 1] & 0x80 == 0, packet[head + 3] & 0x10 != 0 else { return }
        var payload = packet.dropFirst(4)
        if packet[head + 3] & 0x20 != 0 { payload = payload.dropFirst(1 + Int(packet[head + 4])) }
        for types in tables.take(payload, pid: pid, begins: packet[head + 1] & 0x40 != 0) { take(types) }
    }

    private mutating func take(_ types: [Int: UInt8]) {
        if place == nil, Self.differ(codecs, types), let run, run.start > start, run.start >= cleared {
            place = run.start
        }
        guard place == nil else { return }
        for (pid, type) in types where codecs.count < 4096 { codecs[pid] = type }
    }

    /// Whether a PID has different codecs in the two tables.
    public static func differ(_ codecs: [Int: UInt8], _ others: [Int: UInt8]) -> Bool {
        others.contains { pid, type in
            guard let former = codecs[pid].flatMap(decoder), let next = decoder(type) else { return false }
            return former != next
        }
    }

    /// The stream type of the family that a decoder decodes; nil for what is neither video nor audio, or says so in a descriptor only.
    private static func decoder(_ type: UInt8) -> UInt8? {
        switch type {
        case 0x01, 0x02: 0x02
        case 0x03, 0x04: 0x04
        case 0x0f, 0x10, 0x11, 0x1b, 0x21, 0x24, 0x33, 0x42, 0xd1, 0xd2, 0xea: type
        case 0x81, 0x84, 0x87: type
        case 0x82, 0x85, 0x86, 0x8a: 0x82
        default: nil
        }
    }
}
