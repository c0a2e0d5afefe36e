/// The page of buttons that is shown: which of each group is there, which is selected, and which has just been activated. Times are ticks of 90 kHz of
/// any one axis. Pure.
public struct InteractiveState: Sendable, Equatable {
    /// The arrows.
    public enum Direction: Sendable, CaseIterable {
        /// They lead to what lies there.
        case up, down, left, right
    }

    /// The states of a button that it is drawn in.
    public enum Phase: Sendable, Equatable {
        /// How a button stands.
        case normal, selected, activated
    }

    /// The graphics.
    public let display: InteractiveDisplay
    /// A menu over the title is open; one that is always there is.
    public private(set) var isOpen: Bool
    /// The page.
    public private(set) var page: InteractiveComposition.Page
    /// The button that is there, by the group.
    public private(set) var enabled: [Int?] = []
    /// The selected button.
    public private(set) var selected: Int?
    /// The button that was activated, and when.
    private(set) var activated: (button: Int, time: Int64)?
    /// The moment from which animations count, by the button.
    private var shownAt: Int64
    private var selectedAt: Int64
    /// The last moment at which a person did something.
    private var usedAt: Int64
    private var hasTimedOut = false

    /// The graphics at a moment, with the page and the button that the disc wants at first; nil, or others than there are: its own first ones.
    public init(_ display: InteractiveDisplay, page: Int? = nil, button: Int? = nil, at time: Int64 = 0) {
        self.display = display
        isOpen = !display.composition.isPopUp
        let pages = display.composition.pages
        // A composition has a page at least.
        self.page =
            page.flatMap { display.composition.page($0) } ?? pages.first ?? InteractiveComposition.Page(id: 0, groups: [])
        (shownAt, selectedAt, usedAt) = (time, time, time)
        begin(button: button, at: time)
    }

    /// Whether both show the same.
    public static func == (one: InteractiveState, other: InteractiveState) -> Bool {
        one.isOpen == other.isOpen && one.page == other.page && one.enabled == other.enabled && one.selected == other.selected
            && one.activated?.button == other.activated?.button && one.display == other.display
    }

    private mutating func begin(button: Int?, at time: Int64) {
        enabled = page.groups.map { group in
            group.first.flatMap { first in group.buttons.contains { $0.id == first } ? first : nil }
        }
        (activated, hasTimedOut, shownAt) = (nil, false, time)
        if let button, let found = page.button(button) { enabled[found.group] = button }
        select(button.flatMap { page.button($0) == nil ? nil : $0 } ?? firstSelection, at: time)
    }

    /// The page's own, or the first button that there is.
    private var firstSelection: Int? {
        if let own = page.selected, enabled.contains(own) { return own }
        return enabled.lazy.compactMap { $0 }.first
    }

    private mutating func select(_ button: Int?, at time: Int64) { (selected, selectedAt) = (button, time) }

    // MARK: - Buttons

    /// The buttons that are there, in the order of drawing.
    public var buttons: [InteractiveButton] {
        zip(page.groups, enabled).compactMap { group, id in id.flatMap { id in group.buttons.first { $0.id == id } } }
    }

    /// A button that is there.
    public func button(_ id: Int) -> InteractiveButton? { buttons.first { $0.id == id } }

    /// The numbers that a person chooses buttons by, in their order: their own, and for those without one the least that are free. Buttons that have
    /// no look when selected cannot be chosen.
    public var numbers: [(number: Int, button: InteractiveButton)] {
        let choosable = buttons.filter { size(of: $0) != nil }
        var taken = Set<Int>(), numbers: [Int: Int] = [:]
        for button in choosable {
            if let number = button.number, taken.insert(number).inserted { numbers[button.id] = number }
        }
        var free = 1
        return choosable.map { button in
            if let number = numbers[button.id] { return (number, button) }
            while taken.contains(free) { free += 1 }
            taken.insert(free)
            return (free, button)
        }
    }

    /// The button that a person calls by a number; nil where none is.
    public func button(number: Int) -> Int? { numbers.first { $0.number == number }?.button.id }

    /// The pixels that a button takes up; nil where it cannot be seen when selected.
    public func size(of button: InteractiveButton) -> (width: Int, height: Int)? {
        for look in [button.selected, button.normal] {
            if let object = look.objects.flatMap({ display.objects[$0.lowerBound] }) { return (object.width, object.height) }
        }
        return nil
    }

    // MARK: - A person

    /// The selection moves. Returns the commands of a button that acts at once.
    public mutating func move(_ direction: Direction, at time: Int64) -> [HDMVCommand]? {
        guard isOpen, let present = selected.flatMap({ button($0) }) else { return nil }
        let next =
            switch direction {
            case .up: present.up
            case .down: present.down
            case .left: present.left
            case .right: present.right
            }
        usedAt = time
        return next == present.id ? nil : choose(next, at: time)
    }

    /// A button is selected. Returns its commands where it acts at once.
    public mutating func choose(_ id: Int, at time: Int64) -> [HDMVCommand]? {
        guard isOpen, let button = button(id) else { return nil }
        usedAt = time
        if selected != id { select(id, at: time) }
        return button.actsAtOnce ? activate(at: time) : nil
    }

