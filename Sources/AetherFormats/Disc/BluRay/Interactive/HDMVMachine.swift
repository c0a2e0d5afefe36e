/// The machine of a Blu-ray disc's menus (HDMV): it carries the disc's commands out and says what is played next. It knows no clock and reads no bytes;
/// each turn ends after a bounded number of commands, whatever the disc says. Pure.
public struct HDMVMachine: Sendable {
    /// The outcome of a turn.
    public enum Turn: Sendable, Equatable {
        /// A playlist.
        case play(HDMVPassage)
        /// The playlist that is played goes on at another point of it.
        case seek(HDMVPassage.Start)
        /// The playlist that was left, where it was left.
        case resume(HDMVPassage)
        /// The playlist goes on.
        case stay
        /// Playing ends: with a fault where the disc leads nowhere.
        case stop(DiscFault?)
    }

    /// An order to the page of buttons.
    public enum PageOrder: Sendable, Equatable {
        /// Another page, or another button of it; nil: as before.
        case show(page: Int?, button: Int?)
        /// A button takes its group's place.
        case enable(Int)
        /// A button is not there.
        case disable(Int)
        /// The menu over the title is closed.
        case popUpOff
        /// The last frame of a playlist stays, or does so no more.
        case still(Bool)
    }

    /// A place in a list of commands.
    struct Place: Sendable, Equatable {
        let object: Int
        var line: Int
    }

    /// A list that was left by a call, and the playlist that it played then.
    struct Suspension: Sendable, Equatable {
        let place: Place
        let passage: HDMVPassage?
    }

    /// The registers, of which the player sets its own.
    public internal(set) var registers: HDMVRegisters
    /// The playlist that is played; nil before the first.
    public internal(set) var passage: HDMVPassage?
    /// The page and the button that the commands of this turn want to be shown first; nil: those of the page itself.
    public internal(set) var wish: (page: Int?, button: Int?) = (nil, nil)
    /// Where the list of commands goes on behind the playlist.
    var playing: Place?
    var suspension: Suspension?
    let index: BluRayIndex
    let objects: [MovieObject]
    var orders: [PageOrder] = []
    /// The point of the present playlist that commands of a button have chosen.
    var point: HDMVPassage.Start?
    /// When a timer is over, and the list of commands that it leads to.
    var timer: (second: Int, object: Int)?
    var seconds = 0
    /// Commands that are left of this turn.
    var budget = 0
    /// Real discs take some hundred. Ten thousand are carried out in a millisecond.
    private static let commandLimit = 10_000
    static let orderLimit = 256

    /// The machine of a disc, for a person who reads a language: three letters of ISO 639-2.
    public init(index: BluRayIndex, objects: MovieObjects, language: String = "eng") {
        (self.index, self.objects, registers) = (index, objects.objects, HDMVRegisters(language: language))
    }

    // MARK: - Turns

    private mutating func start() { (budget, wish, point) = (Self.commandLimit, (nil, nil), nil) }

    /// Begins the disc as it says; where it does not, with its menu or its first title.
    public mutating func begin() -> Turn {
        start()
        let number = index.first != .none ? Self.firstTitle : index.menu != .none ? 0 : 1
        return enter(title: number)
    }

    /// Plays a title by the disc's number, from its start; 0 is its menu.
    public mutating func play(title: Int) -> Turn {
        start()
        forget()
        return enter(title: title)
    }

    /// The playlist has ended.
    public mutating func playlistEnded() -> Turn {
        start()
        guard let place = playing else { return .stop(nil) }
        (playing, passage) = (nil, nil)
        return run(place)
    }

    /// Carries out the commands of a button. Orders to the page are for `takeOrders`.
    public mutating func perform(_ commands: [HDMVCommand]) -> Turn {
        start()
        return run(button: commands)
    }

    /// Goes to the menu of the disc; nil where it has none, or where that is a program in Java. A playlist that is left can be gone back to.
    public mutating func menu() -> Turn? {
        guard case .movieObject = index.menu, registers[.title] != 0 else { return nil }
        start()
        if let playing, !objects[playing.object].isResumed { forget() } else { suspend(playing) }
        return enter(title: 0)
    }

    /// Whether the commands that play let a person call the menu.
    public var isMenuAllowed: Bool { playing.map { !objects[$0.object].forbidsMenu } ?? true }

    /// Goes back to what was left for a menu; nil where nothing was.
    public mutating func resume() -> Turn? {
        guard suspension?.passage != nil else { return nil }
        start()
        return takeSuspension()
    }

    /// A playlist is played already: from here on it is the machine's, without the commands before it.
    public mutating func adopt(_ passage: HDMVPassage) {
        forget()
        let object: Int? =
            if case .movieObject(let number) = index.program(ofTitle: passage.title) { number } else { nil }
        playing = object.flatMap { number in
            guard objects.indices.contains(number) else { return nil }
            let line = objects[number].commands.lastIndex { $0.statedPlaylist == passage.playlist }
            return Place(object: number, line: line.map { $0 + 1 } ?? objects[number].commands.count)
        }
        self.passage = passage
        registers[.title] = UInt32(clamping: passage.title)
        registers[.playlist] = UInt32(clamping: passage.playlist)
    }

    /// The orders to the page that commands have given since the last look, in their order.
    public mutating func takeOrders() -> [PageOrder] {
        defer { orders = [] }
        return orders
    }

    /// So many seconds have passed. A turn where a timer is over.
    public mutating func advance(to seconds: Int) -> Turn? {
        self.seconds = max(self.seconds, seconds)
        guard let timer else { return nil }
        registers[.timer] = UInt32(clamping: timer.second - self.seconds)
        guard self.seconds >= timer.second else { return nil }
        (self.timer, playing, passage) = (nil, nil, nil)
        start()
        return run(Place(object: timer.object, line: 0))
    }

    /// The player's word on where it is: the part of the playlist, the point in ticks of 45 kHz of its clock, and the chapter.
    public mutating func note(item: Int, time: Int64, chapter: Int) {
        registers[.item] = UInt32(clamping: item)
        registers[.time] = UInt32(clamping: time)
        registers[.chapter] = UInt32(clamping: chapter)
    }

    /// The player's word on its page of buttons.
    public mutating func note(page: Int, button: Int?) {
        registers[.page] = UInt32(clamping: page)
        registers[.button] = button.map { UInt32(clamping: $0) } ?? 0xFFFF
    }

    /// The player's word on the tracks that are chosen, by the playlist's numbers from 1; nil: as before.
    public mutating func note(audio: Int?, subtitles: Int?, areShown: Bool) {
        if let audio { registers[.audio] = UInt32(clamping: audio) }
        if let subtitles { registers[.subtitles] = registers[.subtitles] & ~0xFFF | UInt32(clamping: subtitles) & 0xFFF }
        registers[.subtitles] = registers[.subtitles] & 0x7FFF_FFFF | (areShown ? 1 << 31 : 0)
    }

    /// The tracks that are chosen, by the playlist's numbers from 1, and the angle; nil: the disc has chosen none.
    public var streams: (audio: Int?, subtitles: (number: Int, isShown: Bool)?, angle: Int) {
        let audio = Int(registers[.audio]), subtitles = registers[.subtitles], number = Int(subtitles & 0xFFF)
        return (
            1...32 ~= audio ? audio : nil, 1...255 ~= number ? (number, subtitles >> 31 == 1) : nil,
            min(max(1, Int(registers[.angle])), 9)
        )
    }
}
