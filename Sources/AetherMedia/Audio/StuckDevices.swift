import AetherCore

/// Threads that are stuck in a call to a device, by the device's name. Any thread.
enum StuckDevices {
    /// More of them than this, and no device is opened any more: each keeps a stack, and descriptors of its library.
    static let limit = 4
    private static let counts = Monitor<[String: Int]>([:])

    /// Waits until a device may be asked: when none is stuck that was asked before, lest threads pile up in front of it. False where that
    /// takes longer.
    static func mayOpen(_ name: String, within span: TimeSpan) -> Bool {
        counts.wait(until: SystemTime().now() + span) { counts -> Bool? in
            counts[name] == nil && counts.values.reduce(0, +) < limit ? true : nil
        } ?? false
    }

    static func add(_ name: String) { counts.update { $0[name, default: 0] += 1 } }

    static func remove(_ name: String) {
        counts.update { counts in
            let left = (counts[name] ?? 1) - 1
            counts[name] = left > 0 ? left : nil
        }
    }
}
