public import AetherCore
import CFFmpeg

/// Makes whole frames of interlaced ones: libavfilter's `bwdif`, which looks one frame ahead and back; `yadif` where that is missing.
/// Frames that say they are progressive pass untouched, in their order. Lives on one thread; the filter's own threads are as many as
/// asked for.
///
/// Comes one frame late: the second frame's arrival gives the first. `finish` gives the last.
public struct Deinterlacer: ~Copyable {
    /// The number of frames that come of an interlaced one.
    public enum Rate: Sendable, Equatable {
        /// One frame for each: 25 a second of a 50i broadcast.
        case frame
        /// One frame for each field: the motion that the camera saw.
        case field
    }

    private struct Shape: Equatable {
        var format, width, height: Int32
        var aspect: Double
    }
    private struct Graph {
        let library: FilterLibrary
        let graph: UnsafeMutablePointer<AVFilterGraph>
        let source, sink: UnsafeMutablePointer<AVFilterContext>
    }

    /// The rate of the output.
    public let rate: Rate
    private let threadCount: Int
    private var shape: Shape?
    private var graph: Graph?
    /// The duration of an interlaced frame, as far as known.
    private var interval: TimeSpan?

    /// A filter that is made with the first frame. `interval`: how long a frame lasts where it does not say so itself.
    public init(rate: Rate, threadCount: Int, interval: TimeSpan?) {
        self.rate = rate
        self.threadCount = threadCount
        self.interval = interval
    }

    deinit { Deinterlacer.free(graph) }

    private static func free(_ graph: Graph?) {
        guard let graph else { return }
        var owned: UnsafeMutablePointer<AVFilterGraph>? = graph.graph
        graph.library.calls.graph_free(&owned)
        MediaBalance.contexts.add(-1)
    }

    /// Whether frames may still come out without another going in.
    public var isEmpty: Bool { graph == nil }

    /// Whether a frame goes on from the former ones; another size or format needs `finish` first.
    public func accepts(_ frame: borrowing DecodedFrame) -> Bool { shape.map { $0 == Deinterlacer.shape(of: frame) } ?? true }

    private static func shape(of frame: borrowing DecodedFrame) -> Shape {
        let input = frame.pointer.pointee
        return Shape(format: input.format, width: input.width, height: input.height, aspect: frame.sampleAspect ?? 0)
    }

    /// Puts a frame in. Throws `.unsupported` for what the filter refuses (pixel formats without planes).
    public mutating func send(_ frame: consuming DecodedFrame) throws(MediaError) {
        interval = frame.duration ?? interval
        if graph == nil { try build(for: frame) }
        guard let graph else { return }
        frame.pointer.pointee.pts = frame.pts?.nanoseconds ?? aether_nopts()
        let status = graph.library.calls.source_add_frame(graph.source, frame.pointer)
        if status < 0 { throw MediaError(.unsupported, "deinterlace", averror: status) }
    }

    /// The next frame, or nil when another has to go in first.
    public mutating func receive() throws(MediaError) -> DecodedFrame? {
        guard let graph else { return nil }
        guard let frame = av_frame_alloc() else {
            throw MediaError(.internalFailure, "deinterlace", averror: aether_averror(ENOMEM))
        }
        let status = graph.library.calls.sink_get_frame(graph.sink, frame)
        guard status >= 0 else {
            var owned: UnsafeMutablePointer<AVFrame>? = frame
            av_frame_free(&owned)
            if status == AVError.tryAgain.code || status == AVError.endOfFile.code { return nil }
            throw MediaError(.internalFailure, "deinterlace", averror: status)
        }
        aether_frame_set_progressive(frame)
        let base = graph.library.calls.sink_get_time_base(graph.sink)
        let ticks = frame.pointee.pts
        let pts = ticks == aether_nopts() ? nil : MediaTime(ticks: ticks, in: TimeBase(base.num, base.den))
        return DecodedFrame(taking: frame, pts: pts, duration: interval?.scaled(by: rate == .field ? 0.5 : 1))
    }

    /// No frame follows: `receive` gives the last, and after `reset` others may be sent.
    public mutating func finish() throws(MediaError) {
        guard let graph else { return }
        let status = graph.library.calls.source_add_frame(graph.source, nil)
        if status < 0 { throw MediaError(.internalFailure, "deinterlace", averror: status) }
    }

