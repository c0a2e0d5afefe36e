/// The ids of the images that are shown over one another: a whole one, and finer ones over it that are clear where nothing has been
/// sent yet.
struct KittyStack: Sendable {
    private let firstID: Int
    /// Through tmux the id is always the same, because the placeholders carry it.
    private let hasOneID: Bool
    /// Lowest first.
    private(set) var ids: [Int] = []

    init(firstID: Int, hasOneID: Bool) {
        self.firstID = firstID
        self.hasOneID = hasOneID
    }

    /// The number of ids in use: a stack of three, and the image that will replace it.
    static let idCount = 4

    var isEmpty: Bool { ids.isEmpty }

    var count: Int { ids.count }

    /// No other image may be laid over these.
    var isFull: Bool { ids.count >= Self.idCount - 1 }

    /// The id of what is shown on top, or is shown first.
    var top: Int { ids.last ?? firstID }

    /// The id of the next image: not one that is shown, so that the old image stays until the new one is complete.
    var next: Int {
        if hasOneID { return firstID }
        return (firstID..<firstID + Self.idCount).first { !ids.contains($0) } ?? firstID
    }

    /// Another image lies over these.
    mutating func lay(_ id: Int) { ids.append(id) }

    /// The next image is shown in place of all; `drop` is told those that are not needed any more.
    mutating func replaceAll(_ drop: (Int) -> Void) {
        let id = next
        for old in ids where old != id { drop(old) }
        ids.removeAll(keepingCapacity: true)
        ids.append(id)
    }

    /// The terminal shows none of them any more.
    mutating func forget() { ids.removeAll(keepingCapacity: true) }
}
