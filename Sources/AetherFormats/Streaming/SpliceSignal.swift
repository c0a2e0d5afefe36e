public import AetherCore

/// The break that a message of SCTE 35 announces: the programme is left for an advertisement, or comes back.
struct SpliceSignal: Equatable {
    /// The programme is left; false: it comes back.
    let isOut: Bool
    /// Of the break, where it is said.
    let duration: TimeSpan?

    /// Reads a `splice_info_section`; nil for one that says nothing of breaks, is encrypted or cut off.
    init?(_ section: [UInt8]) {
        guard section.count >= 15, section[0] == 0xFC, section[4] & 0x80 == 0 else { return nil }
        var bits = SpliceBits(section.dropFirst(14))
        switch section[13] {
        case 5: self.init(insert: &bits)
        case 6:
            // Time, then descriptors: what they say is the kind of the segment.
            if bits.take(1) == 1 { bits.skip(39) } else { bits.skip(7) }
            self.init(descriptors: &bits)
        default: return nil
        }
    }

    private init?(insert bits: inout SpliceBits) {
        bits.skip(32)
        guard bits.take(1) == 0 else { return nil }
        bits.skip(7)
        isOut = bits.take(1) == 1
        let isWhole = bits.take(1) == 1, hasDuration = bits.take(1) == 1, isImmediate = bits.take(1) == 1
        bits.skip(4)
        if isWhole, !isImmediate {
            if bits.take(1) == 1 { bits.skip(39) } else { bits.skip(7) }
        }
        if !isWhole {
            for _ in 0..<(bits.take(8) ?? 0) {
                bits.skip(8)
                if !isImmediate { if bits.take(1) == 1 { bits.skip(39) } else { bits.skip(7) } }
            }
        }
        var ticks: Int?
        if hasDuration {
            bits.skip(7)
            ticks = bits.take(33)
        }
        guard !bits.isCutOff else { return nil }
        duration = ticks.map { TimeSpan(nanoseconds: Int64($0) * 100_000 / 9) }
    }

    /// Segments that are breaks and advertisements begin with even numbers and end with odd ones (table 23).
    private init?(descriptors bits: inout SpliceBits) {
        guard let length = bits.take(16) else { return nil }
        var rest = bits.bytes(length)[...]
        while rest.count >= 2 {
            let start = rest.startIndex, size = Int(rest[start + 1]), body = rest.dropFirst(2).prefix(size)
            if rest[start] == 2, let found = Self.segmentation(Array(body)) {
                self = found
                return
            }
            rest = rest.dropFirst(2 + size)
        }
        return nil
    }

    private init(isOut: Bool, duration: TimeSpan?) { (self.isOut, self.duration) = (isOut, duration) }

    private static func segmentation(_ body: [UInt8]) -> SpliceSignal? {
        // "CUEI", the event's number, whether it is cancelled.
        var bits = SpliceBits(body.dropFirst(8))
        guard bits.take(1) == 0 else { return nil }
        bits.skip(7)
        let isWhole = bits.take(1) == 1, hasDuration = bits.take(1) == 1
        bits.skip(6)
        if !isWhole { for _ in 0..<(bits.take(8) ?? 0) { bits.skip(48) } }
        let ticks = hasDuration ? bits.take(40) : nil
        bits.skip(8)
        bits.skip((bits.take(8) ?? 0) * 8)
        guard let type = bits.take(8),
            [0x22, 0x23].contains(type) || (0x30...0x3B).contains(type) || (0x44...0x47).contains(type)
        else {
            return nil
        }
        return SpliceSignal(
            isOut: type % 2 == 0,
            duration: ticks.map { TimeSpan(nanoseconds: Int64($0).multipliedReportingOverflow(by: 100_000).partialValue / 9) })
    }
}

/// Bits of a message, from the left.
private struct SpliceBits {
    private let source: [UInt8]
    private var place = 0

    init(_ bytes: ArraySlice<UInt8>) { source = Array(bytes) }

    /// More was taken than there is.
    var isCutOff: Bool { place > source.count * 8 }

    mutating func skip(_ count: Int) { place += max(0, count) }

    /// nil at the end.
    mutating func take(_ count: Int) -> Int? {
        defer { place += count }
        guard place + count <= source.count * 8 else { return nil }
        var value = 0
        for bit in place..<(place + count) { value = value << 1 | Int(source[bit / 8] >> UInt8(7 - bit % 8) & 1) }
        return value
    }

    /// Whole bytes from here on, as many as there are.
    func bytes(_ count: Int) -> [UInt8] { Array(source.dropFirst(place / 8).prefix(max(0, count))) }
}

extension MediaEvent {
    /// The event as a mark on the bar; nil for one that is not needed there, such as the border of a break that another event has
    /// announced.
    public var mark: SourceMark? {
        let duration = duration?.span
        let names = scheme.lowercased()
        if names.contains("scte35") {
            let isText = message.first != 0xFC
            let signal = SpliceSignal(isText ? Base64Text.bytes(message) ?? [] : message)
            guard signal?.isOut ?? (duration != nil), let length = duration ?? signal?.duration else { return nil }
            return SourceMark(.advertisement, title: "Advertisement", start: start.time, duration: length)
        }
        // Versions of the manifest, and tags that only a player of its own reads, are no events for people.
        guard !names.hasPrefix("urn:mpeg:dash:event") else { return nil }
        return SourceMark(
            .event, title: names.contains("id3") ? "ID3" : value.isEmpty ? scheme : value, start: start.time, duration: duration)
    }
}

extension SegmentList {
    /// The stretches whose segments are not there, 1000 at most.
    var gaps: [Range<Ticks>] {
        var found: [Range<Ticks>] = []
        for number in missing.prefix(1000) {
            guard let segment = segment(number) else { continue }
            if let last = found.last, last.upperBound == segment.start {
                found[found.count - 1] = last.lowerBound..<segment.end
            } else {
                found.append(segment.start..<segment.end)
            }
        }
        return found
    }
}
