import AetherCore
import Synchronization

/// Our clock, and something that is done at the n-th look at it: a reader looks when it is about to wait.
final class HookedTime: TimeSource {
    let looks = Atomic(0)
    let hook: Mutex<(@Sendable (Int) -> Void)?> = Mutex(nil)

    func now() -> HostTime {
        let look = looks.wrappingAdd(1, ordering: .relaxed).newValue
        if let hook = hook.withLock({ $0 }) { hook(look) }
        return SystemTime().now()
    }
}
