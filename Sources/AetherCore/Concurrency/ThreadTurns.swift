/// Threads that take turns: one of them runs at a time, until it waits at a monitor, for another of them, or for a time. Who is next a seed decides, and
/// where all wait the clock moves on to the first deadline. So what threads do among each other is the same in each run of a seed. For simulations. The
/// thread that calls `run` is one of them, and all that they start.
package final class ThreadTurns: Sendable {
    private struct Seat {
        let number: Int
        /// It does not run; nobody is there yet, or it waits.
        var isWaiting = true
        /// The event that it waits for has happened.
        var isDue = true
        var deadline: HostTime?
        /// The seat whose end it waits for.
        var awaited: Int?

        /// Its thread runs.
        mutating func begin() { (isWaiting, isDue, deadline, awaited) = (false, false, nil, nil) }
    }

    private struct State {
        /// In the order of their numbers. One whose thread is over is no more.
        var seats: [Seat] = []
        var seatCount = 0
        var running: Int?
        var random: UInt64
        /// The seat whose thread is to be woken.
        var called: MonitorParts = []
        var turnCount = 0

        func index(of number: Int) -> Int? { seats.firstIndex { $0.number == number } }
    }

    /// The clock of the threads.
    package let time: ManualTime
    private let state: Monitor<State>

    /// Turns in the order of a seed, on a clock that nobody else moves.
    package init(seed: UInt64, time: ManualTime) {
        self.time = time
        state = Monitor(State(random: seed), takesTurns: false) { state in
            defer { state.called = [] }
            return state.called
        }
    }

    /// How many turns there were. The same for the same seed.
    package var turnCount: Int { state.read { $0.turnCount } }

    /// Runs a body as the first of the threads. What it has started must be over, or wait for nothing, when it returns.
    package func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        let seat = sit()
        seat.take()
        defer { seat.leave() }
        return try body()
    }

    /// Lets the others run until a time of the clock, where the calling thread takes turns. Else it returns at once, and returns false.
    @discardableResult package static func rest(until deadline: HostTime) -> Bool {
        guard let seat = TurnSeat.current else { return false }
        while seat.turns.time.now() < deadline { _ = seat.wait(until: deadline) }
        return true
    }

    // MARK: - Seats

    /// A seat for a thread that is about to start.
    func sit() -> TurnSeat {
        state.update { state in
            state.seats.append(Seat(number: state.seatCount))
            state.seatCount += 1
            return TurnSeat(turns: self, number: state.seatCount - 1)
        }
    }

    /// Blocks until a seat has the turn.
    func await(_ number: Int) {
        state.update { if $0.running == nil { pass(on: &$0) } }
        _ = begin(number)
    }

    /// Gives the turn away until something has happened (true), or a time has come.
    func wait(_ number: Int, until deadline: HostTime?, for other: Int? = nil) -> Bool {
        state.update { state in
            if let index = state.index(of: number) {
                state.seats[index].isWaiting = true
                (state.seats[index].deadline, state.seats[index].awaited) = (deadline, other)
                if let other, state.index(of: other) == nil { state.seats[index].isDue = true }
            }
            pass(on: &state)
        }
        return begin(number)
    }

    func happened(_ number: Int) {
        state.update { state in
            if let index = state.index(of: number) { state.seats[index].isDue = true }
        }
    }

    func leave(_ number: Int) {
        state.update { state in
            state.seats.removeAll { $0.number == number }
            for index in state.seats.indices where state.seats[index].awaited == number { state.seats[index].isDue = true }
            pass(on: &state)
        }
    }

    /// Blocks until a seat has the turn, and returns whether an event has called it.
    private func begin(_ number: Int) -> Bool {
        _ = state.wait(for: Self.part(number)) { $0.running == number ? true : nil }
        return state.update { state in
            guard let index = state.index(of: number) else { return false }
            defer { state.seats[index].begin() }
            return state.seats[index].isDue
        }
    }

    /// Chooses who is next.
    private func pass(on state: inout State) {
        let now = time.now(), waiting = state.seats.indices.filter { state.seats[$0].isWaiting }
        var ready = waiting.filter { state.seats[$0].isDue || state.seats[$0].deadline.map { $0 <= now } ?? false }
        if ready.isEmpty, let first = waiting.compactMap({ state.seats[$0].deadline }).min() {
            time.advance(by: first - now)
            ready = waiting.filter { state.seats[$0].deadline.map { $0 <= first } ?? false }
        }
        precondition(!ready.isEmpty || waiting.isEmpty, "all threads wait for each other")
        // SplitMix64's step and its first mixing.
        state.random &+= 0x9E37_79B9_7F4A_7C15
        let mixed = (state.random ^ (state.random >> 30)) &* 0xBF58_476D_1CE4_E5B9
        state.running = ready.isEmpty ? nil : state.seats[ready[Int((mixed >> 32) % UInt64(ready.count))]].number
        state.called = state.running.map(Self.part) ?? []
        state.turnCount += 1
    }

    /// 32 threads are told apart; of more, some are woken in vain.
    private static func part(_ number: Int) -> MonitorParts { MonitorParts(rawValue: 1 << (number % 32)) }
}
