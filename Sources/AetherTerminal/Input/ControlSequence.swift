/// A complete CSI sequence, taken apart.
struct ControlSequence {
    /// `?`, `>`, `<` or `=` before the parameters.
    let prefix: UInt8?
    /// The parameters with their sub-parameters (after colons); nil where one was left out. Clamped to 65535.
    let parameters: [[Int?]]
    let intermediates: [UInt8]
    let final: UInt8

    /// Takes a body (everything between `CSI` and the final byte) apart; nil when it is not well formed.
    init?(body: [UInt8], final: UInt8) {
        var rest = body[...]
        if let first = rest.first, (0x3C...0x3F).contains(first) {
            prefix = first
            rest.removeFirst()
        } else {
            prefix = nil
        }
        let split = rest.firstIndex { $0 < 0x30 } ?? rest.endIndex
        let intermediates = rest[split...]
        guard intermediates.allSatisfy({ $0 < 0x30 }), rest[..<split].allSatisfy({ $0 < 0x3C }) else { return nil }
        parameters =
            rest[..<split].isEmpty
            ? [] : rest[..<split].split(separator: 0x3B, omittingEmptySubsequences: false).map { Self.subParameters($0) }
        self.intermediates = Array(intermediates)
        self.final = final
    }

    /// The first value of the parameter at an index, or nil.
    func value(_ index: Int) -> Int? {
        guard parameters.indices.contains(index) else { return nil }
        return parameters[index].first ?? nil
    }

    /// The first values of all parameters; those left out count as 0.
    var values: [Int] { parameters.map { ($0.first ?? nil) ?? 0 } }

    var isPasteStart: Bool { prefix == nil && intermediates.isEmpty && final == 0x7E && value(0) == 200 }

    /// `CSI I` and `CSI O`.
    var focus: Bool? {
        guard prefix == nil, parameters.isEmpty, intermediates.isEmpty else { return nil }
        return final == 0x49 ? true : final == 0x4F ? false : nil
    }

    /// Semicolon-separated numbers.
    static func numbers(_ text: ArraySlice<UInt8>) -> [Int] {
        text.isEmpty ? [] : text.split(separator: 0x3B, omittingEmptySubsequences: false).map { number($0) ?? 0 }
    }

    private static func subParameters(_ text: ArraySlice<UInt8>) -> [Int?] {
        text.split(separator: 0x3A, omittingEmptySubsequences: false).map { number($0) }
    }

    /// Decimal digits to a number of at most 65535; nil for none or for anything else.
    static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard !digits.isEmpty else { return nil }
        var value = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            value = min(65535, value * 10 + Int(digit) - 0x30)
        }
        return value
    }
}
