import AetherCore
import AetherEngine
import Synchronization

/// The colours of the frame of late, for a theme that goes with them. Looked at only while a theme follows them.
final class MoodWatch: Sendable {
    private struct State {
        var isWatched = false
        var mood: FrameMood?
        var next: HostTime?
        /// The frame that stands on the screen: while a video is paused no other comes.
        var last: RasterImage?
    }
    private let state = Mutex(State())

    /// Twice a second: slower than cuts, faster than the eye notices.
    private static let pause = TimeSpan.milliseconds(500)

    /// True while a theme follows the colours.
    var isWatched: Bool {
        get { state.withLock { $0.isWatched } }
        set {
            let standing = state.withLock { state -> RasterImage? in
                defer { state.isWatched = newValue }
                return newValue && !state.isWatched ? state.last : nil
            }
            // The mood of an earlier watch may be of another scene: it begins anew with the frame on screen.
            guard let standing, let seen = FrameMood(standing) else { return }
            state.withLock { $0.mood = seen }
        }
    }

    /// The colours; nil before there was a frame.
    var present: FrameMood? { state.withLock { $0.mood } }

    /// A frame is about to be shown. Any thread; never blocks.
    func look(at frame: VideoFrame, now: HostTime) {
        let isDue = state.withLock { state in
            state.last = frame.image
            guard state.isWatched, state.next.map({ now >= $0 }) ?? true else { return false }
            state.next = now + Self.pause
            return true
        }
        guard isDue, let seen = FrameMood(frame.image) else { return }
        state.withLock { $0.mood = $0.mood?.gliding(to: seen) ?? seen }
    }
}
