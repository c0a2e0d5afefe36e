import AetherCore
import AetherEngine
import AetherSources
import Synchronization

/// The mail of the threads that make stills, for the main thread: the newest preview, the places that have one, and sentences.
final class FrameMail: Sendable {
    struct Letters {
        var still: ScrubStill?
        var ready: [MediaTime]?
        var answers: [String] = []
    }
    private struct State {
        var letters = Letters()
        var number = 0
        /// The number of the video whose previews are taken.
        var session = 0
    }
    private let state = Mutex(State())
    private let wake: WakeHandle

    /// `wake` is signalled when something is there.
    init(wake: WakeHandle) { self.wake = wake }

    /// Previews of a file that is opened now; those of the one before are not taken any more. `cache` is where strips lie; nil: nowhere.
    func previews(of engine: AetherEngine, _ location: MediaLocation, cache: String?) -> ScrubPreviews {
        let session = state.withLock { state in
            state.session += 1
            (state.letters.still, state.letters.ready) = (nil, nil)
            return state.session
        }
        return ScrubPreviews(
            of: engine, location, cacheDirectory: cache,
            deliver: { [self] preview in
                put(session) { $0.letters.still = ScrubStill(image: preview.still.image, number: $0.number) }
            }, noteReady: { [self] times in put(session) { $0.letters.ready = times } })
    }

    /// A sentence for the person watching.
    func say(_ text: String) {
        state.withLock { if $0.letters.answers.count < 16 { $0.letters.answers.append(text) } }
        wake.wake()
    }

    /// The stills that have come since; once.
    func take() -> Letters {
        state.withLock { state in
            let letters = state.letters
            state.letters = Letters()
            return letters
        }
    }

    private func put(_ session: Int, _ change: (inout State) -> Void) {
        let isWanted = state.withLock { state in
            guard state.session == session else { return false }
            state.number += 1
            change(&state)
            return true
        }
        if isWanted { wake.wake() }
    }
}
