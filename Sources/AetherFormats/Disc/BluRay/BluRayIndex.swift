/// The titles of a Blu-ray disc as its own programs know them, by index.bdmv. Pure.
public struct BluRayIndex: Sendable, Equatable {
    /// The program behind a title.
    public enum Program: Sendable, Equatable {
        /// A list of commands (HDMV), by its number.
        case movieObject(Int)
        /// A program in Java (BD-J), by the five digits of its file.
        case java(String)
        /// None.
        case none
    }

    /// The program that a player begins with.
    public let first: Program
    /// The main menu's.
    public let menu: Program
    /// The titles in their order.
    public let titles: [Program]

    /// The bytes that the file begins with.
    public static let magic = "INDX"
    private static let name = "index"

    /// An index.
    public init(first: Program = .none, menu: Program = .none, titles: [Program] = []) {
        (self.first, self.menu, self.titles) = (first, menu, titles)
    }

    /// Reads the file.
    public init(_ file: [UInt8]) throws(DiscFault) {
        let bytes = DiscBytes(file, name: Self.name)
        guard bytes.hasPrefix(Self.magic) else { throw .damaged(Self.name) }
        let table = try bytes.table(at: bytes.long(8), name: Self.name)
        first = try Self.program(table, at: 4)
        menu = try Self.program(table, at: 16)
        let count = try table.short(28)
        guard count <= BluRayPlaylist.limit else { throw .damaged(Self.name) }
        titles = try (0..<count).map { index throws(DiscFault) in try Self.program(table, at: 30 + 12 * index) }
    }

    private static func program(_ table: DiscBytes, at place: Int) throws(DiscFault) -> Program {
        switch try table.byte(place) >> 6 {
        case 1:
            let number = try table.short(place + 6)
            return number == 0xFFFF ? .none : .movieObject(number)
        case 2:
            let letters = try (0..<5).map { offset throws(DiscFault) in UInt8(try table.byte(place + 6 + offset)) }
            let isName = letters.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
            return isName ? .java(String(decoding: letters, as: UTF8.self)) : .none
        default: return .none
        }
    }

    /// The program behind a title by the number that commands have for it: 0 is the menu, 0xFFFF the beginning.
    public func program(ofTitle number: Int) -> Program {
        switch number {
        case 0: menu
        case 0xFFFF: first
        default: titles.indices.contains(number - 1) ? titles[number - 1] : .none
        }
    }

    /// Whether some title, the menu or the beginning is a program in Java.
    public var hasJava: Bool {
        ([first, menu] + titles).contains { program in
            if case .java = program { return true }
            return false
        }
    }
}
