/// A button of a Blu-ray disc's menu: where it lies, what it looks like, what lies beside it, and what it does. Pure.
public struct InteractiveButton: Sendable, Equatable {
    /// The objects that a button is drawn with in one of its states, one behind the other.
    public struct Look: Sendable, Equatable {
        /// The first and the last object; nil: nothing is drawn.
        public let objects: ClosedRange<Int>?
        /// They begin again behind the last one.
        public let isRepeated: Bool

        /// A look.
        public init(_ objects: ClosedRange<Int>?, isRepeated: Bool = false) {
            (self.objects, self.isRepeated) = (objects, isRepeated)
        }

        init(_ bytes: DiscBytes, at place: Int, isRepeated: Bool) throws(DiscFault) {
            let first = try bytes.short(place), last = try bytes.short(place + 2)
            self.init(
                first == InteractiveButton.none ? nil : first...max(first, last == InteractiveButton.none ? first : last),
                isRepeated: isRepeated)
        }
    }

    /// The number that means none.
    static let none = 0xFFFF
    /// By which others name it.
    public let id: Int
    /// The number that a person chooses it by; nil: none.
    public let number: Int?
    /// It is activated as soon as it is selected.
    public let actsAtOnce: Bool
    /// The top left corner, in pixels of the video.
    public let x, y: Int
    /// The buttons to which the arrows lead.
    public let up, down, left, right: Int
    /// How it is drawn.
    public let normal, selected, activated: Look
    /// The commands that it stands for.
    public let commands: [HDMVCommand]

    /// A button.
    public init(
        id: Int, number: Int? = nil, actsAtOnce: Bool = false, x: Int = 0, y: Int = 0, up: Int? = nil, down: Int? = nil,
        left: Int? = nil, right: Int? = nil, normal: Look = Look(nil), selected: Look = Look(nil), activated: Look = Look(nil),
        commands: [HDMVCommand] = []
    ) {
        (self.id, self.number, self.actsAtOnce, self.x, self.y) = (id, number, actsAtOnce, x, y)
        (self.up, self.down, self.left, self.right) = (up ?? id, down ?? id, left ?? id, right ?? id)
        (self.normal, self.selected, self.activated, self.commands) = (normal, selected, activated, commands)
    }

    /// Bytes of a button without commands.
    private static let size = 35

    /// Reads a button, and moves the place behind it.
    init(_ bytes: DiscBytes, at place: inout Int) throws(DiscFault) {
        let start = place
        func short(_ offset: Int) throws(DiscFault) -> Int { try bytes.short(start + offset) }
        let number = try short(2)
        id = try short(0)
        self.number = number == Self.none ? nil : number
        actsAtOnce = try bytes.byte(start + 4) & 0x80 != 0
        (x, y) = (try short(5), try short(7))
        (up, down, left, right) = (try short(9), try short(11), try short(13), try short(15))
        normal = try Look(bytes, at: start + 17, isRepeated: bytes.byte(start + 21) & 0x80 != 0)
        // Behind each flag stands the number of a sound, and no repetition of the activated look.
        selected = try Look(bytes, at: start + 23, isRepeated: bytes.byte(start + 27) & 0x80 != 0)
        activated = try Look(bytes, at: start + 29, isRepeated: false)
        let count = try short(33)
        var commands: [HDMVCommand] = []
        for index in 0..<count {
            commands.append(try HDMVCommand(bytes, at: start + Self.size + HDMVCommand.size * index))
        }
        self.commands = commands
        place = start + Self.size + HDMVCommand.size * count
    }
}
