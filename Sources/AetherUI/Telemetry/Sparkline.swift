/// A curve of signs of eight heights, the newest at the right. What is not known is a blank.
struct Sparkline {
    private static let blocks = Array("▁▂▃▄▅▆▇█"), letters = Array("_.-:=+*#")
    private let heights: [Int?]

    /// The last `width` values. The lowest sign is `floor` (0 unless values lie below) and the highest the largest value, but at least
    /// `ceiling`: so that noise under what matters stays low.
    init(_ values: [Double?], width: Int, floor: Double = 0, ceiling: Double = 0) {
        let shown = values.suffix(max(0, width))
        let known = shown.compactMap { $0 }.filter(\.isFinite)
        let low = min(floor, known.min() ?? floor), high = max(ceiling, known.max() ?? ceiling)
        heights = shown.map { value in
            guard let value, value.isFinite else { return nil }
            guard high > low else { return 0 }
            return min(7, max(0, Int(((value - low) / (high - low) * 7).rounded())))
        }
    }

    /// The last `length` values in so many columns: each has the largest of those that fall together, so that a peak of a second is seen at
    /// any width. What has not been measured yet is left out at the left.
    static func fitted(_ values: [Double?], length: Int, into width: Int) -> [Double?] {
        let values = Array(values.suffix(length))
        guard width > 0, width < length else { return values }
        // Counted from the newest: a column is the same age whatever was measured before.
        let columns = (0..<width).map { column -> [Double?] in
            let oldest = (width - column) * length / width, newest = (width - column - 1) * length / width
            return Array(values.dropLast(min(values.count, newest)).suffix(max(0, min(oldest, values.count) - newest)))
        }
        return columns.drop { $0.isEmpty }.map { $0.compactMap { $0 }.filter(\.isFinite).max() }
    }

    func text(isUnicode: Bool) -> String {
        let signs = isUnicode ? Self.blocks : Self.letters
        return String(heights.map { $0.map { signs[$0] } ?? " " })
    }
}
