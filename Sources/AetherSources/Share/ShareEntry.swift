/// An entry of a folder on a server, or one of its shares.
package struct ShareEntry: Sendable, Equatable {
    package let name: String
    package let isFolder: Bool
    package let size: UInt64
    /// The last change, in seconds since 1970; 0 where the server says none.
    package let modified: UInt64

    package init(name: String, isFolder: Bool, size: UInt64 = 0, modified: UInt64 = 0) {
        (self.name, self.isFolder, self.size, self.modified) = (name, isFolder, size, modified)
    }

    /// Bytes of a name: 255 letters of four bytes.
    private static let nameLimit = 1020

    /// Whether a name is that of one entry: it leads nowhere else.
    package static func isName(_ name: String) -> Bool {
        !name.isEmpty && name != "." && name != ".." && name.utf8.count <= nameLimit
            && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
    }

    func write(to writer: inout WireWriter) {
        writer.add(UInt8(isFolder ? 1 : 0))
        writer.add(size)
        writer.add(modified)
        writer.add(name)
    }

    init?(_ fields: inout WireFields) {
        guard let kind = fields.number(UInt8.self), kind <= 1, let size = fields.number(UInt64.self),
            let modified = fields.number(UInt64.self), let name = fields.text(limit: Self.nameLimit), Self.isName(name)
        else { return nil }
        self.init(name: name, isFolder: kind == 1, size: size, modified: modified)
    }
}
