import AetherCore
import AetherFormats
import Synchronization

/// The buttons of the passage that is played, the subtitle that they colour, and what is selected. Any thread: pages and pictures come from
/// `demux`, `pace` draws them, and the control task moves the selection.
final class MenuBoard: Sendable {
    /// An event that the passing of time has brought.
    enum News: Sendable, Equatable {
        /// Other buttons are there, with this one selected.
        case page(selected: Int)
        /// The time for a choice is over: this button is activated.
        case timeOut(Int)
    }

    /// The facts of a passage that was opened.
    struct Facts: Sendable {
        var isMenu = true
        var passage: MenuPassage?
        /// The last frame stays for so many seconds; 255: until a person goes on.
        var still = 0
        /// For ever: nil.
        var stillTime: TimeSpan? { still == 255 ? nil : .seconds(Double(still)) }
        var size = PixelSize(width: 720, height: 576)
        /// Width to height as shown.
        var aspect = 4.0 / 3
        /// 0x00RRGGBB.
        var palette: [UInt32] = []
        /// Where its cells begin, by their places in the chain: of a DVD.
        var cells: [(cell: Int, start: MediaTime)] = []
        /// The parts and points of it: of a Blu-ray disc.
        var playlist: BluRayPlaylist?
        /// The tracks by the numbers that menus have for them.
        var audio: [Int: StreamID] = [:]
        var subtitles: [Int: StreamID] = [:]

        /// Where the same piece of the disc begins to be played; nil: at its first frame.
        func start(of passage: MenuPassage) -> MediaTime? {
            switch passage {
            case .dvd(let passage):
                passage.start <= passage.cells.lowerBound ? nil : cells.last { $0.cell <= passage.start }?.start
            case .bluRay(let passage, _):
                playlist.map { $0.time(of: passage.start) }.flatMap { $0 == 0 ? nil : MediaTime(ticks: $0, in: base) }
            }
        }
    }

    static let base = TimeBase(1, 90_000)

    fileprivate struct Page {
        let number: Int
        let start: MediaTime
        let choiceEnd: MediaTime?
        let page: MenuPage
    }

    fileprivate struct Picture {
        let number: Int
        let start: MediaTime
        let end: MediaTime?
        let picture: Subpicture
    }

    struct State {
        var facts: Facts?
        /// The pages of a Blu-ray disc, and from when to when they are there.
        var graphics: InteractiveState?
        var graphicsTimes: Range<Int64> = 0..<0
        var choiceEnd: Int64?
        /// The menu over the title opens with the first frame.
        var opensPopUp = false
        fileprivate var pages: [Page] = []
        fileprivate var pictures: [Picture] = []
        var lastNumber = 0
        var selected = 1
        var isActivated = false
        /// The page that the selection was made for.
        var present = 0
        /// The page whose time is over.
        var timedOut = 0
    }

    let state = Mutex(State())
    /// Menus have some dozen; the oldest go.
    private static let pageLimit = 2048, pictureLimit = 64

    init(selected: Int = 1) { state.withLock { $0.selected = max(1, selected) } }

    /// The facts of the passage; nil before it is open, and where what is played has none.
    var facts: Facts? { state.withLock { $0.facts } }

    func open(_ facts: Facts) { state.withLock { $0.facts = facts } }

    // MARK: - Reading

    /// Adds buttons; its times led onto the axis. Returns whether they are new.
    func add(_ page: MenuPage, start: MediaTime, choiceEnd: MediaTime?) -> Bool {
        state.withLock { state in
            let index = state.pages.lastIndex { $0.start <= start }
            if page.isContinued, page.buttons.isEmpty { return false }
            // A pack repeats the buttons of the one before; without any before it they are met in their middle.
            if let index {
                let known = state.pages[index]
                let isSame = known.page.buttons == page.buttons
                if isSame, known.start == start || page.isContinued || page.buttons.isEmpty { return false }
            } else if page.buttons.isEmpty {
                return false
            }
            state.lastNumber += 1
            let place = index.map { $0 + 1 } ?? 0
            state.pages.insert(Page(number: state.lastNumber, start: start, choiceEnd: choiceEnd, page: page), at: place)
            if state.pages.count > Self.pageLimit { state.pages.removeFirst() }
            return true
        }
    }

    /// Adds the subtitle that is coloured.
    func add(_ picture: Subpicture, start: MediaTime, end: MediaTime?) -> Bool {
        state.withLock { state in
            let index = state.pictures.lastIndex { $0.start <= start }
            if let index, state.pictures[index].start == start { return false }
            state.lastNumber += 1
            state.pictures.insert(
                Picture(number: state.lastNumber, start: start, end: end, picture: picture), at: index.map { $0 + 1 } ?? 0)
            if state.pictures.count > Self.pictureLimit { state.pictures.removeFirst() }
            return true
        }
    }

