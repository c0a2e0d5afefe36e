/// A part of the screen that lies over the film and is opened and closed.
enum Layer: Hashable, Sendable {
    case telemetry, scrub, cueList, equalizer, notices, browser, menu, palette, help

    /// Layers of a higher level lie over all of a lower one; of one level, what was opened last lies on top.
    enum Level: Int, Comparable, Sendable {
        /// Only read: the telemetry.
        case page
        /// The place on the bar that a hand looks at.
        case preview
        /// Has the keys.
        case list

        static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
    }

    var level: Level {
        switch self {
        case .telemetry: .page
        case .scrub: .preview
        case .cueList, .equalizer, .notices, .browser, .menu, .palette, .help: .list
        }
    }
}

/// The layers that are open, in one order: it alone says what is drawn over what, which layer is asked about a key or a click first,
/// and whose scroll bar is meant.
struct LayerStack: Sendable, Equatable {
    /// The lowest first, as they are drawn.
    private(set) var order: [Layer] = []

    /// Takes in whether a layer is open. One that opens lies on top of its level; one that is open already stays where it is.
    mutating func note(_ layer: Layer, isOpen: Bool) {
        guard order.contains(layer) != isOpen else { return }
        guard isOpen else { return order.removeAll { $0 == layer } }
        order.insert(layer, at: order.firstIndex { $0.level > layer.level } ?? order.endIndex)
    }

    /// The layer on top of a level; nil where none is open there.
    func top(_ level: Layer.Level) -> Layer? { order.last { $0.level == level } }

    /// Who is asked about a key, one after the other: of each level the layer on top. What it covers hears nothing.
    var listening: [Layer] { [Layer.Level.list, .preview, .page].compactMap(top) }
}