    /// The selected button is activated: it is drawn so, and its commands are to be carried out. nil where there is none.
    public mutating func activate(at time: Int64) -> [HDMVCommand]? {
        guard isOpen, let button = selected.flatMap({ button($0) }) else { return nil }
        (usedAt, activated) = (time, (button.id, time))
        return button.commands
    }

    /// A menu over the title is opened, on its first page, or closed. Returns the commands of a button that acts at once.
    public mutating func open(_ isWanted: Bool, at time: Int64) -> [HDMVCommand]? {
        guard display.composition.isPopUp, isOpen != isWanted else { return nil }
        isOpen = isWanted
        (activated, usedAt) = (nil, time)
        guard isWanted else { return nil }
        page = display.composition.pages.first ?? page
        begin(button: nil, at: time)
        return commandsAtOnce(at: time)
    }

    /// The commands of the selected button where it acts at once: of a page that has just come.
    public mutating func commandsAtOnce(at time: Int64) -> [HDMVCommand]? {
        guard isOpen, let id = selected, button(id)?.actsAtOnce ?? false else { return nil }
        return activate(at: time)
    }

    // MARK: - The disc

    /// Carries out an order of a button's commands; those to the video are nobody's here. Returns the commands of a button that acts at once.
    public mutating func take(_ order: HDMVMachine.PageOrder, at time: Int64) -> [HDMVCommand]? {
        switch order {
        case .show(let wanted, let button): return show(wanted, button, at: time)
        case .enable(let id):
            guard let found = page.button(id) else { return nil }
            let wasSelected = enabled[found.group].map { $0 == selected } ?? false
            enabled[found.group] = id
            if wasSelected || selected == nil { select(id, at: time) }
        case .disable(let id):
            if let found = page.button(id), enabled[found.group] == id { enabled[found.group] = nil }
            if selected == id { select(firstSelection, at: time) }
        case .popUpOff: return open(false, at: time)
        case .still: break
        }
        return nil
    }

    private mutating func show(_ wanted: Int?, _ button: Int?, at time: Int64) -> [HDMVCommand]? {
        if let wanted {
            guard wanted != page.id, let next = display.composition.page(wanted) else { return nil }
            page = next
            begin(button: button, at: time)
            return commandsAtOnce(at: time)
        }
        guard let button, button != selected, let found = page.button(button) else { return nil }
        enabled[found.group] = button
        select(button, at: time)
        return commandsAtOnce(at: time)
    }

    // MARK: - Time

    /// The activated look is over when it was shown for as long as it lasts, 120 ms at least.
    private func isActivated(_ button: InteractiveButton, at time: Int64) -> Bool {
        guard let activated, activated.button == button.id else { return false }
        let count = Int64(button.activated.objects?.count ?? 1)
        return time - activated.time < max(10_800, count * objectTicks)
    }

    private var objectTicks: Int64 { Int64(page.framesPerObject) * display.composition.frameTicks }

    /// The state that a button is drawn in at a moment.
    public func phase(of button: InteractiveButton, at time: Int64) -> Phase {
        if isActivated(button, at: time) { return .activated }
        return button.id == selected ? .selected : .normal
    }

    /// The object that a button is drawn with at a moment; nil: none.
    public func object(of button: InteractiveButton, at time: Int64) -> Int? {
        let look: InteractiveButton.Look, since: Int64
        switch phase(of: button, at: time) {
        case .normal: (look, since) = (button.normal, shownAt)
        case .selected: (look, since) = (button.selected, selectedAt)
        case .activated: (look, since) = (button.activated, activated?.time ?? time)
        }
        guard let objects = look.objects else { return nil }
        guard objectTicks > 0, objects.count > 1, time > since else { return objects.lowerBound }
        let passed = Int((time - since) / objectTicks)
        return objects.lowerBound + (look.isRepeated ? passed % objects.count : min(passed, objects.count - 1))
    }

    /// The next moment at which something looks different by itself; nil: it stays.
    public func nextChange(after time: Int64) -> Int64? {
        guard isOpen else { return nil }
        let ends = activated.map { [$0.time + max(10_800, objectTicks)] } ?? []
        let idle = idleEnd.map { [$0] } ?? []
        var steps: [Int64] = []
        if objectTicks > 0 {
            steps = [shownAt, selectedAt].map { since in since + (max(0, time - since) / objectTicks + 1) * objectTicks }
        }
        return (ends + idle + steps).filter { $0 > time }.min()
    }

    private var idleEnd: Int64? { display.composition.idleTime.map { usedAt + $0 } }

    /// The commands of the button that is activated because the time for a choice is over, once; `end`: that moment on the axis.
    public mutating func timeOut(at time: Int64, end: Int64) -> [HDMVCommand]? {
        guard isOpen, !hasTimedOut, time >= end else { return nil }
        hasTimedOut = true
        guard let id = page.activated, button(id) != nil else { return nil }
        select(id, at: time)
        return activate(at: time)
    }

    /// Without a key for long a menu over the title closes, and one that is always there goes back to its first page. Returns whether it did.
    public mutating func rest(at time: Int64) -> Bool {
        guard isOpen, let end = idleEnd, time >= end else { return false }
        usedAt = time
        if display.composition.isPopUp { return open(false, at: time) == nil }
        guard let first = display.composition.pages.first, first.id != page.id else { return false }
        page = first
        begin(button: nil, at: time)
        return true
    }
}
