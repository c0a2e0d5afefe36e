import AetherCore
import AetherFormats
import Synchronization

/// The pages of a Blu-ray disc's menus on the board.
extension MenuBoard {
    /// The facts of a passage with its interactive graphics, and those of them that the disc wants to be shown first. `shift`: the ticks that lead
    /// their times onto the axis.
    func open(_ facts: Facts, _ display: InteractiveDisplay?, plan: PassagePlan?, shift: Int64) {
        state.withLock { state in
            state.facts = facts
            guard let display else { return }
            let menu = display.composition
            func led(_ time: Int64?) -> Int64? { time.map { $0.addingReportingOverflow(shift).partialValue } }
            let start = max(0, led(display.start) ?? 0)
            state.graphicsTimes = start..<max(start, led(menu.end) ?? .max)
            state.choiceEnd = led(menu.choiceEnd)
            state.graphics = InteractiveState(display, page: plan?.page, button: plan?.button, at: start)
            state.opensPopUp = plan?.opensPopUp ?? false
        }
    }

    /// The page anew, as the disc wants it to be shown first.
    func restart(_ plan: PassagePlan) {
        state.withLock { state in
            guard let graphics = state.graphics, !plan.keepsPage else { return }
            state.graphics = InteractiveState(
                graphics.display, page: plan.page, button: plan.button, at: state.graphicsTimes.lowerBound)
            state.present = 0
        }
    }

    /// Reads or changes the page; nil where there is none.
    func withGraphics<Value>(_ body: (inout InteractiveState) -> Value) -> Value? {
        state.withLock { state in
            guard var graphics = state.graphics else { return nil }
            defer { state.graphics = graphics }
            return body(&graphics)
        }
    }

    /// The last frame stays for so long; nil: until a person goes on.
    func setStill(_ time: TimeSpan?) { state.withLock { $0.facts?.still = time.map { Int($0.seconds) } ?? 255 } }

    private static func page(_ state: State, at time: MediaTime) -> (graphics: InteractiveState, ticks: Int64)? {
        let ticks = base.ticks(at: time)
        guard let graphics = state.graphics, graphics.isOpen, state.graphicsTimes.contains(ticks) else { return nil }
        return (graphics, ticks)
    }

    static func reach(_ time: MediaTime, _ state: inout State) -> [News] {
        if state.opensPopUp {
            // Its time without a key counts from here on, wherever the title goes on.
            state.opensPopUp = false
            _ = state.graphics?.open(true, at: base.ticks(at: time))
        }
        guard let (_, ticks) = page(state, at: time) else { return [] }
        var news: [News] = []
        if state.graphics?.rest(at: ticks) ?? false || state.present == 0 { news.append(.page(selected: 1)) }
        state.present = 1
        if let end = state.choiceEnd, ticks >= end, state.timedOut == 0 {
            state.timedOut = 1
            news.append(.timeOut(1))
        }
        return news
    }

    static func nextChange(of state: State, after time: MediaTime) -> MediaTime? {
        guard let graphics = state.graphics else { return nil }
        let ticks = base.ticks(at: time), times = state.graphicsTimes
        let changes = [graphics.nextChange(after: ticks), times.lowerBound, times.upperBound, state.choiceEnd].compactMap { $0 }
        return changes.filter { $0 > ticks && $0 < .max }.min().map { MediaTime(ticks: $0, in: base) }
    }

    static func shown(_ state: State, _ facts: Facts, at time: MediaTime) -> DiscMenu? {
        guard let (graphics, _) = page(state, at: time) else {
            return facts.isMenu
                ? DiscMenu(buttons: [], selected: nil, isStill: facts.stillTime == nil, aspect: facts.aspect) : nil
        }
        let menu = graphics.display.composition, numbers = graphics.numbers
        let buttons = numbers.compactMap { number, button -> DiscMenu.Button? in
            guard let size = graphics.size(of: button) else { return nil }
            let (width, height) = (Double(menu.width), Double(menu.height))
            return DiscMenu.Button(
                number: number, x: Double(button.x) / width, y: Double(button.y) / height, width: Double(size.width) / width,
                height: Double(size.height) / height)
        }
        return DiscMenu(
            buttons: buttons, selected: numbers.first { $0.button.id == graphics.selected }?.number, isOverTitle: !facts.isMenu,
            isStill: facts.stillTime == nil, aspect: facts.aspect)
    }

    static func overlay(_ state: State, at time: MediaTime) -> (key: [Int], image: () -> SubtitleImage)? {
        guard let (graphics, ticks) = page(state, at: time) else { return nil }
        return (InteractivePlane.key(graphics, at: ticks), { SubtitleImage(InteractivePlane(graphics, at: ticks), of: graphics) })
    }
}

extension SubtitleImage {
    /// The buttons of a page; one clear pixel where nothing is seen.
    init(_ plane: InteractivePlane?, of state: InteractiveState) {
        let menu = state.display.composition, canvas = PixelSize(width: menu.width, height: menu.height)
        guard let plane else {
            self.init(width: 1, height: 1, indices: [0], palette: [0], x: 0, y: 0, canvasSize: canvas, isForced: true)
            return
        }
        let palette = plane.colours.map { colour in
            let alpha = colour >> 24
            func part(_ shift: UInt32) -> UInt32 { ((colour >> shift & 0xFF) * alpha + 127) / 255 }
            // The lowest byte of a pixel is red.
            return alpha << 24 | part(0) << 16 | part(8) << 8 | part(16)
        }
        self.init(
            width: plane.width, height: plane.height, indices: plane.pixels, palette: palette, x: plane.x, y: plane.y,
            canvasSize: canvas, isForced: true)
    }
}
