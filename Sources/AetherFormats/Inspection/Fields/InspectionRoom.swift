/// The bounds of one inspection: whatever a file says, no more than this is kept and looked at.
struct InspectionRoom {
    /// Boxes that may still be listed.
    private(set) var boxes: Int
    /// Heads that may still be read, of boxes that are only counted.
    private(set) var heads = 2_000_000
    /// Of boxes in boxes. The deepest that a file needs is 12.
    static let depth = 32
    /// Bytes of a box that holds no others, which its fields are read from.
    static let body = 32 << 10
    /// Rows of a table that are shown.
    static let rows = 16
    /// Jumps in a file of a server.
    static let jumps = 64

    init(boxes: Int = 50_000) { self.boxes = boxes }

    /// Takes the room of a box; false: there is none.
    mutating func take() -> Bool {
        guard boxes > 0 else { return false }
        boxes -= 1
        return true
    }

    /// Takes the room of a head; false: there is none.
    mutating func takeHead() -> Bool {
        guard heads > 0 else { return false }
        heads -= 1
        return true
    }
}
