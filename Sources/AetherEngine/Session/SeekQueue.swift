import AetherCore

/// The seeks that were asked for: one on its way, the latest waiting behind it, and the single steps that follow. Pure; a mutation
/// returns what has become of seeks by it. Each that was asked for (`ask`) has one last word: landed, superseded, stalled or rejected.
struct SeekQueue: Sendable {
    /// The wish of a caller to go to a place.
    enum Wish: Sendable, Equatable {
        case plan(SeekPlan)
        /// A share of the duration that was asked for before the duration is known.
        case fraction(Double)

        var plan: SeekPlan? { if case .plan(let plan) = self { plan } else { nil } }
    }

    private struct Asked<Goal: Sendable>: Sendable {
        /// nil where the player itself goes somewhere: to the start of a loop, back by a frame.
        let id: Int?
        let goal: Goal
    }

    /// Held keys repeat faster than a GOP is decoded: at most so many steps follow after the key was let go.
    static let longestStepQueue = 12

    private var count = 0
    /// Of those that have no last word yet, and are no plain points: at most two.
    private var origins: [Int: SeekEvent.Origin] = [:]
    private var flying: Asked<SeekPlan>?
    private var waiting: Asked<Wish>?
    /// Steps asked for while a seek is in flight: taken from its frame on. Negative: back.
    private(set) var steps = 0

    /// The plan of the seek in flight; nil when none is.
    var inFlight: SeekPlan? { flying?.goal }
    /// The number that it was asked for with.
    var inFlightID: Int? { flying?.id }
    /// No other seek was asked for since.
    var hasNoneWaiting: Bool { waiting == nil }
    /// The plan of the seek that waits; nil when none does, or when that is not known yet.
    var pending: SeekPlan? { waiting?.goal.plan }
    var isEmpty: Bool { flying == nil && waiting == nil }
    /// The target in the end, as far as that is known.
    var goal: MediaTime? { (pending ?? inFlight)?.target }

    /// The number of a seek that is asked for now.
    mutating func ask(_ origin: SeekEvent.Origin = .point) -> Int {
        count += 1
        if origin != .point { origins[count] = origin }
        return count
    }

    /// The last word on one that was asked for, and neither began nor waits.
    mutating func reject(_ id: Int, target: MediaTime) -> [SeekEvent] { event(id, target, .rejected) }

    /// One goes on its way; another that was there is superseded. `id` is that of `ask`, nil for the player's own.
    mutating func begin(_ plan: SeekPlan, id: Int? = nil) -> [SeekEvent] {
        let former = flying
        flying = Asked(id: id, goal: plan)
        if id != nil, former?.id == id { return [] }
        return event(former?.id, former?.goal.target, .superseded) + event(id, plan.target, .began)
    }

    /// One waits for its turn; the one that waited is superseded. `id` as for `begin`.
    mutating func wait(for wish: Wish, id: Int?) -> [SeekEvent] {
        let former = waiting
        waiting = Asked(id: id, goal: wish)
        return event(former?.id, former?.goal.plan?.target, .superseded)
    }

    /// Takes out what waits, to begin it.
    mutating func takeWaiting() -> (wish: Wish, id: Int?)? {
        defer { waiting = nil }
        return waiting.map { ($0.goal, $0.id) }
    }

    /// Takes out what waits, or else what is on its way, to begin it once more under other circumstances.
    mutating func takeGoal() -> (plan: SeekPlan, id: Int?)? {
        if let plan = pending {
            defer { waiting = nil }
            return (plan, waiting?.id)
        }
        return flying.map { ($0.goal, $0.id) }
    }

    /// The one in flight is where it shall be.
    mutating func land(renderedTime: MediaTime) -> [SeekEvent] {
        defer { flying = nil }
        return event(flying?.id, flying?.goal.target, .landed(renderedTime: renderedTime))
    }

    /// Nothing that is on its way, or waits, will arrive.
    mutating func giveUp(_ outcome: SeekEvent.Outcome) -> [SeekEvent] {
        defer { (flying, waiting, steps) = (nil, nil, 0) }
        return event(flying?.id, flying?.goal.target, outcome) + event(waiting?.id, waiting?.goal.plan?.target, outcome)
    }

    /// One step more (or back) after the seek in flight.
    mutating func addStep(_ direction: Int) {
        steps = min(max(steps + direction.signum(), -Self.longestStepQueue), Self.longestStepQueue)
    }

    /// Puts in place what is left to be stepped.
    mutating func setSteps(_ count: Int) { steps = min(max(count, -Self.longestStepQueue), Self.longestStepQueue) }

    /// Takes the steps out, to make them.
    mutating func takeSteps() -> Int {
        defer { steps = 0 }
        return steps
    }

    private mutating func event(_ id: Int?, _ target: MediaTime?, _ outcome: SeekEvent.Outcome) -> [SeekEvent] {
        guard let id else { return [] }
        let origin = origins[id] ?? .point
        if outcome != .began { origins[id] = nil }
        return [SeekEvent(id: id, target: target ?? .zero, outcome: outcome, origin: origin)]
    }
}
