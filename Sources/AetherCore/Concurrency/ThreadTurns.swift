/// Threads that take turns: one of them runs at a time, until it waits at a monitor, for another of them, or for a time. Who is next a seed decides, and
/// where all wait the clock moves on to the first deadline. So what threads do among each other is the same in each run of a seed. For simulations. The
/// thread that calls `run` is one of them, and all that they start.
package final class ThreadTurns: Sendable {
    private struct Seat {
        /// It does not run; nobody is there yet, or it waits.
        var isWaiting = true
        /// The event that it waits for has happened.
        var isDue = true
        var deadline: HostTime?
        /// The seat whose end it waits for.
        var awaited: Int?
        var isOver = false
    }

    private struct State {
        var seats: [Seat] = []
        var running: Int?
        var random: UInt64
        /// The seat whose thread is to be woken.
        var called: MonitorParts = []
        var turnCount = 0
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

    /// Lets the others run until a time of the clock, where the calling thread takes turns. Else it returns at once.
    package static func rest(until deadline: HostTime) {
        guard let seat = TurnSeat.current else { return }
        while seat.turns.time.now() < deadline { _ = seat.wait(until: deadline) }
    }

    // MARK: - Seats

    /// A seat for a thread that is about to start.
    func sit() -> TurnSeat {
        state.update { state in
            state.seats.append(Seat())
            return TurnSeat(turns: self, number: state.seats.count - 1)
        }
    }

    /// Blocks until a seat has the turn.
    func await(_ number: Int) {
        state.update { if $0.running == nil { pass(on: &$0) } }
        _ = state.wait(for: Self.part(number)) { $0.running == number ? true : nil }
        state.update { state in
            (state.seats[number].isWaiting, state.seats[number].isDue) = (false, false)
            (state.seats[number].deadline, state.seats[number].awaited) = (nil, nil)
        }
    }

    /// Gives the turn away until something has happened (true), or a time has come.
    func wait(_ number: Int, until deadline: HostTime?, for other: Int? = nil) -> Bool {
        state.update { state in
            state.seats[number].isWaiting = true
            (state.seats[number].deadline, state.seats[number].awaited) = (deadline, other)
            if let other, state.seats[other].isOver { state.seats[number].isDue = true }
            pass(on: &state)
        }
        _ = state.wait(for: Self.part(number)) { $0.running == number ? true : nil }
        return state.update { state in
            let isDue = state.seats[number].isDue
            (state.seats[number].isWaiting, state.seats[number].isDue) = (false, false)
            (state.seats[number].deadline, state.seats[number].awaited) = (nil, nil)
            return isDue
        }
    }

    func happened(_ number: Int) { state.update { $0.seats[number].isDue = true } }

    func leave(_ number: Int) {
        state.update { state in
            state.seats[number].isOver = true
            for other in state.seats.indices where state.seats[other].awaited == number { state.seats[other].isDue = true }
            pass(on: &state)
        }
    }

    /// Chooses who is next.
    private func pass(on state: inout State) {
        let now = time.now(), waiting = state.seats.indices.filter { state.seats[$0].isWaiting && !state.seats[$0].isOver }
        var ready = waiting.filter { state.seats[$0].isDue || state.seats[$0].deadline.map { $0 <= now } ?? false }
        if ready.isEmpty, let first = waiting.compactMap({ state.seats[$0].deadline }).min() {
            time.advance(by: first - now)
            ready = waiting.filter { state.seats[$0].deadline.map { $0 <= first } ?? false }
        }
        precondition(!ready.isEmpty || waiting.isEmpty, "all threads wait for each other")
        // SplitMix64's step and its first mixing.
        state.random &+= 0x9E37_79B9_7F4A_7C15
        let mixed = (state.random ^ (state.random >> 30)) &* 0xBF58_476D_1CE4_E5B9
        state.running = ready.isEmpty ? nil : ready[Int((mixed >> 32) % UInt64(ready.count))]
        state.called = state.running.map(Self.part) ?? []
        state.turnCount += 1
    }

    /// 32 threads are told apart; of more, some are woken in vain.
    private static func part(_ number: Int) -> MonitorParts { MonitorParts(rawValue: 1 << (number % 32)) }
}
