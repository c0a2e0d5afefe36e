/// Values as an MPD writes them.
enum MPDValue {
    /// A duration of XML Schema: "PT1H2M3.5S". Years have 365 days and months 30. nil for others, negative ones and more than 100 years.
    /// In the coarsest of seconds, milliseconds, microseconds and nanoseconds in which it is whole, so that sums with it fit.
    static func duration(_ text: String) -> Ticks? {
        var rest = text.utf8[...], total: Int128 = 0, isTime = false, count = 0
        guard rest.popFirst() == UInt8(ascii: "P") else { return nil }
        while let byte = rest.first {
            if byte == UInt8(ascii: "T") {
                guard !isTime else { return nil }
                isTime = true
                rest.removeFirst()
                continue
            }
            guard let nanoseconds = decimal(&rest), let unit = rest.popFirst(), let seconds = seconds(unit, isTime: isTime) else {
                return nil
            }
            total += Int128(nanoseconds) * Int128(seconds)
            count += 1
            guard total <= 3_155_760_000 * 1_000_000_000 else { return nil }
        }
        return count > 0 ? ticks(nanoseconds: Int64(total)) : nil
    }

    /// Nanoseconds in the coarsest scale in which they are whole.
    static func ticks(nanoseconds: Int64) -> Ticks {
        for unit: Int64 in [1_000_000_000, 1_000_000, 1000] where nanoseconds % unit == 0 {
            return Ticks(nanoseconds / unit, timescale: Ticks.nanoseconds / unit)
        }
        return Ticks(nanoseconds, timescale: Ticks.nanoseconds)
    }

    private static func seconds(_ unit: UInt8, isTime: Bool) -> Int64? {
        switch (Unicode.Scalar(unit), isTime) {
        case ("Y", false): 365 * 86_400
        case ("M", false): 30 * 86_400
        case ("D", false): 86_400
        case ("H", true): 3600
        case ("M", true): 60
        case ("S", true): 1
        default: nil
        }
    }

    /// A decimal in billionths, from the tenth digit behind the point on cut off.
    private static func decimal(_ rest: inout Substring.UTF8View) -> Int64? {
        var value: Int64 = 0, digits = 0
        while let byte = rest.first, let digit = HLSNumber.digit(byte) {
            guard value < 10_000_000_000 else { return nil }
            value = value * 10 + digit
            digits += 1
            rest.removeFirst()
        }
        let (whole, overflow) = value.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return nil }
        var fraction: Int64 = 0, weight: Int64 = 100_000_000
        if rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: ",") {
            rest.removeFirst()
            while let byte = rest.first, let digit = HLSNumber.digit(byte) {
                fraction += digit * weight
                weight /= 10
                digits += 1
                rest.removeFirst()
            }
        }
        guard digits > 0 else { return nil }
        let (sum, over) = whole.addingReportingOverflow(fraction)
        return over ? nil : sum
    }
    /// Seconds with a fraction, or "INF", of which a day is enough; 0 for others.
    static func offset(_ text: String) -> Ticks {
        let day = Ticks(86_400, timescale: 1)
        return text == "INF" ? day : min(day, duration("PT\(text)S") ?? .zero)
    }

    /// "0-794": the first byte and the last one.
    static func byteRange(_ bytes: [UInt8], _ range: Range<Int>) -> ByteRange? {
        guard let dash = bytes[range].firstIndex(of: UInt8(ascii: "-")),
            let first = HLSNumber.integer(bytes, range.lowerBound..<dash),
            let last = HLSNumber.integer(bytes, (dash + 1)..<range.upperBound), last >= first
        else { return nil }
        return ByteRange(offset: first, length: last - first + 1)
    }

    /// "25", "30000/1001" or "23.976".
    static func frameRate(_ text: String) -> StatedRate? {
        if let whole = Int(text) { return (1...1000).contains(whole) ? StatedRate(millihertz: whole * 1000) : nil }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Double($0) }
        guard parts.count <= 2, let first = parts.first, let value = first,
            let divisor = parts.count == 2 ? parts[1] : 1, divisor > 0, value > 0, (value / divisor).isFinite,
            value / divisor <= 1000
        else { return nil }
        return StatedRate(millihertz: Int((value / divisor * 1000).rounded()))
    }

    /// A moment in nanoseconds since 1970; without a zone it is UTC.
    static func date(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        return HLSNumber.date(bytes, 0..<bytes.count)
    }
}

extension XMLElement {
    /// An attribute that counts something; nil where there is none. Throws `.number` for what is no whole number from 0 to 2^62.
    func count(_ name: StaticString) throws(StreamFault) -> Int64? {
        guard let range = range(name) else { return nil }
        guard let value = HLSNumber.integer(tree.bytes, XMLTree.trimmed(range, tree.bytes)) else { throw badNumber(name) }
        return value
    }

    /// Like `count`, with a sign.
    func signed(_ name: StaticString) throws(StreamFault) -> Int64? {
        guard let range = range(name).map({ XMLTree.trimmed($0, tree.bytes) }) else { return nil }
        let isNegative = range.first.map { tree.bytes[$0] == UInt8(ascii: "-") } ?? false
        guard let value = HLSNumber.integer(tree.bytes, isNegative ? range.dropFirst() : range) else { throw badNumber(name) }
        return isNegative ? -value : value
    }

    /// A duration of XML Schema; nil where there is none. Throws `.number`.
    func duration(_ name: StaticString) throws(StreamFault) -> Ticks? {
        guard let text = attribute(name) else { return nil }
        guard let value = MPDValue.duration(text) else { throw badNumber(name) }
        return value
    }

    /// A moment in nanoseconds since 1970; nil where there is none. Throws `.number`.
    func date(_ name: StaticString) throws(StreamFault) -> Int64? {
        guard let text = attribute(name) else { return nil }
        guard let value = MPDValue.date(text) else { throw badNumber(name) }
        return value
    }

    /// A range of bytes; nil where there is none. Throws `.number`.
    func byteRange(_ name: StaticString) throws(StreamFault) -> ByteRange? {
        guard let range = range(name) else { return nil }
        guard let value = MPDValue.byteRange(tree.bytes, XMLTree.trimmed(range, tree.bytes)) else { throw badNumber(name) }
        return value
    }

    private func badNumber(_ name: StaticString) -> StreamFault {
        StreamFault(.number("\(self.name)@\(name)"), line: line, subject: attribute(name) ?? "")
    }
}
