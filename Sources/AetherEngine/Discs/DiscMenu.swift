/// The menu of a disc that is on screen, or buttons over a title.
public struct DiscMenu: Sendable, Equatable {
    /// A button of it.
    public struct Button: Sendable, Equatable {
        /// From 1, in the disc's order.
        public let number: Int
        /// Its left and top edge and its size as shares of the frame, 0 … 1.
        public let x, y, width, height: Double

        /// A button.
        public init(number: Int, x: Double, y: Double, width: Double, height: Double) {
            (self.number, self.x, self.y, self.width, self.height) = (number, x, y, width, height)
        }
    }

    /// The buttons; empty while there is nothing to choose.
    public let buttons: [Button]
    /// The number of the selected one; nil while there are none.
    public let selected: Int?
    /// A title plays below the buttons, and no menu.
    public let isOverTitle: Bool
    /// The video stands until a button is chosen.
    public let isStill: Bool

    /// Width to height of the frame as it is shown.
    public let aspect: Double

    /// A menu.
    public init(
        buttons: [Button], selected: Int?, isOverTitle: Bool = false, isStill: Bool = false, aspect: Double = 4.0 / 3
    ) {
        (self.buttons, self.selected, self.isOverTitle, self.isStill) = (buttons, selected, isOverTitle, isStill)
        self.aspect = aspect
    }

    /// The number of the button at a point of the frame, whose edges are 0 and 1; nil beside all.
    public func button(x: Double, y: Double) -> Int? {
        buttons.first { $0.x <= x && x < $0.x + $0.width && $0.y <= y && y < $0.y + $0.height }?.number
    }
}

/// A wish of a person in the menus of a disc.
public enum DiscMenuCommand: Sendable, Equatable {
    /// The selection moves as the disc says.
    case up, down, left, right
    /// The selected button is chosen.
    case activate
    /// A button is selected by its number, from 1.
    case select(Int)
    /// A button is chosen by its number, from 1.
    case choose(Int)
    /// The disc's menu, from a title; from there back to the title.
    case open
    /// To what lies above: from a title its menu, from a menu the one above it.
    case goUp
}
