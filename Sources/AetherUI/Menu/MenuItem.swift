import AetherCore

/// One line of a menu. Texts are safe to display.
public struct MenuItem: Sendable, Equatable {
    /// The name, at the left.
    public let label: String
    /// Details that tell it from the others, at the right.
    public let detail: String
    /// True for the present choice.
    public let isPresent: Bool
    /// nil: a heading (or, without a label, a line) that cannot be chosen.
    public let choice: MenuChoice?

    /// An entry. `label` and `detail` may be a stranger's: they are cut at 200 scalars and stripped of what is not text.
    public init(_ label: String, detail: String = "", isPresent: Bool = false, choice: MenuChoice) {
        self.label = DisplayText.singleLine(label, limit: 200)
        self.detail = DisplayText.singleLine(detail, limit: 200)
        self.isPresent = isPresent
        self.choice = choice
    }

    private init(heading: String) {
        label = DisplayText.singleLine(heading, limit: 200)
        (detail, isPresent, choice) = ("", false, nil)
    }

    /// A line between two groups of entries.
    public static let separator = MenuItem(heading: "")

    /// A heading over a group of entries.
    public static func heading(_ text: String) -> MenuItem { MenuItem(heading: text) }

    /// Neither entry nor heading.
    var isSeparator: Bool { choice == nil && label.isEmpty }
}
