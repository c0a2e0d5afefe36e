/// The menu of a Blu-ray disc's playlist: its pages of buttons. Times are ticks of 90 kHz. Pure.
public struct InteractiveComposition: Sendable, Equatable {
    /// Buttons of which one at a time is there.
    public struct Group: Sendable, Equatable {
        /// The one that is there at first; nil: none.
        public let first: Int?
        /// Those that it may be.
        public let buttons: [InteractiveButton]

        /// A group.
        public init(first: Int?, buttons: [InteractiveButton]) { (self.first, self.buttons) = (first, buttons) }
    }

    /// Buttons that are shown together.
    public struct Page: Sendable, Equatable {
        /// By which commands name it.
        public let id: Int
        /// Each object of a button stays for so many frames; 0: only the first is shown.
        public let framesPerObject: Int
        /// The button that is selected at first; nil: any.
        public let selected: Int?
        /// The button that is activated when the time for a choice is over; nil: none.
        public let activated: Int?
        /// The colours that it is drawn with.
        public let palette: Int
        /// In the order of drawing.
        public let groups: [Group]

        /// A page.
        public init(
            id: Int, framesPerObject: Int = 0, selected: Int? = nil, activated: Int? = nil, palette: Int = 0, groups: [Group]
        ) {
            (self.id, self.framesPerObject, self.selected, self.activated) = (id, framesPerObject, selected, activated)
            (self.palette, self.groups) = (palette, groups)
        }
    }

    /// The size of the video.
    public let width, height: Int
    /// A frame lasts so many ticks.
    public let frameTicks: Int64
    /// It is over the title only when a person calls it; else it is always there.
    public let isPopUp: Bool
    /// When it ends, by the clock of the clip; nil: with the playlist.
    public let end: Int64?
    /// When the time for a choice is over, by the clock of the clip; nil: never.
    public let choiceEnd: Int64?
    /// The time without a key after which it is closed, or begins anew where it is always there; nil: none.
    public let idleTime: Int64?
    /// The first one is shown first; at least one.
    public let pages: [Page]

    static let name = "menu"
    /// The largest video that there is.
    private static let widthLimit = 4096, heightLimit = 2304

    /// A menu.
    public init(
        width: Int, height: Int, frameTicks: Int64 = 3600, isPopUp: Bool = false, end: Int64? = nil, choiceEnd: Int64? = nil,
        idleTime: Int64? = nil, pages: [Page]
    ) {
        (self.width, self.height, self.frameTicks, self.isPopUp) = (width, height, frameTicks, isPopUp)
        (self.end, self.choiceEnd, self.idleTime, self.pages) = (end, choiceEnd, idleTime, pages)
    }

    /// Reads what the segments of it hold together: the video's size and rate, and the composition.
    init(size head: DiscBytes, _ bytes: DiscBytes) throws(DiscFault) {
        (width, height) = (try head.short(0), try head.short(2))
        guard 1...Self.widthLimit ~= width, 1...Self.heightLimit ~= height else { throw .damaged(Self.name) }
        frameTicks = Self.frameTicks(try head.byte(4) >> 4)
        let flags = try bytes.byte(3)
        isPopUp = flags & 0x40 != 0
        var place = 4
        func time(_ place: Int) throws(DiscFault) -> Int64? {
            let ticks = Int64(try bytes.byte(place) & 1) << 32 | Int64(try bytes.long(place + 1))
            return ticks == 0 ? nil : ticks
        }
        if flags & 0x80 == 0 {
            (end, choiceEnd) = (try time(4), try time(9))
            place = 14
        } else {
            (end, choiceEnd) = (nil, nil)
        }
        let idle = try bytes.short(place) << 8 | bytes.byte(place + 2), count = try bytes.byte(place + 3)
        idleTime = idle == 0 ? nil : Int64(idle)
        place += 4
        var pages: [Page] = []
        for _ in 0..<count { pages.append(try Page(bytes, at: &place)) }
        guard !pages.isEmpty else { throw .damaged(Self.name) }
        self.pages = pages
    }

    /// The ticks of a frame by the number of a rate.
    private static func frameTicks(_ rate: Int) -> Int64 {
        switch rate {
        case 1: 3754
        case 2: 3750
        case 3: 3600
        case 4: 3003
        case 6: 1800
        case 7: 1502
        default: 3600
        }
    }

    /// A page by its number.
    public func page(_ id: Int) -> Page? { pages.first { $0.id == id } }
}

extension InteractiveComposition.Page {
    /// Reads a page, and moves the place behind it.
    init(_ bytes: DiscBytes, at place: inout Int) throws(DiscFault) {
        id = try bytes.byte(place)
        // Its version, and what it forbids the person.
        place += 10
        // How it comes and how it goes.
        for _ in 0..<2 { try Self.passEffects(bytes, at: &place) }
        framesPerObject = try bytes.byte(place)
        func button(_ place: Int) throws(DiscFault) -> Int? {
            let number = try bytes.short(place)
            return number == InteractiveButton.none ? nil : number
        }
        (selected, activated) = (try button(place + 1), try button(place + 3))
        palette = try bytes.byte(place + 5)
        let count = try bytes.byte(place + 6)
        place += 7
        var groups: [InteractiveComposition.Group] = []
        for _ in 0..<count {
            let first = try button(place), buttonCount = try bytes.byte(place + 2)
            place += 3
            var buttons: [InteractiveButton] = []
            for _ in 0..<buttonCount { buttons.append(try InteractiveButton(bytes, at: &place)) }
            groups.append(InteractiveComposition.Group(first: first, buttons: buttons))
        }
        self.groups = groups
    }

    /// Windows, and what is drawn in them for a while.
    private static func passEffects(_ bytes: DiscBytes, at place: inout Int) throws(DiscFault) {
        place += 1 + 9 * (try bytes.byte(place))
        let count = try bytes.byte(place)
        place += 1
        for _ in 0..<count {
            let objects = try bytes.byte(place + 4)
            place += 5
            for _ in 0..<objects { place += try bytes.byte(place + 3) & 0x80 != 0 ? 16 : 8 }
        }
    }

    /// A button of it by its number, with the group that it belongs to.
    public func button(_ id: Int) -> (group: Int, button: InteractiveButton)? {
        for (index, group) in groups.enumerated() {
            if let button = group.buttons.first(where: { $0.id == id }) { return (index, button) }
        }
        return nil
    }
}
