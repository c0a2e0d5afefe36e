/// The buttons that a navigation pack of a DVD puts over its video. Times are ticks of 90 kHz by the clock of the video object. Pure.
public struct MenuPage: Sendable, Equatable {
    /// A button: where it lies in the frame, what lies beside it, and what it does.
    public struct Button: Sendable, Equatable {
        /// Pixels of the frame, the last ones within.
        public let columns, rows: ClosedRange<Int>
        /// The set of colours, 0 … 2; nil: its colours do not change.
        public let colours: Int?
        /// It is activated as soon as it is selected.
        public let actsAtOnce: Bool
        /// The buttons to which the arrows lead, from 1.
        public let up, down, left, right: Int
        /// The command of it.
        public let command: MenuCommand

        /// Whether a pixel of the frame lies in it.
        public func contains(column: Int, row: Int) -> Bool { columns.contains(column) && rows.contains(row) }
    }

    /// The colours and strengths of the four values of a subtitle's pixels, in the order of the values.
    public struct Colours: Sendable, Equatable {
        /// Places in the palette, 0 … 15.
        public let colours: [Int]
        /// 0: nothing is seen, 15: nothing shines through.
        public let strengths: [Int]

        /// By the number that a disc has for them.
        init(_ number: Int) {
            colours = (0..<4).map { number >> (16 + 4 * $0) & 15 }
            strengths = (0..<4).map { number >> (4 * $0) & 15 }
        }
    }

    /// From then on they are there, until others come.
    public let start: Int64
    /// Until then buttons can be chosen; nil: as long as they are there.
    public let choiceEnd: Int64?
    /// Of the first group.
    public let buttons: [Button]
    /// The colours of each set: selected, and activated.
    public let colours: [(selected: Colours, activated: Colours)]
    /// The button that is selected by force; 0: none, 63: the one that is.
    public let forcedSelection: Int
    /// The button that is activated at the end of the choice; 0: none, 63: the selected one.
    public let forcedActivation: Int
    /// The number that digits count from, and how many buttons they reach.
    public let offset, numericCount: Int
    /// The same buttons as in the pack before.
    public let isContinued: Bool

    /// Whether both have the same buttons from the same moment on.
    public static func == (one: MenuPage, other: MenuPage) -> Bool {
        (one.start, one.choiceEnd) == (other.start, other.choiceEnd) && one.buttons == other.buttons
            && one.colours.elementsEqual(other.colours) { $0 == $1 } && one.forcedSelection == other.forcedSelection
            && one.forcedActivation == other.forcedActivation && one.offset == other.offset
    }

    /// The buttons are at most so many.
    public static let limit = 36
    private static let packStart = 0x8D

    /// Reads a navigation pack's sector; nil where it says nothing of buttons. Without any the page is empty: those before it are gone.
    /// `isWide`: of buttons for several shapes of the screen those for a wide one are wanted.
    public init?(sector: some Collection<UInt8>, isWide: Bool) {
        let bytes = Array(sector.prefix(DiscSector.size))
        guard NavigationPack(bytes) != nil else { return nil }
        func number(_ place: Int, _ count: Int) -> Int {
            bytes[Self.packStart + place..<Self.packStart + place + count].reduce(0) { $0 << 8 | Int($1) }
        }
        let status = number(0, 2) & 3
        func time(_ place: Int) -> Int64? { number(place, 4) == 0xFFFF_FFFF ? nil : Int64(number(place, 4)) }
        isContinued = status > 1
        start = status == 0 ? Int64(bytes[0x39..<0x3D].reduce(0) { $0 << 8 | Int($1) }) : Int64(number(2, 4))
        choiceEnd = status == 0 ? nil : time(10)
        let groups = number(14, 2), groupCount = min(max(1, groups >> 12 & 3), 3)
        // Two bits of a group's kind say wide; the first group is the one of all where none is.
        let kinds = [groups >> 8 & 7, groups >> 4 & 7, groups & 7].prefix(groupCount)
        let group = kinds.firstIndex { isWide ? $0 & 1 != 0 : $0 == 0 } ?? 0
        let each = Self.limit / groupCount, count = status == 0 ? 0 : min(number(17, 1) & 63, each)
        offset = number(16, 1)
        (numericCount, forcedSelection, forcedActivation) = (number(18, 1) & 63, number(20, 1) & 63, number(21, 1) & 63)
        colours = (0..<3).map { (Colours(number(22 + 8 * $0, 4)), Colours(number(26 + 8 * $0, 4))) }
        buttons = (0..<count).map { index in
            let place = 46 + 18 * (group * each + index), columns = number(place, 3), rows = number(place + 3, 3)
            func range(_ field: Int) -> ClosedRange<Int> {
                let first = field >> 12 & 0x3FF
                return first...max(first, field & 0x3FF)
            }
            let set = columns >> 22 & 3
            return Button(
                columns: range(columns), rows: range(rows), colours: set == 0 ? nil : set - 1, actsAtOnce: rows >> 22 & 3 == 1,
                up: number(place + 6, 1) & 63, down: number(place + 7, 1) & 63, left: number(place + 8, 1) & 63,
                right: number(place + 9, 1) & 63,
                command: MenuCommand(bytes[Self.packStart + place + 10..<Self.packStart + place + 18]))
        }
    }

    /// A button by its number, from 1; nil where there is none.
    public func button(_ number: Int) -> Button? { buttons.indices.contains(number - 1) ? buttons[number - 1] : nil }

    /// The number of the button at a pixel of the frame; nil beside all.
    public func button(column: Int, row: Int) -> Int? {
        buttons.firstIndex { $0.contains(column: column, row: row) }.map { $0 + 1 }
    }
}
