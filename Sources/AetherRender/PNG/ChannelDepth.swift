/// The bits of each channel that are sent. Fewer bits compress better; the ends 0 and 255 stay what they are.
struct ChannelDepth: Equatable, Sendable {
    /// 4…8.
    let bits: Int

    init(bits: Int) { self.bits = min(8, max(4, bits)) }

    /// All bits.
    static let full = ChannelDepth(bits: 8)

    /// Half a step: the furthest that a channel is off.
    var half: UInt8 { bits == 8 ? 0 : 1 << UInt8(7 - bits) }
    /// The bits that stay.
    var mask: UInt8 { ~((1 << UInt8(8 - bits)) &- 1) }
}
