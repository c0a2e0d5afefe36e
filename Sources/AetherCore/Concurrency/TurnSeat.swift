import Glibc

/// The place of one thread among those that take turns.
final class TurnSeat: Sendable {
    let turns: ThreadTurns
    private let number: Int

    init(turns: ThreadTurns, number: Int) { (self.turns, self.number) = (turns, number) }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// That of the calling thread; nil for one that does not take turns.
    static var current: TurnSeat? {
        pthread_getspecific(key).map { Unmanaged<TurnSeat>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The calling thread sits down here, and waits for its first turn. The seat must outlive `leave`.
    func take() {
        pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
        turns.await(number)
    }

    /// The calling thread takes no more turns.
    func leave() {
        pthread_setspecific(Self.key, nil)
        turns.leave(number)
    }

    /// Gives the turn away until something has happened (true), or a time has come. On the calling thread's own seat.
    func wait(until deadline: HostTime?) -> Bool { turns.wait(number, until: deadline) }

    /// Gives the turn away until the thread of another seat is over.
    func wait(for other: TurnSeat) { _ = turns.wait(number, until: nil, for: other.number) }

    /// The event that its thread waits for has happened. Any thread.
    func happened() { turns.happened(number) }
}
