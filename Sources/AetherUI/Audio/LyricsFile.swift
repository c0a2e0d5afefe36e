import AetherCore
import AetherEngine
import AetherFormats
import AetherSources

/// Finds the lyrics that lie beside an audio file: `song.lrc` for `song.flac`. The file system may not answer, so a thread reads it; the
/// main thread takes the answer after a wake.
final class LyricsFile: Sendable {
    private let requests: Requests<String, Lyrics>

    /// `wake` is signalled when something was found. Two threads: one song may lie on a dead server.
    init(wake: WakeHandle) {
        requests = Requests(name: "lyrics", urgency: .bulk, threads: 2, wake: { wake.wake() }) {
            { path, _ in LyricsSidecar.read(beside: path) }
        }
    }

    /// Looks for the lyrics of another source; what is still being looked for is forgotten. Never blocks.
    func look(beside location: MediaLocation) {
        if case .file(let path) = location { requests.ask(path) } else { requests.drop() }
    }

    /// The lyrics that were found since; once.
    func take() -> Lyrics? { requests.take() }
}