    // MARK: - Time

    /// A moment has come: whether others are there than before.
    func reach(_ time: MediaTime) -> [News] {
        state.withLock { state in
            if state.graphics != nil { return Self.reach(time, &state) }
            guard let page = Self.page(state, at: time) else { return [] }
            var news: [News] = []
            if page.number != state.present {
                let forced = page.page.isContinued ? 0 : page.page.forcedSelection
                if 1...MenuPage.limit ~= forced { state.selected = forced }
                state.selected = min(state.selected, max(1, page.page.buttons.count))
                (state.present, state.isActivated) = (page.number, false)
                if !page.page.buttons.isEmpty { news.append(.page(selected: state.selected)) }
            }
            if let end = page.choiceEnd, time >= end, state.timedOut != page.number, page.page.forcedActivation != 0 {
                state.timedOut = page.number
                let forced = page.page.forcedActivation
                news.append(.timeOut(1...MenuPage.limit ~= forced ? forced : state.selected))
            }
            return news
        }
    }

    /// The next moment after one at which buttons or their subtitle come; nil where none is known.
    func nextChange(after time: MediaTime) -> MediaTime? {
        state.withLock { state in
            if let change = Self.nextChange(of: state, after: time) { return change }
            let starts = state.pages.map(\.start) + state.pages.compactMap(\.choiceEnd) + state.pictures.map(\.start)
            return starts.filter { $0 > time }.min()
        }
    }

    private static func page(_ state: State, at time: MediaTime) -> Page? { state.pages.last { $0.start <= time } }

    // MARK: - Choosing

    /// The buttons at a moment; nil where there are none.
    func page(at time: MediaTime) -> MenuPage? {
        state.withLock { state in
            Self.page(state, at: time).flatMap { $0.page.buttons.isEmpty ? nil : $0.page }
        }
    }

    /// The number of the selected button.
    var selected: Int { state.withLock { $0.selected } }

    /// Selects a button, with the colours of one that is selected or of one that is activated.
    func select(_ button: Int, isActivated: Bool = false) {
        state.withLock { ($0.selected, $0.isActivated) = (button, isActivated) }
    }

    /// The cell of a moment, by its place in the chain.
    func cell(at time: MediaTime) -> Int {
        state.withLock { state in
            let cells = state.facts?.cells ?? []
            return (cells.last { $0.start <= time } ?? cells.first)?.cell ?? 0
        }
    }

    /// The menu as a surface is told of it; nil where none is shown.
    func shown(at time: MediaTime) -> DiscMenu? {
        state.withLock { state in
            guard let facts = state.facts else { return nil }
            if state.graphics != nil { return Self.shown(state, facts, at: time) }
            let buttons = Self.page(state, at: time)?.page.buttons ?? []
            if buttons.isEmpty, !facts.isMenu { return nil }
            let (width, height) = (Double(max(1, facts.size.width)), Double(max(1, facts.size.height)))
            let rectangles = buttons.enumerated().map { index, button in
                DiscMenu.Button(
                    number: index + 1, x: Double(button.columns.lowerBound) / width, y: Double(button.rows.lowerBound) / height,
                    width: Double(button.columns.count) / width, height: Double(button.rows.count) / height)
            }
            return DiscMenu(
                buttons: rectangles, selected: buttons.isEmpty ? nil : min(state.selected, buttons.count),
                isOverTitle: !facts.isMenu, isStill: facts.stillTime == nil, aspect: facts.aspect)
        }
    }

    // MARK: - Drawing

    /// The coloured subtitle at a moment, with a number that is the same while it looks the same; nil where there is none.
    func overlay(at time: MediaTime) -> (key: [Int], image: () -> SubtitleImage)? {
        state.withLock { state in
            if state.graphics != nil { return Self.overlay(state, at: time) }
            guard let facts = state.facts, let picture = state.pictures.last(where: { $0.start <= time }),
                picture.end.map({ time < $0 }) ?? true
            else { return nil }
            let page = Self.page(state, at: time), selected = min(state.selected, max(1, page?.page.buttons.count ?? 1))
            guard facts.isMenu || page.map({ !$0.page.buttons.isEmpty }) ?? false else { return nil }
            let overlay = MenuOverlay(
                picture: picture.picture, page: page?.page, selected: selected, isActivated: state.isActivated,
                palette: facts.palette, canvas: facts.size)
            return ([picture.number, page?.number ?? 0, selected, state.isActivated ? 1 : 0], { overlay.image })
        }
    }
}
