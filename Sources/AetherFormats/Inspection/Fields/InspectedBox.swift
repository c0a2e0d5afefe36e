public import AetherCore

/// A part of a container as an inspector shows it: a box, an element, a chunk, a page, a table or a packet.
public struct InspectedBox: Sendable, Equatable {
    /// The container's own name of its kind: four letters, an element's name, a table's name.
    public let type: String
    /// Its name in words; empty for an unknown kind.
    public var title: String
    /// Its first byte in the file.
    public let offset: Int64
    /// The length in bytes, with the head, as far as the box lies inside its parent.
    public let size: Int64
    /// Bytes of its head.
    public let headLength: Int
    /// Its fields, in the order of its bytes.
    public var fields: [InspectedField] = []
    /// The parts that it holds.
    public var children: [InspectedBox] = []
    /// The number of children that are not listed, because there are too many.
    public var unlisted = 0
    /// Damage, in sentences; empty where all is as it should be.
    public var damage: [String] = []

    /// A part without contents.
    public init(_ type: String, title: String = "", offset: Int64, size: Int64, headLength: Int = 0) {
        (self.type, self.title, self.offset, self.size) = (type, title, offset, size)
        self.headLength = headLength
    }

    /// The first field of a name.
    public subscript(field name: String) -> FieldValue? { fields.first { $0.name == name }?.value }

    /// Boxes in all, this one counted.
    public var count: Int { children.reduce(1) { $0 + $1.count } }

    /// The box for programs: `type`, `title`, `offset`, `size`, `fields`, `units`, `meanings`, `damage`, `unlisted` and `children`, the last
    /// as deep as `depth`; nil: all.
    public func json(depth: Int? = nil, hex: ((InspectedBox) -> String?)? = nil) -> JSON {
        var members: [JSON.Members.Member] = [
            ("type", .string(type)), ("title", .string(title)), ("offset", .integer(offset)), ("size", .integer(size)),
            ("fields", .object(JSON.Members(Self.unique(fields.map { ($0.name, $0.value.json) })))),
        ]
        let units = fields.filter { !$0.unit.isEmpty }, meanings = fields.filter { !$0.meaning.isEmpty }
        if !units.isEmpty {
            members.append(("units", .object(JSON.Members(Self.unique(units.map { ($0.name, .string($0.unit)) })))))
        }
        if !meanings.isEmpty {
            members.append(("meanings", .object(JSON.Members(Self.unique(meanings.map { ($0.name, .string($0.meaning)) })))))
        }
        if !damage.isEmpty { members.append(("damage", .array(damage.map { .string($0) }))) }
        if unlisted > 0 { members.append(("unlisted", JSON(unlisted))) }
        if let digits = hex?(self) { members.append(("hex", .string(digits))) }
        let shown = depth.map { $0 > 1 } ?? true
        members.append(("children", .array(shown ? children.map { $0.json(depth: depth.map { $0 - 1 }, hex: hex) } : [])))
        return .object(JSON.Members(members))
    }

    /// A second field of a name gets a number, so that programs see both.
    private static func unique(_ members: [JSON.Members.Member]) -> [JSON.Members.Member] {
        var seen: [String: Int] = [:]
        return members.map { member in
            seen[member.key, default: 0] += 1
            let count = seen[member.key] ?? 1
            return count == 1 ? member : ("\(member.key)#\(count)", member.value)
        }
    }

    /// The box and its children as lines, a level indented by two spaces, as deep as `depth`. Safe to display. `hex`: the lines of its
    /// bytes.
    public func lines(depth: Int? = nil, level: Int = 0, hex: ((InspectedBox) -> [String])? = nil) -> [String] {
        let indent = String(repeating: "  ", count: level)
        var lines = [indent + heading]
        lines += damage.map { indent + "  ! " + $0 }
        lines += fields.flatMap { field in Self.lines(of: field).map { indent + "    " + $0 } }
        lines += (hex?(self) ?? []).map { indent + "    " + $0 }
        guard depth.map({ $0 > 1 }) ?? true else { return lines }
        for child in children { lines += child.lines(depth: depth.map { $0 - 1 }, level: level + 1, hex: hex) }
        if unlisted > 0 { lines.append("\(indent)  … \(unlisted) more") }
        return lines
    }

    /// Type, place, size and title on one line.
    public var heading: String {
        let place = "\(DisplayText.singleLine(type, limit: 40)) @\(offset) +\(size)"
        return title.isEmpty ? place : place + "  " + title
    }

    /// A table has its rows below its name.
    public static func lines(of field: InspectedField) -> [String] {
        guard case .list(let rows) = field.value, case .record? = rows.first else { return [field.line] }
        let name = "\(field.name): \(rows.count) rows" + (field.meaning.isEmpty ? "" : " (\(field.meaning))")
        return [name] + rows.map { "  " + DisplayText.singleLine(words(of: $0), limit: 300) }
    }

    private static func words(of row: FieldValue) -> String {
        guard case .record(let fields) = row else { return row.text }
        return fields.map { "\($0.name) \($0.words)" }.joined(separator: ", ")
    }
}
