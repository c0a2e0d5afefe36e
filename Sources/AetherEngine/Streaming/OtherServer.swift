import AetherFormats

/// The segments of a rendition at another of its addresses.
struct OtherServer: SegmentIndex {
    private let index: any SegmentIndex
    private let address: Int

    init(_ index: any SegmentIndex, address: Int) { (self.index, self.address) = (index, address) }

    var numbers: Range<Int64> { index.numbers }
    func segment(_ number: Int64) -> Segment? { index.segment(number, address: address) }
    func number(at time: Ticks) -> Int64? { index.number(at: time) }
    var start: Ticks { index.start }
    var end: Ticks { index.end }
}
