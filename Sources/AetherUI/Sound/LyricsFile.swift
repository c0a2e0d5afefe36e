import AetherCore
import AetherEngine
import AetherFormats
import AetherSources
import Synchronization

/// Finds the lyrics that lie beside a sound file: `song.lrc` for `song.flac`. Reads on a thread of its own, for the file system may
/// not answer; what it found is taken by the main thread after a wake.
final class LyricsFile: Sendable {
    private struct State {
        var number = 0
        var found: Lyrics?
    }
    private let state = Mutex(State())
    private let wake: WakeHandle

    /// `wake` is signalled when something was found.
    init(wake: WakeHandle) { self.wake = wake }

    /// Looks for the lyrics of another source; what is still being looked for is forgotten. Never blocks.
    func look(beside location: MediaLocation) {
        let number = state.withLock { state in
            state.number += 1
            state.found = nil
            return state.number
        }
        guard case .file(let path) = location else { return }
        _ = WorkerThread(name: "lyrics", urgency: .bulk) { [self] in
            guard let lyrics = LyricsSidecar.read(beside: path) else { return }
            let isWanted = state.withLock { state in
                if state.number == number { state.found = lyrics }
                return state.number == number
            }
            if isWanted { wake.wake() }
        }
    }

    /// What was found since; once.
    func take() -> Lyrics? {
        state.withLock { state in
            defer { state.found = nil }
            return state.found
        }
    }
}
