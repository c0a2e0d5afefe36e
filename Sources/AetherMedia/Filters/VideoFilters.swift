public import AetherCore
import CFFmpeg

/// A person's filters for video: decoded frames in, frames of any size out, each with its own time. Made for the first frame. Lives on one
/// thread; a filter may hold frames back until others have come.
public struct VideoFilters: ~Copyable {
    private struct Shape: Equatable {
        var format, width, height: Int32
        var aspect: Double
    }

    /// The graph.
    public let graph: FilterGraph
    private let threadCount: Int
    private var shape: Shape?
    private var line: FilterLine?
    /// How long a frame lasts, as far as known.
    private var interval: TimeSpan?

    /// Filters that are made with the first frame.
    public init(_ graph: FilterGraph, threadCount: Int) {
        self.graph = graph
        self.threadCount = threadCount
    }

    /// Whether a frame goes on from the former ones; another size or format needs `finish`, and others made anew.
    public func accepts(_ frame: borrowing DecodedFrame) -> Bool { shape.map { $0 == Self.shape(of: frame) } ?? true }

    private static func shape(of frame: borrowing DecodedFrame) -> Shape {
        let input = frame.pointer.pointee
        return Shape(format: input.format, width: input.width, height: input.height, aspect: frame.sampleAspect ?? 0)
    }

    /// Puts a frame in. Throws `.unsupported` for what the filters refuse.
    public mutating func send(_ frame: borrowing DecodedFrame) throws(MediaError) {
        interval = frame.duration ?? interval
        if line == nil { try build(for: frame) }
        frame.pointer.pointee.pts = frame.pts?.nanoseconds ?? aether_nopts()
        guard let copy = av_frame_clone(frame.pointer) else { throw MediaError(.internalFailure, "use the filters") }
        defer {
            var owned: UnsafeMutablePointer<AVFrame>? = copy
            av_frame_free(&owned)
        }
        try line?.send(copy)
    }

    /// The next frame, or nil when another has to go in first.
    public mutating func receive() throws(MediaError) -> DecodedFrame? {
        guard line != nil else { return nil }
        guard let frame = av_frame_alloc() else { throw MediaError(.internalFailure, "use the filters", reason: "out of memory") }
        var owned: UnsafeMutablePointer<AVFrame>? = frame
        do throws(MediaError) {
            guard try line?.receive(frame) ?? false else {
                av_frame_free(&owned)
                return nil
            }
        } catch {
            av_frame_free(&owned)
            throw error
        }
        let ticks = frame.pointee.pts, base = line?.timeBase
        let pts = ticks == aether_nopts() ? nil : base.map { MediaTime(ticks: ticks, in: $0) }
        return DecodedFrame(taking: frame, pts: pts, duration: interval)
    }

    /// No frame follows: `receive` gives what was held back.
    public mutating func finish() throws(MediaError) { try line?.send(nil) }

    private mutating func build(for frame: borrowing DecodedFrame) throws(MediaError) {
        line = try FilterLine(FilterOrder(graph.steps, like: frame, threadCount: threadCount))
        shape = Self.shape(of: frame)
    }
}
