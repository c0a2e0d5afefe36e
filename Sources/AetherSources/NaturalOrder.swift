/// The order in which a person lists names: runs of digits compare as numbers, letters without regard to case, so that
/// `film2` comes before `film10`.
public enum NaturalOrder {
    /// Whether `a` comes before `b`. A strict total order: names that differ only in case or leading zeros fall back to bytes.
    public static func precedes(_ a: String, _ b: String) -> Bool {
        let (left, right) = (Array(a.lowercased().unicodeScalars), Array(b.lowercased().unicodeScalars))
        var (i, j) = (0, 0)
        while i < left.count, j < right.count {
            if isDigit(left[i]), isDigit(right[j]) {
                let (first, second) = (digits(left, &i), digits(right, &j))
                if first.count != second.count { return first.count < second.count }
                if let k = first.indices.first(where: { first[$0] != second[$0] }) { return first[k].value < second[k].value }
                continue
            }
            if left[i] != right[j] { return left[i].value < right[j].value }
            i += 1
            j += 1
        }
        let (restLeft, restRight) = (left.count - i, right.count - j)
        return restLeft != restRight ? restLeft < restRight : a < b
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { (0x30...0x39).contains(scalar.value) }

    /// The run of digits at the index without its leading zeros; the index moves behind it.
    private static func digits(_ text: [Unicode.Scalar], _ index: inout Int) -> [Unicode.Scalar] {
        let start = index
        while index < text.count, isDigit(text[index]) { index += 1 }
        return Array(text[start..<index].drop { $0 == "0" })
    }
}