    /// Forgets what went in, for a seek.
    public mutating func reset() {
        Deinterlacer.free(graph)
        (graph, shape) = (nil, nil)
    }

    private mutating func build(for frame: borrowing DecodedFrame) throws(MediaError) {
        let wanted = Deinterlacer.shape(of: frame)
        let aspect = frame.pointer.pointee.sample_aspect_ratio
        let library = try FilterLibrary(for: "deinterlace"), calls = library.calls
        guard let name = av_get_pix_fmt_name(AVPixelFormat(wanted.format)), let graph = calls.graph_alloc() else {
            throw MediaError(.unsupported, "deinterlace", reason: "no pixel format")
        }
        graph.pointee.nb_threads = Int32(max(1, min(4, threadCount)))
        // Nanoseconds: what comes between two frames is exact there, too.
        let arguments =
            "video_size=\(wanted.width)x\(wanted.height):pix_fmt=\(String(cString: name)):time_base=1/1000000000"
            + ":pixel_aspect=\(max(0, aspect.num))/\(max(1, aspect.den))"
        let filter = calls.get_by_name("bwdif") == nil ? "yadif" : "bwdif"
        let mode = rate == .field ? "send_field" : "send_frame"
        var contexts: [UnsafeMutablePointer<AVFilterContext>] = []
        var status: Int32 = 0
        for (kind, options) in [("buffer", arguments), (filter, "mode=\(mode):parity=auto:deint=interlaced"), ("buffersink", "")]
        {
            var context: UnsafeMutablePointer<AVFilterContext>?
            status = calls.graph_create_filter(
                &context, calls.get_by_name(kind), nil, options.isEmpty ? nil : options, nil, graph)
            guard status >= 0, let context else { break }
            if let last = contexts.last { status = calls.link(last, 0, context, 0) }
            contexts.append(context)
        }
        if status >= 0, contexts.count == 3 { status = calls.graph_config(graph, nil) }
        guard status >= 0, contexts.count == 3 else {
            var owned: UnsafeMutablePointer<AVFilterGraph>? = graph
            calls.graph_free(&owned)
            throw MediaError(.unsupported, "deinterlace", subject: filter, averror: min(status, -EINVAL))
        }
        MediaBalance.contexts.add()
        self.graph = Graph(library: library, graph: graph, source: contexts[0], sink: contexts[2])
        shape = wanted
    }
}

extension DecodedFrame {
    /// The earlier field alone, as a frame of half the height with pixels twice as tall. Nothing is copied. `aspect`: of a pixel where
    /// the frame does not say. nil for an image that cannot be taken so (one line, or without planes in memory).
    public func earlierField(aspect: Double?) -> DecodedFrame? {
        guard pointer.pointee.height >= 4, let field = av_frame_clone(pointer) else { return nil }
        let isTop = aether_frame_is_top_first(pointer) != 0
        withUnsafeMutablePointer(to: &field.pointee.data) { planes in
            withUnsafeMutablePointer(to: &field.pointee.linesize) { strides in
                let planes = UnsafeMutableRawPointer(planes).assumingMemoryBound(to: UnsafeMutablePointer<UInt8>?.self)
                let strides = UnsafeMutableRawPointer(strides).assumingMemoryBound(to: Int32.self)
                for plane in 0..<4 {
                    if !isTop, let start = planes[plane] { planes[plane] = start + Int(strides[plane]) }
                    strides[plane] *= 2
                }
            }
        }
        field.pointee.height /= 2
        aether_frame_set_progressive(field)
        let own = field.pointee.sample_aspect_ratio
        if own.num > 0, own.den > 0 {
            av_reduce(
                &field.pointee.sample_aspect_ratio.num, &field.pointee.sample_aspect_ratio.den, Int64(own.num),
                Int64(own.den) * 2, 1 << 30)
        } else {
            field.pointee.sample_aspect_ratio = av_d2q((aspect ?? 1) / 2, 1 << 20)
        }
        return DecodedFrame(taking: field, pts: pts, duration: duration)
    }
}
