import AetherCore

/// The shared objects that the terminal has not yet answered for. Pure: no clock, no system calls.
struct KittyRing: Sendable {
    /// The meaning of an answer.
    enum Answer: Equatable {
        /// The answer belongs to no slot that waits.
        case stale
        /// The object of that slot has been read.
        case read(slot: Int)
        /// The terminal could not read the object of that slot.
        case refused(slot: Int)
        /// An object that had been given up was read after all: the terminal was only slow.
        case lateRead
    }

    private struct Slot {
        var serial = 0
        var since = HostTime(nanoseconds: 0)
        var isOutstanding = false
    }

    /// One frame is being read while the next one waits; more would only be older frames.
    static let mostOutstanding = 2
    /// Serial numbers go round below the 65535 that replies are clamped to.
    private static let lastSerial = 60_000

    private var slots: [Slot]
    private var next = 0
    private var serial = 0
    /// Serials that were given up on for silence.
    private var abandoned: [Int] = []

    init(slots: Int) { self.slots = [Slot](repeating: Slot(), count: max(0, slots)) }

    /// The number of objects that wait for an answer.
    var outstanding: Int { slots.reduce(0) { $0 + ($1.isOutstanding ? 1 : 0) } }

    /// Whether another object may be made.
    var isReady: Bool { slots.count >= 3 && outstanding < Self.mostOutstanding }

    /// The time at which the oldest object that is waited for was sent.
    var oldest: HostTime? { slots.lazy.filter(\.isOutstanding).map(\.since).min() }

    /// A slot whose name the terminal does not need any more, and the number of its next answer; nil when there is none.
    mutating func take(at now: HostTime) -> (slot: Int, serial: Int)? {
        guard isReady else { return nil }
        for _ in slots.indices {
            let slot = next
            next = (next + 1) % slots.count
            guard !slots[slot].isOutstanding else { continue }
            serial = serial % Self.lastSerial + 1
            slots[slot] = Slot(serial: serial, since: now, isOutstanding: true)
            return (slot, serial)
        }
        return nil
    }

    /// Takes in an answer by its serial number, or for a slot where the terminal does not repeat placement ids (serial 0).
    mutating func answer(slot: Int, serial: Int, isOK: Bool) -> Answer {
        if let index = abandoned.firstIndex(of: serial), isOK {
            abandoned.remove(at: index)
            return .lateRead
        }
        let match = slots.indices.first {
            slots[$0].isOutstanding && (serial == 0 ? $0 == slot : slots[$0].serial == serial)
        }
        guard let match else { return .stale }
        slots[match].isOutstanding = false
        return isOK ? .read(slot: match) : .refused(slot: match)
    }

    /// Gives up on everything that is waited for. Returns those slots.
    mutating func abandonAll() -> [Int] {
        let given = slots.indices.filter { slots[$0].isOutstanding }
        abandoned = given.map { slots[$0].serial }
        for slot in given { slots[slot].isOutstanding = false }
        return given
    }
}
