import AetherCore
import AetherFormats

/// Segments of a rendition that are kept, one behind the other without a hole.
struct KeptStretch: SegmentIndex {
    private let segments: [Segment]

    /// nil for none. Their numbers follow one another.
    init?(_ segments: [Segment]) {
        guard !segments.isEmpty else { return nil }
        self.segments = segments
    }

    var numbers: Range<Int64> { segments[0].number..<segments[0].number + Int64(segments.count) }
    var start: Ticks { segments[0].start }
    var end: Ticks { segments[segments.count - 1].end }

    func segment(_ number: Int64) -> Segment? { numbers.contains(number) ? segments[Int(number - numbers.lowerBound)] : nil }

    func number(at time: Ticks) -> Int64? {
        let behind = segments.partitioningIndex { $0.start > time }
        return numbers.lowerBound + Int64(max(0, behind - 1))
    }
}
