/// Numbers as playlists write them, read from bytes. Each is nil for anything but the number and spaces around it.
enum HLSNumber {
    /// A decimal in nanoseconds, exact to the ninth digit: "9.009". At most ten digits before the point.
    static func nanoseconds(_ bytes: [UInt8], _ range: Range<Int>, isSigned: Bool = false) -> Int64? {
        var index = range.lowerBound, end = range.upperBound
        while index < end, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
        while end > index, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
        var isNegative = false
        if isSigned, index < end, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") {
            isNegative = bytes[index] == UInt8(ascii: "-")
            index += 1
        }
        var whole: Int64 = 0, digits = 0
        while index < end, let digit = digit(bytes[index]) {
            whole = whole * 10 + digit
            digits += 1
            index += 1
            if digits > 10 { return nil }
        }
        var fraction: Int64 = 0
        if index < end, bytes[index] == UInt8(ascii: ".") {
            index += 1
            var weight: Int64 = 100_000_000
            while index < end, let digit = digit(bytes[index]) {
                fraction += digit * weight
                // The tenth digit rounds.
                if weight == 0, digits >= 0, digit >= 5 { fraction += 1 }
                if weight == 0 { digits = -1 }
                weight /= 10
                if digits >= 0 { digits += 1 }
                index += 1
            }
        }
        // 2^63 ns are 9.2e9 s.
        guard index == end, digits != 0, whole < 9_000_000_000 else { return nil }
        let value = whole * 1_000_000_000 + fraction
        return isNegative ? -value : value
    }

    /// A whole number up to 2^62, without a sign.
    static func integer(_ bytes: [UInt8], _ range: Range<Int>) -> Int64? {
        var index = range.lowerBound, end = range.upperBound
        while index < end, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
        while end > index, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
        guard index < end, end - index <= 20 else { return nil }
        var value: Int64 = 0
        while index < end {
            guard let digit = digit(bytes[index]) else { return nil }
            let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
            guard !overflow, tens <= 1 << 62 else { return nil }
            value = tens + digit
            index += 1
        }
        return value <= 1 << 62 ? value : nil
    }

    /// "0x…" with 1 to 32 digits, filled up with zeros in front to 16 bytes.
    static func vector(_ bytes: [UInt8], _ range: Range<Int>) -> [UInt8]? {
        guard range.count > 2, range.count <= 34, bytes[range.lowerBound] == UInt8(ascii: "0"),
            bytes[range.lowerBound + 1] | 0x20 == UInt8(ascii: "x")
        else { return nil }
        var high: UInt64 = 0, low: UInt64 = 0, isHex = true
        for index in (range.lowerBound + 2)..<range.upperBound {
            let byte = bytes[index], letter = (byte | 0x20) &- UInt8(ascii: "a")
            isHex = isHex && (byte &- 0x30 < 10 || letter < 6)
            // The low four bits of letters begin with 1.
            let digit = UInt64(byte & 0x0F) &+ (byte & 0x40 != 0 ? 9 : 0)
            high = high << 4 | low >> 60
            low = low << 4 | digit & 0x0F
        }
        guard isHex else { return nil }
        return [UInt8](unsafeUninitializedCapacity: 16) { room, count in
            let raw = UnsafeMutableRawBufferPointer(room)
            raw.storeBytes(of: high.bigEndian, toByteOffset: 0, as: UInt64.self)
            raw.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
            count = 16
        }
    }

    /// "1920x1080".
    static func size(_ bytes: [UInt8], _ range: Range<Int>) -> StatedSize? {
        guard let cross = bytes[range].firstIndex(where: { $0 | 0x20 == UInt8(ascii: "x") }),
            let width = integer(bytes, range.lowerBound..<cross), let height = integer(bytes, (cross + 1)..<range.upperBound)
        else { return nil }
        return StatedSize(width: Int(width), height: Int(height))
    }

    /// "82112@752321", or without the offset: length and offset.
    static func part(_ bytes: [UInt8], _ range: Range<Int>) -> (length: Int64, offset: Int64?)? {
        guard let at = bytes[range].firstIndex(of: UInt8(ascii: "@")) else {
            return integer(bytes, range).map { ($0, nil) }
        }
        guard let length = integer(bytes, range.lowerBound..<at), let offset = integer(bytes, (at + 1)..<range.upperBound) else {
            return nil
        }
        return (length, offset)
    }

    /// A date of ISO 8601 in nanoseconds since 1970; without a zone it is taken for UTC. Years 1900 to 2200.
    static func date(_ bytes: [UInt8], _ range: Range<Int>) -> Int64? {
        var reader = DateReader(bytes: bytes, index: range.lowerBound, end: range.upperBound)
        guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2), reader.skip("-"),
            let day = reader.number(2), (1900...2200).contains(year), (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        var seconds = days(year, month, day) * 86_400, fraction: Int64 = 0
        if reader.skip("T") || reader.skip("t") || reader.skip(" ") {
            guard let hour = reader.number(2), reader.skip(":"), let minute = reader.number(2), hour < 25, minute < 60 else {
                return nil
            }
            seconds += hour * 3600 + minute * 60
            if reader.skip(":") {
                guard let second = reader.number(2), second < 61 else { return nil }
                seconds += second
                if reader.skip(".") || reader.skip(",") { fraction = reader.fraction() }
            }
            guard let offset = reader.zone() else { return nil }
            seconds -= offset
        }
        return reader.index == reader.end ? seconds * 1_000_000_000 + fraction : nil
    }

    /// Days since 1970 of a date in the Gregorian calendar, counted in eras of 400 years that begin in March.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400, inEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + inEra * 365 + inEra / 4 - inEra / 100 + dayOfYear - 719_468
    }

    static func digit(_ byte: UInt8) -> Int64? {
        let value = byte &- 0x30
        return value < 10 ? Int64(value) : nil
    }
}

/// Walks over a date.
private struct DateReader {
    let bytes: [UInt8]
    var index: Int
    let end: Int

    mutating func number(_ digits: Int) -> Int64? {
        guard end - index >= digits else { return nil }
        var value: Int64 = 0
        for byte in bytes[index..<(index + digits)] {
            guard let digit = HLSNumber.digit(byte) else { return nil }
            value = value * 10 + digit
        }
        index += digits
        return value
    }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard index < end, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    mutating func fraction() -> Int64 {
        var value: Int64 = 0, weight: Int64 = 100_000_000
        while index < end, let digit = HLSNumber.digit(bytes[index]) {
            value += digit * weight
            weight /= 10
            index += 1
        }
        return value
    }

    /// Seconds east of Greenwich: "Z", "+08:00", "+0800", "+08", or nothing.
    mutating func zone() -> Int64? {
        if index == end || skip("Z") || skip("z") { return 0 }
        let isWest = skip("-")
        guard isWest || skip("+"), let hours = number(2) else { return nil }
        _ = skip(":")
        guard let minutes = index == end ? 0 : number(2), hours < 15, minutes < 60 else { return nil }
        return (isWest ? -1 : 1) * (hours * 3600 + minutes * 60)
    }
}
