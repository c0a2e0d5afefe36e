import AetherCore
import AetherEngine
import AetherSources
import Synchronization

/// Reads the facts of files that a list shows, one after the other on a thread of its own: a file system may not answer. The newest list
/// counts. What was found is taken by the main thread after a wake.
final class FileSurvey: Sendable {
    private let requests: Requests<[String], Never>
    private let found: FoundFacts

    /// `wake` is signalled when something was found.
    init(wake: WakeHandle) {
        let found = FoundFacts()
        self.found = found
        requests = Requests(name: "survey", urgency: .bulk, wake: {}) {
            { paths, turn in
                for path in paths {
                    guard turn.isWanted else { return nil }
                    // A file that is no media is not read again either.
                    found.put(path, FileFacts(of: .file(path), turn: turn) ?? FileFacts())
                    wake.wake()
                }
                return nil
            }
        }
    }

    /// Reads these files, in this order, instead of what was asked for before. Never blocks.
    func read(_ paths: [String]) {
        if paths.isEmpty { requests.drop() } else { requests.ask(paths) }
    }

    /// The facts that were found since the last call, by path; each once.
    func take() -> [String: FileFacts] { found.take() }
}

/// Facts on their way from the thread that reads them.
private final class FoundFacts: Sendable {
    private let facts = Mutex<[String: FileFacts]>([:])

    func put(_ path: String, _ facts: FileFacts) { self.facts.withLock { $0[path] = facts } }

    func take() -> [String: FileFacts] {
        facts.withLock { facts in
            defer { facts = [:] }
            return facts
        }
    }
}
