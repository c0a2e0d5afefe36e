import AetherCore

/// The properties that one client observes, with the values that it was told last. Each request to observe counts until all of that name are taken
/// back, also where the same is asked for again: so that no client has the player say everything anew without end. A value.
struct RemoteObservations: Sendable {
    private struct Observed {
        var count = 1
        var told: JSON?
    }
    private var observed: [String: Observed] = [:]
    private var count = 0

    /// 64 requests: twice as many as there are properties.
    static let limit = 64

    var names: [String] { Array(observed.keys) }

    /// Told now and whenever it changes; false: there are too many.
    mutating func begin(_ name: String) -> Bool {
        guard count < RemoteObservations.limit else { return false }
        count += 1
        observed[name] = Observed(count: (observed[name]?.count ?? 0) + 1, told: nil)
        return true
    }

    /// No more of that.
    mutating func end(_ name: String) { count -= observed.removeValue(forKey: name)?.count ?? 0 }

    /// One request was refused.
    mutating func withdraw(_ name: String) {
        guard let present = observed[name] else { return }
        count -= 1
        observed[name] = present.count > 1 ? Observed(count: present.count - 1, told: present.told) : nil
    }

    /// The values that are new; afterwards they count as told.
    mutating func news(_ values: [String: JSON]) -> [(name: String, value: JSON)] {
        var news: [(name: String, value: JSON)] = []
        for (name, observation) in observed {
            guard let value = values[name], value != observation.told else { continue }
            observed[name]?.told = value
            news.append((name, value))
        }
        return news
    }
}
