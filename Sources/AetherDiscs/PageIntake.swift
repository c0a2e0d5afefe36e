public import AetherFormats
import Synchronization

/// The pages of buttons that a reader has met and nobody has taken yet. Any thread.
public final class PageIntake: Sendable {
    private let waiting = Mutex<[(page: MenuPage, place: Int)]>([])
    /// A reader is never so many units ahead.
    private static let limit = 4096

    init() {}

    func add(_ page: MenuPage, place: Int) {
        waiting.withLock { if $0.count < Self.limit { $0.append((page, place)) } }
    }

    /// Takes them, in the order of reading: each with the place along the title of the unit that has it. Never blocks.
    public func take() -> [(page: MenuPage, place: Int)] {
        waiting.withLock { waiting in
            guard !waiting.isEmpty else { return [] }
            defer { waiting = [] }
            return waiting
        }
    }
}
