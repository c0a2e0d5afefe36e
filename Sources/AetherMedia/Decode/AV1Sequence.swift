/// The fields of an AV1 sequence header that are needed to read the beginning of frame headers. AV1 Bitstream & Decoding Process
/// Specification, 5.5. Of hostile bytes: what cannot be read is nil.
struct AV1Sequence: Equatable {
    private(set) var isReduced = false
    /// Times for a decoder model follow in frame headers: rare, and their lengths depend on all operating points.
    private(set) var hasDecoderModel = false
    private(set) var frameIDBits = 0
    /// 2: each frame says.
    private(set) var screenContentTools = 2
    private(set) var integerMotion = 2
    private(set) var orderHintBits = 0

    /// Reads the payload of a unit.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var bits = BitReader(bytes)
        // seq_profile, still_picture
        bits.skip(4)
        isReduced = bits.flag()
        if isReduced { bits.skip(5) } else { readOperatingPoints(&bits) }
        if hasDecoderModel { return }
        let (width, height) = (bits.read(4) + 1, bits.read(4) + 1)
        bits.skip(width + height)
        if !isReduced, bits.flag() {
            let delta = bits.read(4) + 2
            frameIDBits = delta + bits.read(3) + 1
        }
        // use_128x128_superblock, enable_filter_intra, enable_intra_edge_filter
        bits.skip(3)
        if !isReduced { readTools(&bits) }
        if bits.isOverrun { return nil }
    }

    private mutating func readOperatingPoints(_ bits: inout BitReader) {
        if bits.flag() {
            bits.skip(64)
            if bits.flag() { _ = bits.exponentialGolomb() }
            hasDecoderModel = bits.flag()
            if hasDecoderModel { return }
        }
        let hasDelay = bits.flag()
        for _ in 0...bits.read(5) {
            bits.skip(12)
            if bits.read(5) > 7 { bits.skip(1) }
            if hasDelay { bits.skipOptional(4) }
        }
    }

    private mutating func readTools(_ bits: inout BitReader) {
        // enable_interintra_compound, enable_masked_compound, enable_warped_motion, enable_dual_filter
        bits.skip(4)
        let hasOrderHint = bits.flag()
        if hasOrderHint { bits.skip(2) }
        screenContentTools = bits.flag() ? 2 : bits.read(1)
        integerMotion = screenContentTools > 0 && !bits.flag() ? bits.read(1) : 2
        if hasOrderHint { orderHintBits = bits.read(3) + 1 }
    }
}
