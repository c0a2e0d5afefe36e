import AetherCore
import Synchronization

/// Workers that are loaded before they are needed: a process takes 50 ms to load its libraries, and three are wanted for the first frame. Any
/// thread.
final class SpareWorkers: Sendable {
    /// One that is ready, for one who takes it.
    private final class Spare: Sendable {
        private let worker: Mutex<BoxWorker?>

        init?(path: String, patience: TimeSpan) {
            do throws(BoxFault) {
                var fresh = try BoxWorker(path: path, patience: patience)
                // Its answer comes once it is loaded.
                _ = try fresh.parts()
                worker = Mutex(consume fresh)
            } catch {
                return nil
            }
        }

        func take() -> BoxWorker? { worker.withLock { $0.take() } }
    }

    private let path: String
    private let patience: TimeSpan
    private let ready = Mutex<[Spare]>([])

    init(path: String, patience: TimeSpan) { (self.path, self.patience) = (path, patience) }

    /// Loads so many, on a thread of its own.
    func load(_ count: Int) {
        _ = WorkerThread(name: "box-spare") { [self] in
            for _ in 0..<count {
                guard let spare = Spare(path: path, patience: patience) else { return }
                ready.withLock { $0.append(spare) }
            }
        }
    }

    /// A worker that is ready and alive, else a new one.
    func worker() throws(BoxFault) -> BoxWorker {
        while let spare = ready.withLock({ $0.popLast() }) {
            guard var worker = spare.take() else { continue }
            do throws(BoxFault) {
                _ = try worker.parts()
            } catch {
                continue
            }
            return worker
        }
        return try BoxWorker(path: path, patience: patience)
    }
}
