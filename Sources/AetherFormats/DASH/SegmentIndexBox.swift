/// A segment index of the ISO base media file format (`sidx`, ISO/IEC 14496-12, 8.16.3), versions 0 and 1.
struct SegmentIndexBox: Sendable, Equatable {
    /// A part of the file.
    struct Reference: Sendable, Equatable {
        /// Bytes.
        let size: Int64
        /// Ticks.
        let duration: Int64
        /// The reference leads to another index, and to no media.
        let isIndex: Bool
        /// Begins with a key frame.
        let startsWithKeyFrame: Bool
    }

    /// Ticks a second; positive.
    let timescale: Int64
    /// The earliest presentation time, in ticks of the media.
    let start: Int64
    /// Bytes between the end of the box and what is first referred to.
    let firstOffset: Int64
    let references: [Reference]

    /// Reads what the box holds; nil where it is cut off, or where a number makes no sense.
    init?(_ body: ArraySlice<UInt8>) {
        guard let version = body.first, version <= 1, let scale = body.dropFirst(8).bigEndian(4), scale > 0 else { return nil }
        let width = version == 0 ? 4 : 8
        var rest = body.dropFirst(12)
        guard let start = rest.bigEndian(width), let offset = rest.dropFirst(width).bigEndian(width),
            let count = rest.dropFirst(2 * width + 2).bigEndian(2), start <= 1 << 62, offset <= 1 << 62
        else { return nil }
        rest = rest.dropFirst(2 * width + 4)
        guard rest.count >= count * 12 else { return nil }
        (timescale, self.start, firstOffset) = (Int64(scale), Int64(start), Int64(offset))
        references = (0..<count).map { _ in
            let size = rest.bigEndian(4) ?? 0, duration = rest.dropFirst(4).bigEndian(4) ?? 0
            let startsWithKeyFrame = (rest.dropFirst(8).first ?? 0) & 0x80 != 0
            rest = rest.dropFirst(12)
            return Reference(
                size: Int64(size & 0x7FFF_FFFF), duration: Int64(duration), isIndex: size >> 31 == 1,
                startsWithKeyFrame: startsWithKeyFrame)
        }
    }
}
