/// Objects in shared memory that a terminal reads and removes: a handful of slots, one object in each. What implements it does the
/// system calls; this module decides when.
public protocol SharedPixels: AnyObject, Sendable {
    /// The number of objects that can exist at once, at least 3.
    var slots: Int { get }

    /// Makes the object of a slot (0..<slots) anew and fills it. Returns its name as a terminal wants it, `/name`, or nil when the
    /// system refuses. Copies once; does not block.
    func write(_ pixels: UnsafeRawBufferPointer, slot: Int) -> [UInt8]?

    /// Gives a slot up, read or unread: its name is removed, and the slot's next
    /// object has another one.
    func abandon(slot: Int)
}
