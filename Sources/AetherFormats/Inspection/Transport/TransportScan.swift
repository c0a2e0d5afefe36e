/// The packets of an MPEG transport stream (ISO/IEC 13818-1): tables with their descriptors, and for each PID its packets, bit rate, clock, PES heads
/// and continuity errors. Of a large file the beginning is looked at.
struct TransportScan {
    /// Bytes that are looked at: at 10 Mbit/s nearly a minute.
    static let reach: Int64 = 64 << 20
    /// Of a server.
    static let frugalReach: Int64 = 1 << 20
    private static let pidLimit = 512
    private static let tableLimit = 256

    private let source: InspectedBytes
    private var pids: [Int: TransportPID] = [:]
    private var sections: [Int: SectionAssembly] = [:]
    private var tables: [InspectedBox] = []
    private var seen: Set<[UInt8]> = []
    private var mapPIDs: Set<Int> = []
    private var kinds: [Int: String] = [:]
    private var packets: Int64 = 0
    private var lost: [String] = []

    private init(_ source: InspectedBytes) { self.source = source }

    static func boxes(_ source: InspectedBytes) -> [InspectedBox] {
        let head = Array(source.bytes(at: 0, count: 1024))
        guard let packets = TransportPackets(head) else { return [] }
        var scan = TransportScan(source)
        return scan.run(packets.size, packets.start)
    }

    private mutating func run(_ size: Int, _ start: Int) -> [InspectedBox] {
        let all = source.size ?? Int64.max
        let end = min(all, source.isFrugal ? Self.frugalReach : Self.reach), piece = 256 * size
        var offset = Int64(start)
        while offset < end {
            let bytes = Array(source.bytes(at: offset, count: piece))
            guard bytes.count >= 188 else { break }
            var place = 0
            while place + 188 <= bytes.count {
                if bytes[place] != 0x47 {
                    let next = bytes[place...].indices.first {
                        bytes[$0] == 0x47 && ($0 + size >= bytes.count || bytes[$0 + size] == 0x47)
                    }
                    if lost.count < 16 {
                        lost.append("\((next ?? bytes.count) - place) bytes at \(offset + Int64(place)) are not a packet")
                    }
                    place = next ?? bytes.count
                    continue
                }
                take(bytes[place..<(place + 188)], at: offset + Int64(place))
                place += size
            }
            offset += Int64(max(place, 1))
        }
        return report(size, start, min(offset, all), all)
    }

    private mutating func take(_ packet: ArraySlice<UInt8>, at offset: Int64) {
        let first = packet.startIndex
        let pid = Int(packet[first + 1] & 0x1F) << 8 | Int(packet[first + 2])
        packets += 1
        guard pids[pid] != nil || pids.count < Self.pidLimit else { return }
        let payload = pids[pid, default: TransportPID(pid)].take(packet, at: offset, number: packets)
        guard let payload, pid < 0x20 || mapPIDs.contains(pid) else { return }
        for (bytes, place) in sections[pid, default: SectionAssembly()].take(
            payload, begins: packet[first + 1] & 0x40 != 0, at: offset)
        {
            section(bytes, pid, place)
        }
    }

    private mutating func section(_ bytes: [UInt8], _ pid: Int, _ offset: Int64) {
        guard tables.count < Self.tableLimit, seen.insert(bytes).inserted else { return }
        let table = TransportTable(bytes, pid: pid, offset: offset)
        for pid in table.mapPIDs where mapPIDs.count < Self.pidLimit { mapPIDs.insert(pid) }
        for (pid, name) in table.streams where kinds.count < Self.pidLimit { kinds[pid] = name }
        tables.append(table.box)
    }

    private func report(_ size: Int, _ start: Int, _ end: Int64, _ all: Int64) -> [InspectedBox] {
        var stream = InspectedBox(
            "TS", title: "Transport Stream", offset: Int64(start), size: all == Int64.max ? end : all - Int64(start))
        let clock = pids.values.compactMap { $0.clock }.max { $0.ticks < $1.ticks }
        let rate = clock.map { Double($0.packets) * Double(size) * 8 * 27e6 / Double($0.ticks) }
        stream.fields = [
            InspectedField("packet_size", .integer(Int64(size)), unit: "bytes"), InspectedField("packets", .integer(packets)),
            InspectedField("continuity_errors", .integer(Int64(pids.values.reduce(0) { $0 + $1.gaps }))),
        ]
        if let rate {
            stream.fields.append(InspectedField("bit_rate", .number(rate.rounded()), unit: "bit/s", meaning: "by the clock"))
        }
        if let clock {
            stream.fields.append(
                InspectedField(
                    "duration", .number((Double(clock.ticks) / 27).rounded() / 1e6), unit: "s", meaning: "by the clock"))
        }
        stream.damage = lost
        // Of 192 bytes the first four are a time stamp.
        if start > 0, !(size == 192 && start == 4) { stream.damage.append("\(start) bytes before the first packet") }
        if all != Int64.max, end < all, all - end >= 188 {
            stream.damage.append("the first \(end) of \(all) bytes were looked at")
        }
        let seconds = clock.map { Double($0.ticks) / 27e6 }
        stream.children =
            tables
            + pids.values.sorted { $0.pid < $1.pid }.map { $0.box(kind: kinds[$0.pid], packetSize: size, seconds: seconds) }
        return [stream]
    }
}

/// Puts sections together out of payloads.
struct SectionAssembly {
    private var open: [UInt8]?
    private var start: Int64 = 0

    /// Takes the payload of a packet that lies at an offset; returns the sections that it completes, with the places at which they began.
    mutating func take(_ payload: ArraySlice<UInt8>, begins: Bool, at offset: Int64) -> [(bytes: [UInt8], offset: Int64)] {
        var found: [(bytes: [UInt8], offset: Int64)] = []
        var rest = payload
        if begins {
            guard let pointer = rest.popFirst(), Int(pointer) <= rest.count else { return [] }
            if let former = open { found += split(former + rest.prefix(Int(pointer)), start).found }
            rest = rest.dropFirst(Int(pointer))
            let (more, left) = split(Array(rest), offset)
            found += more
            (open, start) = (left, offset)
        } else if let former = open {
            let (more, left) = split(former + rest, start)
            found += more
            open = left
        }
        return found
    }

    private func split(_ bytes: [UInt8], _ offset: Int64) -> (found: [(bytes: [UInt8], offset: Int64)], left: [UInt8]?) {
        var rest = bytes[...], found: [(bytes: [UInt8], offset: Int64)] = []
        while let first = rest.first, first != 0xFF {
            guard rest.count >= 3 else { return (found, Array(rest)) }
            let length = 3 + (Int(rest[rest.startIndex + 1] & 0x0F) << 8 | Int(rest[rest.startIndex + 2]))
            guard rest.count >= length else { return (found, Array(rest)) }
            found.append((Array(rest.prefix(length)), offset))
            rest = rest.dropFirst(length)
        }
        return (found, nil)
    }
}
