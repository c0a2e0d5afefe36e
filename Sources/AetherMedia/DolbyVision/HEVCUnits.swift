import AetherCore

/// The layout of NAL units in packets of HEVC: behind their lengths (MP4, Matroska) or start codes (transport streams).
/// Bytes are hostile.
struct HEVCUnits: Equatable, Sendable {
    /// Of the length ahead of each unit; 0 for start codes.
    let lengthBytes: Int

    /// By what the container keeps for the decoder: `hvcC` says how long lengths are, everything else stands for start codes.
    init(header: [UInt8]) {
        let isRecord = header.count >= 23 && (header[0] != 0 || header[1] != 0 || header[2] > 1)
        lengthBytes = isRecord ? Int(header[21] & 3) + 1 : 0
    }

    /// Units of one packet that are looked at. A frame of 4K has a few dozen slices; 600 are what the standard's highest level allows.
    private static let unitLimit = 1024

    /// The packet's units, from the last to the first.
    private func units(_ packet: UnsafeRawBufferPointer) -> [Range<Int>] {
        guard lengthBytes > 0 else { return HEVCUnits.unitsBehindStartCodes(packet) }
        var ranges: [Range<Int>] = []
        var place = 0
        while packet.count - place > lengthBytes, ranges.count < HEVCUnits.unitLimit {
            let size = (0..<lengthBytes).reduce(0) { $0 << 8 | Int(packet[place + $1]) }
            place += lengthBytes
            guard size <= packet.count - place else { break }
            ranges.append(place..<place + size)
            place += size
        }
        return ranges.reversed()
    }

    /// The last units, as far as they lie within `DolbyVisionReader.sizeLimit` of the end: metadata is written last, and frames are long.
    private static func unitsBehindStartCodes(_ packet: UnsafeRawBufferPointer) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var end = packet.count
        let first = max(0, packet.count - DolbyVisionReader.sizeLimit)
        while ranges.count < unitLimit,
            let place = BytePattern.startCode.last(in: packet, from: first, before: min(end, packet.count - 1))
        {
            var last = end
            while last > place + 3, packet[last - 1] == 0 { last -= 1 }
            ranges.append(place + 3..<last)
            end = place
        }
        return ranges
    }

    /// The unit of Dolby Vision's metadata (type 62 of the lowest layer), header and emulation prevention included; nil without one, or where it
    /// is longer than any that is read.
    func metadata(in packet: UnsafeRawBufferPointer) -> [UInt8]? {
        for range in units(packet) where range.count > 2 && range.count <= DolbyVisionReader.sizeLimit {
            // 0x7C01: type 62, layer 0, first temporal level, which is what FFmpeg's decoder takes.
            if packet[range.lowerBound] == 0x7C, packet[range.lowerBound + 1] == 0x01 { return Array(packet[range]) }
        }
        return nil
    }

    /// Units of messages ahead of the frame (SEI, type 39), header and emulation prevention included.
    func messages(in packet: UnsafeRawBufferPointer) -> [Range<Int>] {
        let all = lengthBytes > 0 ? units(packet) : HEVCUnits.firstUnitsBehindStartCodes(packet)
        return all.filter { $0.count > 4 && packet[$0.lowerBound] >> 1 & 63 == 39 }
    }

    /// The first units of a packet, up to the first slice: its messages stand before it.
    private static func firstUnitsBehindStartCodes(_ packet: UnsafeRawBufferPointer) -> [Range<Int>] {
        var ranges: [Range<Int>] = [], start: Int?
        let end = min(packet.count - 1, messageRoom + 2)
        while ranges.count < unitLimit, let place = BytePattern.startCode.first(in: packet, from: start ?? 0, before: end) {
            if let start { ranges.append(start..<place) }
            if packet[place + 3] >> 1 & 63 < 32 { return ranges }
            start = place + 3
        }
        return ranges
    }

    /// Parameter sets and messages ahead of a frame are some hundreds of bytes, mastering data and captions included.
    private static let messageRoom = 64 << 10

    /// Whether units of an enhancement layer (type 63) lie wrapped in the packet: both layers are in one stream then.
    func hasWrappedLayer(_ packet: UnsafeRawBufferPointer) -> Bool {
        units(packet).contains { $0.count > 2 && packet[$0.lowerBound] >> 1 & 63 == 63 }
    }

    /// The packet without units of Dolby Vision (types 62 and 63); nil where it has none.
    func baseLayer(of packet: UnsafeRawBufferPointer) -> [UInt8]? {
        let head = lengthBytes > 0 ? lengthBytes : 3
        var base: [UInt8] = [], isOther = false
        for unit in lengthBytes > 0 ? units(packet).reversed() : HEVCUnits.allUnits(packet) {
            if unit.count > 1, packet[unit.lowerBound] >> 1 & 63 >= 62 {
                isOther = true
            } else {
                base += packet[unit.lowerBound - head..<unit.upperBound]
            }
        }
        return isOther ? base : nil
    }

    /// All units behind start codes, in their order.
    private static func allUnits(_ packet: UnsafeRawBufferPointer) -> [Range<Int>] {
        var ranges: [Range<Int>] = [], start: Int?
        while ranges.count < unitLimit, let place = BytePattern.startCode.first(in: packet, from: start ?? 0) {
            if let start { ranges.append(start..<place) }
            start = place + 3
        }
        if let start { ranges.append(start..<packet.count) }
        return ranges
    }

    /// A unit as it is put behind others; nil where its length cannot be written.
    func framed(_ unit: [UInt8]) -> [UInt8]? {
        guard lengthBytes > 0 else { return [0, 0, 0, 1] + unit }
        guard unit.count < 1 << (8 * lengthBytes) else { return nil }
        return (0..<lengthBytes).reversed().map { UInt8(truncatingIfNeeded: unit.count >> (8 * $0)) } + unit
    }
}
