/// A sentence for people, in English, and the values in it: `"\(done) of \(all) files"`. Its key in the catalogues is the sentence with %1, %2 and so
/// on in the places of the values, which a translation may put in another order.
public struct Phrase: Sendable, Equatable, ExpressibleByStringInterpolation {
    /// The English sentence with its marks.
    public let key: String
    /// The values, in the order of the English sentence.
    let values: [String]

    /// A sentence without values, also one that is only known while the program runs.
    public init(stringLiteral key: String) { (self.key, values) = (key, []) }

    /// A sentence with values.
    public init(stringInterpolation: Interpolation) {
        (key, values) = (stringInterpolation.key, stringInterpolation.values)
    }

    /// The collector of a sentence's parts.
    public struct Interpolation: StringInterpolationProtocol {
        fileprivate var key = ""
        fileprivate var values: [String] = []

        /// Room for the parts of a sentence.
        public init(literalCapacity: Int, interpolationCount: Int) {
            key.reserveCapacity(literalCapacity + interpolationCount * 2)
            values.reserveCapacity(interpolationCount)
        }

        /// Words of the sentence.
        public mutating func appendLiteral(_ literal: String) { key += literal }

        /// A value.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            values.append(value.description)
            key += "%\(values.count)"
        }

        /// An error's own words.
        public mutating func appendInterpolation(_ error: any Error) {
            values.append("\(error)")
            key += "%\(values.count)"
        }
    }

    /// A translation of the key (or the key itself) with the values in it; a mark without a value stays as it is.
    func filled(_ text: String) -> String {
        guard !values.isEmpty else { return text }
        var result = "", isMark = false
        for scalar in text.unicodeScalars {
            if isMark {
                isMark = false
                if (0x31...0x39).contains(scalar.value), values.indices.contains(Int(scalar.value) - 0x31) {
                    result += values[Int(scalar.value) - 0x31]
                    continue
                }
                result.unicodeScalars.append("%")
            }
            if scalar == "%" { isMark = true } else { result.unicodeScalars.append(scalar) }
        }
        return isMark ? result + "%" : result
    }
}
