import AetherCore
import AetherEngine
import AetherTerminal

extension DiscMenuCommand {
    init(_ step: DiscMenuStep) {
        self =
            switch step {
            case .open: .open
            case .parent: .goUp
            case .up: .up
            case .down: .down
            case .left: .left
            case .right: .right
            case .choose: .activate
            }
    }
}

/// Keys and pointer in the menus of a disc.
extension AppModel {
    /// The wish of a key while buttons are shown: arrows move, Enter chooses, and digits choose by number. nil for other keys.
    func discWish(of stroke: KeyStroke) -> DiscMenuCommand? {
        guard let menu = snapshot.menu, !menu.buttons.isEmpty else { return nil }
        switch stroke {
        case KeyStroke(.up): return .up
        case KeyStroke(.down): return .down
        case KeyStroke(.left): return .left
        case KeyStroke(.right): return .right
        case KeyStroke(.enter): return .activate
        default:
            guard case .character(let character) = stroke.key, stroke.modifiers.isEmpty, let digit = character.wholeNumberValue,
                character.isASCII, !menu.isOverTitle, menu.buttons.contains(where: { $0.number == digit })
            else { return nil }
            return .choose(digit)
        }
    }

    /// A step that an action names.
    mutating func takeDiscStep(_ step: DiscMenuStep, _ now: HostTime) -> [AppEffect] {
        guard snapshot.menu != nil || snapshot.hasMenus else {
            say(translated("This source has no menus"), now)
            return []
        }
        switch step {
        case .open:
            say(snapshot.menu.map { !$0.isOverTitle } ?? false ? translated("Back from the menu") : translated("Disc menu"), now)
        case .parent: say(translated("Menu above"), now)
        case .up, .down, .left, .right, .choose: break
        }
        return [.send(.menu(DiscMenuCommand(step)))]
    }

    /// A pointer over a button selects it, and a click chooses it. nil: it is beside all, or over the bar.
    mutating func pointAtDisc(_ event: MouseEvent, _ now: HostTime) -> [AppEffect]? {
        guard let menu = snapshot.menu, !menu.buttons.isEmpty, TransportBar.target(scene, column: event.x, row: event.y) == nil,
            let place = scene.framePoint(column: event.x, row: event.y), let button = menu.button(x: place.x, y: place.y)
        else { return nil }
        switch event.action {
        case .move: return button == menu.selected ? [] : [.send(.menu(.select(button)))]
        case .press where event.button == .left: return [.send(.menu(.choose(button)))]
        default: return nil
        }
    }
}

extension Scene {
    /// The point of the frame under the middle of a cell, its edges being 0 and 1; nil beside the frame, and where it is turned or mirrored.
    func framePoint(column: Int, row: Int) -> (x: Double, y: Double)? {
        let view = snapshot.videoLook.view
        guard let aspect = view.aspect ?? snapshot.menu?.aspect, aspect > 0, view.rotation == 0, view.flip == .none,
            size.columns > 0, size.rows > 0
        else { return nil }
        // In rows: a cell is as wide as its share of one.
        let width = Double(size.columns) * cellAspect, height = Double(size.rows)
        let least = min(width, height * aspect), most = max(width, height * aspect)
        var (shownWidth, shownHeight) = (width, height)
        switch view.fit {
        case .fit:
            shownWidth = least + (most - least) * view.panscan
            shownHeight = shownWidth / aspect
        case .fill: (shownWidth, shownHeight) = (most, most / aspect)
        case .stretch: break
        }
        (shownWidth, shownHeight) = (shownWidth * view.zoom, shownHeight * view.zoom)
        func share(_ place: Double, of room: Double, _ shown: Double, pan: Double) -> Double {
            let hidden = max(0, shown - room)
            return (place - (room - shown) / 2 + hidden / 2 * pan) / shown
        }
        let x = share((Double(column) + 0.5) * cellAspect, of: width, shownWidth, pan: view.panX)
        let y = share(Double(row) + 0.5, of: height, shownHeight, pan: view.panY)
        return 0..<1 ~= x && 0..<1 ~= y ? (x, y) : nil
    }
}
