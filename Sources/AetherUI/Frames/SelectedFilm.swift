import AetherCore
import AetherEngine
import AetherSources
import Synchronization

/// Takes a picture out of the file that is selected in the browser, on threads of its own: opening may take long, and a file system may
/// not answer. Only the newest wish counts, and an older one is broken off.
final class SelectedFilm: Sendable {
    private struct State {
        var number = 0
        var running = 0
        var waiting: String?
        var extractor: FrameExtractor?
        var find: (path: String, picture: ScrubPicture)?
    }
    private let state = Mutex(State())
    private let wake: WakeHandle

    /// Two: with one that hangs on a dead server, another file can still be looked at.
    private static let threads = 2
    /// A fifth into the film: behind the titles, before the end is told.
    private static let place = 0.2
    /// As wide as the largest place for it has pixels on most terminals.
    private static let width = 480

    /// `wake` is signalled when a picture is there.
    init(wake: WakeHandle) { self.wake = wake }

    /// Takes a picture out of a file; nil: none is wanted any more. Never blocks.
    func look(at path: String?) {
        let (former, number) = state.withLock { state -> (FrameExtractor?, Int?) in
            state.number += 1
            let former = state.extractor
            (state.extractor, state.find, state.waiting) = (nil, nil, nil)
            guard let path else { return (former, nil) }
            guard state.running < Self.threads else {
                state.waiting = path
                return (former, nil)
            }
            state.running += 1
            return (former, state.number)
        }
        former?.stop()
        guard let path, let number else { return }
        _ = WorkerThread(name: "glance", urgency: .bulk) { [self] in work(path, number) }
    }

    /// What was found since; once.
    func take() -> (path: String, picture: ScrubPicture)? {
        state.withLock { state in
            defer { state.find = nil }
            return state.find
        }
    }

    /// On the thread: the wish, and then the one that came when no thread was free.
    private func work(_ first: String, _ number: Int) {
        var next: (path: String, number: Int)? = (first, number)
        while let (path, number) = next {
            let image = picture(of: path, number)
            let isWanted = state.withLock { state in
                next = state.waiting.map { ($0, state.number) }
                state.waiting = nil
                if next == nil { state.running -= 1 }
                guard state.number == number, let image else { return false }
                // Below zero: the pictures of the film that plays are numbered above it.
                state.find = (path, ScrubPicture(image: image, number: -number))
                return true
            }
            if isWanted { wake.wake() }
        }
    }

    /// Blocks. nil for what has no picture, cannot be read or is not wanted any more.
    private func picture(of path: String, _ number: Int) -> RasterImage? {
        let extractor = FrameExtractor(.location(.file(path)))
        let isWanted = state.withLock { state in
            guard state.number == number else { return false }
            state.extractor = extractor
            return true
        }
        defer { extractor.shutDown() }
        guard isWanted else { return nil }
        do throws(MediaError) {
            let outline = try extractor.waitUntilOpened()
            let offset = outline.duration?.scaled(by: Self.place) ?? .zero
            return try extractor.waitForPicture(at: outline.startTime + offset, isExact: false, width: Self.width).image
        } catch {
            Log.module("glance").info("\(error)")
            return nil
        }
    }
}
