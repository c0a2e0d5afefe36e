import AetherCore

/// A decoded, scaled frame waiting for its time.
struct QueuedFrame: Sendable {
    var pts: MediaTime
    var end: MediaTime
    let epoch: Epoch
    let image: RasterImage

    var stamp: FrameStamp { FrameStamp(pts: pts, end: end, epoch: epoch) }
}

/// The times of a frame on screen. To be looked at without holding the frame, which has one owner until it is on screen.
struct FrameStamp: Sendable {
    let pts, end: MediaTime
    let epoch: Epoch
}

/// The output of the decoders in an epoch: frames between `video`, which writes them, and `pace`, which takes them.
struct FrameQueue {
    /// Three, because a frame's end is the next one's beginning, and one is in the hands of the surface.
    static let limit = 3

    private(set) var frames: [QueuedFrame] = []
    /// The start of what is heard and shown of the epoch; nil until known.
    var landing: MediaTime?
    /// The video decoder has delivered its last frame of this epoch.
    var isDrained = false

    var isFull: Bool { frames.count >= Self.limit }

    /// Frames come in order. One that lies far before those that wait shows that their stamps were damaged: waiting for the time of
    /// the stamps would hold up the video for as long, so they are shown right before it. Returns whether there were such.
    mutating func append(_ frame: QueuedFrame) -> Bool {
        var isMended = false
        for index in frames.indices where frames[index].pts - frame.pts > FrameTiming.longestStep {
            frames[index].pts = frame.pts
            frames[index].end = frame.pts
            isMended = true
        }
        frames.append(frame)
        return isMended
    }

    mutating func pop() -> QueuedFrame? { frames.isEmpty ? nil : frames.removeFirst() }

    /// Another epoch begins, or the session ends.
    mutating func removeAll(landing: MediaTime?) {
        frames.removeAll(keepingCapacity: true)
        self.landing = landing
        isDrained = false
    }
}
