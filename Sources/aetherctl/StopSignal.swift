import AetherCore
import Glibc

/// SIGINT and SIGTERM as something that can be waited for. A second one ends the program.
struct StopSignal {
    /// Readable once there was one. The handler, which knows nothing else, finds it here.
    private static let shared = WakeHandle()
    let wake: WakeHandle

    /// From here on.
    init() {
        wake = Self.shared
        for number in [SIGINT, SIGTERM] {
            signal(number) { number in
                StopSignal.shared.wake()
                signal(number, SIG_DFL)
            }
        }
    }
}
