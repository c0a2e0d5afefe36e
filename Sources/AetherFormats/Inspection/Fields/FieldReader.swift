import AetherCore

/// Reads the fields of a body one after another and writes them down. Where the bytes end too early it says so once and adds nothing more.
struct FieldReader {
    private(set) var fields: [InspectedField] = []
    private(set) var damage: [String] = []
    /// Bytes that are there.
    private(set) var rest: ArraySlice<UInt8>
    /// Bytes that the body has and that were not read from the file.
    private let unread: Int64
    private(set) var isOver = false

    /// Reads `bytes`, the first of a body of `size` bytes.
    init(_ bytes: ArraySlice<UInt8>, size: Int64? = nil) {
        rest = bytes
        unread = max(0, (size ?? Int64(bytes.count)) - Int64(bytes.count))
    }

    /// Bytes of the body that are left.
    var left: Int64 { Int64(rest.count) + unread }

    mutating func add(_ name: String, _ value: FieldValue, unit: String = "", meaning: String = "") {
        fields.append(InspectedField(name, value, unit: unit, meaning: meaning))
    }

    mutating func add(contentsOf more: [InspectedField]) { fields += more }

    mutating func complain(_ sentence: String) { if damage.count < 8 { damage.append(sentence) } }

    /// Takes bytes; nil, once with a complaint, where they are not there.
    mutating func take(_ count: Int, for name: String) -> ArraySlice<UInt8>? {
        guard !isOver, count >= 0 else { return nil }
        guard rest.count >= count else {
            if left < Int64(count) { complain("it ends \(Int64(count) - left) bytes before the end of \(name)") }
            isOver = true
            return nil
        }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// A number without a field.
    mutating func raw(_ count: Int, for name: String) -> UInt64? {
        take(count, for: name)?.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }

    // MARK: - Numbers

    /// An unsigned number of so many bytes.
    @discardableResult
    mutating func number(
        _ name: String, _ bytes: Int, unit: String = "", meaning: (UInt64) -> String = { _ in "" }
    ) -> UInt64 {
        guard let value = raw(bytes, for: name) else { return 0 }
        add(name, FieldValue(value), unit: unit, meaning: meaning(value))
        return value
    }

    /// An unsigned number whose values have names.
    @discardableResult
    mutating func code(_ name: String, _ bytes: Int, _ names: [Int: String]) -> UInt64 {
        number(name, bytes) { names[Int(clamping: $0)] ?? "" }
    }

    /// A number with a sign.
    @discardableResult
    mutating func signed(_ name: String, _ bytes: Int, unit: String = "", meaning: (Int64) -> String = { _ in "" }) -> Int64 {
        guard let raw = raw(bytes, for: name) else { return 0 }
        let shift = UInt64(64 - bytes * 8)
        let value = Int64(bitPattern: raw << shift) >> Int64(shift)
        add(name, .integer(value), unit: unit, meaning: meaning(value))
        return value
    }

    /// A number with a binary point: 16.16, 8.8, 2.30.
    mutating func fixed(_ name: String, _ bytes: Int, fraction: Int, unit: String = "", isSigned: Bool = true) {
        guard let raw = raw(bytes, for: name) else { return }
        let shift = UInt64(64 - bytes * 8)
        let whole = isSigned ? Double(Int64(bitPattern: raw << shift) >> Int64(shift)) : Double(raw)
        let value = whole / Double(UInt64(1) << UInt64(fraction))
        add(name, .number(value), unit: unit)
    }

    /// Bits with names.
    @discardableResult
    mutating func flags(_ name: String, _ bytes: Int, _ names: [(UInt64, String)]) -> UInt64 {
        number(name, bytes) { value in names.filter { value & $0.0 != 0 }.map(\.1).joined(separator: ", ") }
    }

    /// Numbers that share bytes, the highest first; names that are empty are left out. `meanings`: the values of a name in words.
    mutating func bits(_ parts: [(name: String, count: Int)], meanings: [String: (UInt64) -> String] = [:]) {
        let total = parts.reduce(0) { $0 + $1.count }
        guard let value = raw((total + 7) / 8, for: parts.first { !$0.name.isEmpty }?.name ?? "bits") else { return }
        var left = (total + 7) / 8 * 8
        for part in parts {
            left -= part.count
            let number = value >> UInt64(left) & ((1 << UInt64(part.count)) - 1)
            if !part.name.isEmpty { add(part.name, FieldValue(number), meaning: meanings[part.name]?(number) ?? "") }
        }
    }

    /// Seconds since 1904 in UTC.
    mutating func date(_ name: String, _ bytes: Int) {
        number(name, bytes, unit: "s since 1904") { $0 == 0 ? "not stated" : CalendarText.since1904($0) }
    }

    // MARK: - Texts and bytes

    /// Four letters.
    @discardableResult
    mutating func fourLetters(_ name: String, meaning: (String) -> String = { _ in "" }) -> String {
        guard let bytes = take(4, for: name) else { return "" }
        let text = BoxName.text(bytes)
        add(name, .text(text), meaning: meaning(text))
        return text
    }

    /// A text that a zero or the body's end ends.
    @discardableResult
    mutating func text(_ name: String) -> String {
        guard !isOver else { return "" }
        let bytes = rest.prefix { $0 != 0 }
        rest = rest.dropFirst(bytes.count).dropFirst(1)
        let text = DisplayText.singleLine(String(decoding: bytes.prefix(4096), as: UTF8.self), limit: 300)
        add(name, .text(text))
        return text
    }

    /// A text of so many bytes.
    @discardableResult
    mutating func text(_ name: String, bytes count: Int) -> String {
        guard let bytes = take(count, for: name) else { return "" }
        let text = DisplayText.singleLine(String(decoding: bytes.prefix(4096).prefix { $0 != 0 }, as: UTF8.self), limit: 300)
        add(name, .text(text))
        return text
    }

    /// Bytes as they are; the first 64 are kept.
    mutating func bytes(_ name: String, _ count: Int, unit: String = "", meaning: String = "") {
        guard let bytes = take(count, for: name) else { return }
        add(name, .bytes(Array(bytes.prefix(64))), unit: unit, meaning: meaning)
    }

    /// The rest of the bytes, as one field.
    mutating func remainder(_ name: String, meaning: String = "") {
        guard !isOver, left > 0 else { return }
        let said = left > 64 ? "\(left) bytes" + (meaning.isEmpty ? "" : ", " + meaning) : meaning
        add(name, .bytes(Array(rest.prefix(64))), meaning: said)
        rest = []
        isOver = true
    }

    /// Nothing of so many bytes.
    mutating func skip(_ count: Int) { _ = take(count, for: "reserved bytes") }

    // MARK: - Tables

    /// A table of `count` rows of `stride` bytes: the first rows, and what is wrong with the count.
    mutating func table(_ name: String, count: UInt64, stride: Int, _ row: (inout FieldReader) -> Void) {
        guard !isOver else { return }
        let room = stride > 0 ? UInt64(left) / UInt64(stride) : count
        if count > room { complain("it counts \(count) rows of \(name), and has room for \(room)") }
        var rows: [FieldValue] = [], unit = ""
        let shown = Int(clamping: min(count, room, UInt64(InspectionRoom.rows)))
        for _ in 0..<shown {
            guard let bytes = take(stride, for: name) else { break }
            var reader = FieldReader(bytes)
            row(&reader)
            if reader.fields.count == 1 { unit = reader.fields[0].unit }
            rows.append(reader.fields.count == 1 ? reader.fields[0].value : .record(reader.fields))
        }
        let hidden = min(count, room) - UInt64(rows.count)
        add(name, .list(rows), unit: unit, meaning: hidden > 0 ? "the first \(rows.count) of \(min(count, room))" : "")
        let (skipped, overflows) = Int(clamping: hidden).multipliedReportingOverflow(by: stride)
        if hidden > 0 {
            if overflows || skipped > rest.count { isOver = true } else { rest = rest.dropFirst(skipped) }
        }
    }

    /// Rows whose lengths differ: `row` reads one, and is given what is left.
    mutating func rows(_ name: String, count: UInt64, _ row: (inout FieldReader) -> Void) {
        guard !isOver else { return }
        if count > UInt64(max(0, left)) { complain("it counts \(count) rows of \(name), and has \(left) bytes") }
        var rows: [FieldValue] = [], number: UInt64 = 0
        while number < count, !isOver, !rest.isEmpty, number < 4096 {
            var reader = FieldReader(rest)
            row(&reader)
            guard reader.rest.count < rest.count else { break }
            rest = reader.rest
            if reader.isOver {
                isOver = true
                for sentence in reader.damage { complain(sentence) }
            }
            if rows.count < InspectionRoom.rows { rows.append(.record(reader.fields)) }
            number += 1
        }
        add(name, .list(rows), meaning: count > UInt64(rows.count) ? "the first \(rows.count) of \(count)" : "")
    }
}
