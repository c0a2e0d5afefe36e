import AetherCore
import AetherDiscs
import AetherFormats

/// The way through the menus of a disc of one kind: its machine, and where titles were left. Lives in the control task.
protocol MenuNavigator: Sendable {
    /// The menus lead: what ends goes on where they say.
    var leads: Bool { get set }
    /// Begins the disc as it says.
    mutating func begin() -> MenuTurn
    /// Carries out a wish of a person, while a passage is played at a moment; nil where it means nothing here.
    mutating func obey(_ command: DiscMenuCommand, on board: MenuBoard, at time: MediaTime, now: HostTime) -> MenuTurn?
    /// The passage has ended.
    mutating func passageEnded(now: HostTime) -> MenuTurn
    /// The time for a choice is over: a button is activated.
    mutating func timeOut(_ number: Int, on board: MenuBoard, at time: MediaTime, now: HostTime) -> MenuTurn?
    /// Other buttons have come, with this one selected. A turn where that one acts at once.
    mutating func pageCame(selected: Int, on board: MenuBoard, at time: MediaTime) -> MenuTurn?
    /// Plays a title from its start; nil where the menus do not know it.
    mutating func play(title: Int) -> MenuTurn?
    /// A title may be left for a menu. One that was opened without menus is theirs from here on.
    mutating func leave(_ title: TitleLeft)
    /// The point at which a title that is gone back to goes on; nil: at the start of the passage.
    func point(of passage: MenuPassage) -> TimeSpan?
    /// The plan of a passage by the machine's registers.
    func plan(_ passage: MenuPassage) -> PassagePlan
}

/// A piece of a disc that its menus have led to.
enum MenuPassage: Sendable, Equatable {
    case dvd(DiscPassage)
    /// `title`: the number by which a person calls it.
    case bluRay(HDMVPassage, title: Int?)

    /// The title by the number that a person calls it by; nil for a menu.
    var title: Int? {
        switch self {
        case .dvd(let passage): passage.title
        case .bluRay(_, let title): title
        }
    }

    /// The same piece of the disc, whatever it begins with: playing goes to another point of it.
    func isSame(as other: MenuPassage) -> Bool {
        switch (self, other) {
        case (.dvd(let one), .dvd(let other)): one.isSame(as: other)
        case (.bluRay(let one, _), .bluRay(let other, _)): one.isSame(as: other)
        case (.dvd, .bluRay), (.bluRay, .dvd): false
        }
    }
}

/// The outcome of a turn of a disc's machine.
enum MenuTurn: Sendable, Equatable {
    /// A passage from its start on.
    case play(MenuPassage)
    /// The passage that was left, where it was left.
    case resume(MenuPassage)
    /// The passage that is played goes on at another point.
    case seek(MediaTime)
    /// The passage goes on.
    case stay
    /// The same, for what was wanted is not played.
    case refused(DiscFault)
    /// Playing ends: with a fault where the disc leads nowhere.
    case stop(DiscFault?)
}

/// The title that is left for a menu, with the tracks that are chosen by then.
struct TitleLeft: Sendable {
    /// A track by its stream, and its place among those of its kind.
    struct Track: Sendable {
        let stream: StreamID
        let place: Int?
    }

    let title: Int
    /// How far it had come.
    let offset: TimeSpan
    /// nil: it was opened without menus.
    let facts: MenuBoard.Facts?
    let audio: Track?
    let subtitles: Track?
}

/// A passage of a disc to be opened, and what was chosen for it.
struct PassagePlan: Sendable {
    enum Place: Sendable {
        case dvd(DVD, DiscPassage)
        case bluRay(BluRay, HDMVPassage)
    }

    enum SubtitleWish: Sendable, Equatable { case none, stream(Int) }

    let place: Place
    /// The button that is selected at first; nil: the page's own.
    var button: Int?
    /// The page that is shown first; nil: the first.
    var page: Int?
    /// Buttons stay as they are where the same passage is played once more.
    var keepsPage = false
    /// The menu over the title is opened with it.
    var opensPopUp = false
    /// The interactive graphics, from 1.
    var graphics = 1
    /// The tracks by the numbers that menus have for them; nil: as without menus.
    var audio: Int?
    /// No number: none.
    var subtitles: SubtitleWish?
    var angle = 1
}
