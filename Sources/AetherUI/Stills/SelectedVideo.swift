import AetherCore
import AetherEngine
import AetherSources

/// Takes a frame out of the file that is selected in the browser, on threads of its own: opening may take long, and a file system may
/// not answer. Only the newest wish counts, and an older one is broken off.
final class SelectedVideo: Sendable {
    /// The frame of one file.
    struct Find: Sendable {
        let path: String
        let still: ScrubStill
    }
    private let requests: Requests<String, Find>

    /// A fifth into the video: behind the titles, before the end is told.
    private static let place = 0.2
    /// As wide as the largest place for it has pixels on most terminals.
    private static let width = 480

    /// `wake` is signalled when a frame is there. Two threads: with one that hangs on a dead server, another file can still be looked at.
    init(wake: WakeHandle) {
        requests = Requests(name: "glance", urgency: .bulk, threads: 2, wake: { wake.wake() }) {
            { path, turn in
                guard let image = Self.image(of: path, turn) else { return nil }
                // Below zero: the frames of the file that plays are numbered above it.
                return Find(path: path, still: ScrubStill(image: image, number: -turn.number))
            }
        }
    }

    /// Takes a frame out of a file; nil: none is wanted any more. Never blocks.
    func look(at path: String?) {
        if let path { requests.ask(path) } else { requests.drop() }
    }

    /// The frame that was found since; once.
    func take() -> Find? { requests.take() }

    /// Blocks. nil for what has no video, cannot be read or is not wanted any more.
    private static func image(of path: String, _ turn: RequestTurn) -> RasterImage? {
        let extractor = FrameExtractor(.location(.file(path)))
        defer { extractor.shutDown() }
        turn.onDrop { extractor.stop() }
        guard turn.isWanted else { return nil }
        do throws(MediaError) {
            let outline = try extractor.waitUntilOpened()
            let offset = outline.duration?.scaled(by: place) ?? .zero
            return try extractor.waitForStill(at: outline.startTime + offset, isExact: false, width: width).image
        } catch {
            Log.module("glance").info("\(error)")
            return nil
        }
    }
}
