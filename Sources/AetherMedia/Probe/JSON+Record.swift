import AetherCore

/// JSON as bytes between processes: to the last digit, without being written and parsed as text.
extension RecordWriter {
    /// A value.
    mutating func put(_ value: JSON) {
        switch value {
        case .null: put(UInt8(0))
        case .bool(let flag):
            put(UInt8(1))
            put(flag)
        case .integer(let number):
            put(UInt8(2))
            put(number)
        case .number(let number):
            put(UInt8(3))
            put(number)
        case .string(let text):
            put(UInt8(4))
            put(text)
        case .array(let values):
            put(UInt8(5))
            put(each: values) { $0.put($1) }
        case .object(let members):
            put(UInt8(6))
            put(each: Array(members)) {
                $0.put($1.key)
                $0.put($1.value)
            }
        }
    }
}

extension RecordReader {
    /// A value; what goes deeper than `depth` is not one. Reports have five levels.
    mutating func json(depth: Int = 8) -> JSON {
        guard depth > 0 else {
            fail()
            return .null
        }
        switch integer(in: UInt8(0)...6) {
        case 1: return .bool(bool())
        case 2: return .integer(integer())
        case 3: return .number(double())
        case 4: return .string(text(limit: Self.longestText))
        case 5: return .array(list(limit: Self.mostMembers) { $0.json(depth: depth - 1) })
        case 6:
            return .object(
                JSON.Members(
                    list(limit: Self.mostMembers) { record in
                        let key = record.text(limit: 1000)
                        return (key: key, value: record.json(depth: depth - 1))
                    }))
        default: return .null
        }
    }

    /// Texts of containers are cut at some thousand characters, lyrics among the tags at 1 MB.
    private static let longestText = 2 << 20
    private static let mostMembers = 10_000
}
