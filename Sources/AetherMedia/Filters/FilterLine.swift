import AetherCore
import CFFmpeg

/// A `FilterGraph` at work, between a source that frames are put into and a sink that they come out of: in a box, or in this process where there is
/// none. Lives on one thread.
struct FilterLine: ~Copyable {
    private var here: LibraryFilterLine?
    private let boxed: (any BoxedFiltering)?
    private let isVideo: Bool

    /// Makes the filters and joins them. Throws `.unsupported` with the place of the fault.
    init(_ order: FilterOrder, in place: (any DecodingPlace)? = ProcessBox.current) throws(MediaError) {
        let boxed = try (place as? any FilteringBox)?.openFilters(order)
        here = boxed == nil ? try Self.open(order) : nil
        (self.boxed, isVideo) = (boxed, order.medium == .video)
    }

    private static func open(_ order: FilterOrder) throws(MediaError) -> LibraryFilterLine {
        var line = try LibraryFilterLine(order)
        try line.settle()
        return line
    }

    /// The unit of the times of what comes out.
    var timeBase: TimeBase {
        mutating get { boxed?.timeBase ?? here?.timeBase ?? TimeBase(1, 1_000_000_000) }
    }

    /// Puts a frame in, whose contents are taken over; nil: none follows.
    mutating func send(_ frame: UnsafeMutablePointer<AVFrame>?) throws(MediaError) {
        guard let boxed else { return try here?.send(frame) ?? () }
        guard let frame else { return try boxed.finish() }
        guard let copy = av_frame_clone(frame) else { throw MediaError(.internalFailure, "use the filters") }
        // Times of video are in nanoseconds, those of audio in samples (`FilterOrder`).
        let unit = isVideo ? TimeBase(1, 1_000_000_000) : TimeBase(1, max(1, copy.pointee.sample_rate)), ticks = copy.pointee.pts
        let time = ticks == aether_nopts() ? nil : MediaTime(ticks: ticks, in: unit)
        try boxed.send(DecodedFrame(taking: copy, pts: time, duration: nil))
        av_frame_unref(frame)
    }

    /// Fills a frame with what comes out; false where another has to go in first.
    mutating func receive(_ frame: UnsafeMutablePointer<AVFrame>) throws(MediaError) -> Bool {
        guard let boxed else { return try here?.receive(frame) ?? false }
        guard let found = try boxed.receive() else { return false }
        av_frame_unref(frame)
        av_frame_move_ref(frame, found.pointer)
        return true
    }
}
