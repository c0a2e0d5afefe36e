import AetherCore

/// Writes the subtitles of a VobSub as one Matroska file (RFC 9559), for a demuxer that has one source.
public struct VobSubContainer {
    /// The file so far.
    public private(set) var bytes: [UInt8] = []

    /// With the tracks of an index: numbers 1 and on, in its order.
    public init(_ index: VobSubIndex) {
        bytes += Self.element(
            0x1A45_DFA3,
            Self.element(0x4282, Array("matroska".utf8)) + Self.element(0x4287, number: 4) + Self.element(0x4285, number: 2))
        // Of unknown length: what follows belongs to it.
        bytes += [0x18, 0x53, 0x80, 0x67, 0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
        bytes += Self.element(0x1549_A966, Self.element(0x2AD7B1, number: 1_000_000))
        let tracks = index.streams.enumerated().flatMap { place, stream -> [UInt8] in
            var entry = Self.element(0xD7, number: UInt64(place + 1)) + Self.element(0x73C5, number: UInt64(place + 1))
            entry += Self.element(0x83, number: 0x11) + Self.element(0x86, Array("S_VOBSUB".utf8))
            entry += Self.element(0x63A2, Array(index.header.utf8))
            if !stream.language.isEmpty { entry += Self.element(0x22B59C, Array(stream.language.utf8)) }
            if !stream.title.isEmpty { entry += Self.element(0x536E, Array(stream.title.utf8)) }
            return Self.element(0xAE, entry)
        }
        bytes += Self.element(0x1654_AE6B, tracks)
    }

    /// Adds a subtitle of a track, in a cluster of its own.
    public mutating func add(_ unit: [UInt8], track: Int, milliseconds: Int64) {
        // A time relative to that of the cluster, and the mark of a key frame.
        let block = [0x80 | UInt8(clamping: track), 0, 0, 0x80] + unit
        bytes += Self.element(
            0x1F43_B675, Self.element(0xE7, number: UInt64(max(0, milliseconds))) + Self.element(0xA3, block))
    }

    private static func element(_ id: UInt32, number: UInt64) -> [UInt8] {
        element(id, (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) })
    }

    /// An element whose length takes eight bytes.
    private static func element(_ id: UInt32, _ body: [UInt8]) -> [UInt8] {
        let name = (0..<4).map { UInt8(truncatingIfNeeded: id >> (24 - 8 * UInt32($0))) }.drop { $0 == 0 }
        let length = UInt64(body.count) | 1 << 56
        return name + (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * UInt64($0))) } + body
    }
}
