/// The units of a packet of AV1 (a temporal unit: all that belongs to one shown frame), as far as they tell whether another
/// frame needs it. AV1 Bitstream & Decoding Process Specification, 5.3 and 5.9. Pure; of hostile bytes, where what is unclear is needed.
struct AV1Units {
    private let bytes: UnsafeRawBufferPointer
    private static let (sequenceHeader, frameHeader, frame) = (1, 3, 6)
    /// A temporal unit has a few; a thousand are garbage.
    private static let limit = 1000

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Whether no frame refers to what is in it, so that it may be left out. `sequence` is what holds so far; a newer header is taken over.
    func isDroppable(_ sequence: inout AV1Sequence?) -> Bool {
        var position = 0, count = 0, frames = 0, isDroppable = true
        while position < bytes.count, count < Self.limit {
            count += 1
            let head = Int(bytes[position])
            position += head & 4 != 0 ? 2 : 1
            guard let size = head & 2 != 0 ? length(&position) : bytes.count - position, size >= 0, size <= bytes.count - position
            else { return false }
            let payload = UnsafeRawBufferPointer(rebasing: bytes[position..<position + size])
            position += size
            switch head >> 3 & 15 {
            case Self.sequenceHeader:
                sequence = AV1Sequence(payload)
                isDroppable = false
            case Self.frameHeader, Self.frame:
                frames += 1
                isDroppable = isDroppable && (sequence.map { !Self.isNeeded(payload, $0) } ?? false)
            default: break
            }
        }
        return isDroppable && frames > 0
    }

    /// A number in groups of seven bits, lowest first; nil past the end.
    private func length(_ position: inout Int) -> Int? {
        var value = 0
        for group in 0..<5 {
            guard position < bytes.count else { return nil }
            value |= Int(bytes[position] & 127) << (7 * group)
            position += 1
            if bytes[position - 1] < 128 { return value }
        }
        return nil
    }

    /// Whether a frame is kept for others.
    private static func isNeeded(_ bytes: UnsafeRawBufferPointer, _ sequence: AV1Sequence) -> Bool {
        guard !sequence.isReduced, !sequence.hasDecoderModel else { return true }
        var bits = BitReader(bytes)
        // One that was kept is shown: nothing is won by leaving it out, and a key frame renews all others.
        if bits.flag() { return true }
        let type = bits.read(2), isShown = bits.flag()
        // Key frames that are shown, and switch frames, renew all.
        if type == 3 || type == 0 && isShown { return true }
        if !isShown { bits.skip(1) }
        let isResilient = bits.flag()
        // disable_cdf_update
        bits.skip(1)
        let hasTools = sequence.screenContentTools == 2 ? bits.flag() : sequence.screenContentTools == 1
        if hasTools, sequence.integerMotion == 2 { bits.skip(1) }
        // current_frame_id, frame_size_override_flag, order_hint
        bits.skip(sequence.frameIDBits + 1 + sequence.orderHintBits)
        if type == 1, !isResilient { bits.skip(3) }
        let refreshed = bits.read(8)
        return bits.isOverrun || refreshed != 0
    }
}
