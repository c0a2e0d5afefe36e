/// The description of a source as its reader was told it last.
struct DescriptionWatch {
    private var revision: Int
    private var window: SourceWindow

    init(_ description: SourceDescription) { (revision, window) = (description.revision, description.window) }

    /// The event by which the reader learns a change; nil where there is none to tell.
    mutating func event(_ description: SourceDescription) -> SourceEvent? {
        if description.revision != revision {
            revision = description.revision
            return .described(description)
        }
        if description.window != window {
            window = description.window
            return .window(window)
        }
        return nil
    }
}
