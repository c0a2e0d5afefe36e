/// The table of a clip, as a CLPI file has it: its clocks, and the packets at which decoding can begin. Times are ticks of 90 kHz. Pure.
public struct ClipTable: Sendable, Equatable {
    /// A point at which decoding can begin.
    public struct Unit: Sendable, Equatable {
        /// When its first frame is shown, rounded down to 256 ticks of 45 kHz.
        public let time: Int64
        /// The number of its first packet.
        public let packet: Int

        /// A point.
        public init(time: Int64, packet: Int) { (self.time, self.packet) = (time, packet) }
    }

    /// Bytes of a packet: those of a transport stream behind four of its time.
    public static let packetSize = 192
    /// The bytes that the file begins with.
    public static let magic = "HDMV"
    /// The first packet of each clock, ascending from 0.
    public let clocks: [Int]
    /// In the order of the packets.
    public let units: [Unit]

    private static let name = "table of a clip"
    /// A unit lasts a quarter of a second at least: 24 hours of them.
    private static let unitLimit = 400_000

    /// A table.
    public init(clocks: [Int] = [0], units: [Unit]) { (self.clocks, self.units) = (clocks, units) }

    /// Reads the file.
    public init(_ file: [UInt8]) throws(DiscFault) {
        let bytes = DiscBytes(file, name: Self.name)
        guard bytes.hasPrefix(Self.magic) else { throw .damaged(Self.name) }
        clocks = try Self.clocks(bytes.table(at: bytes.long(8), name: Self.name))
        units = try Self.units(bytes.table(at: bytes.long(16), name: Self.name))
    }

    private static func clocks(_ table: DiscBytes) throws(DiscFault) -> [Int] {
        guard try table.long(0) > 1 else { return [0] }
        var clocks: [Int] = [], place = 6
        for _ in 0..<(try table.byte(5)) {
            let count = try table.byte(place + 4)
            place += 6
            for _ in 0..<count {
                let packet = try table.long(place + 2)
                guard packet >= clocks.last ?? 0 else { throw .damaged(name) }
                clocks.append(packet)
                place += 14
            }
        }
        return clocks.isEmpty ? [0] : clocks
    }

    /// The map of the first stream, which is the video.
    private static func units(_ table: DiscBytes) throws(DiscFault) -> [Unit] {
        guard try table.long(0) > 2, try table.short(4) & 15 == 1 else { return [] }
        let map = try table.table(at: 6, name: name)
        guard try map.byte(1) > 0 else { return [] }
        // Behind the PID 10 spare bits, 4 of the type, 16 and 18 of the counts, and the place.
        let counts = try map.long(4) << 16 | map.short(8)
        return try units(map, coarseCount: counts >> 18 & 0xFFFF, fineCount: counts & 0x3FFFF)
    }

    private static func units(_ map: DiscBytes, coarseCount: Int, fineCount: Int) throws(DiscFault) -> [Unit] {
        guard fineCount <= unitLimit, coarseCount <= fineCount, coarseCount > 0 else { return [] }
        let own = try map.table(at: map.long(10), name: name)
        let fine = try own.table(at: own.long(0), name: name)
        var units: [Unit] = []
        for index in 0..<coarseCount {
            let place = 4 + 8 * index, head = try own.long(place), base = try own.long(place + 4)
            let first = head >> 14, high = Int64(head & 0x3FFE) << 19
            let last = try index + 1 < coarseCount ? own.long(place + 8) >> 14 : fineCount
            guard first <= last, last <= fineCount else { throw .damaged(name) }
            for number in first..<last {
                let entry = try fine.long(4 * number)
                // Coarse and fine numbers share one bit of the time and none of the place: the fine one counts.
                let time = high + Int64(entry >> 17 & 0x7FF) << 9
                let packet = base & ~0x1FFFF + entry & 0x1FFFF
                guard packet >= units.last?.packet ?? 0 else { throw .damaged(name) }
                units.append(Unit(time: time, packet: packet))
            }
        }
        return units
    }

    /// The packets of a clock; without an end where it is the last.
    private func packets(ofClock number: Int) -> (first: Int, end: Int?) {
        let index = clocks.indices.contains(number) ? number : 0
        return (clocks[index], index + 1 < clocks.count ? clocks[index + 1] : nil)
    }

    /// The units of a clock.
    public func units(ofClock number: Int) -> [Unit] {
        let (first, end) = packets(ofClock: number)
        return units.filter { $0.packet >= first && $0.packet < end ?? .max }
    }

    /// The packets that a part of a clip needs: from the beginning of its clock, where the tables of the stream stand, to behind its end, for audio
    /// lies behind the frames that it belongs to. Without an end: to the clip's.
    public func packets(for times: Range<Int64>, clock number: Int) -> (first: Int, end: Int?) {
        let (first, end) = packets(ofClock: number)
        return (first, units(ofClock: number).first { $0.time >= times.upperBound + Self.lag }?.packet ?? end)
    }

    /// How far audio lies behind, at most: 1.5 s.
    private static let lag: Int64 = 135_000

    /// The packet from which on decoding leads to a time by a clock.
    public func packet(before time: Int64, clock number: Int) -> Int {
        let units = units(ofClock: number)
        return units.dropFirst().last { $0.time <= time }?.packet ?? packets(ofClock: number).first
    }
}
