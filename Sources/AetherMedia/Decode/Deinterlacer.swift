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
    /// The rate of the output.
    public let rate: Rate
    private let threadCount: Int
    private var shape: Shape?
    private var line: FilterLine?
    /// The duration of an interlaced frame, as far as known.
    private var interval: TimeSpan?

    /// A filter that is made with the first frame. `interval`: how long a frame lasts where it does not say so itself.
    public init(rate: Rate, threadCount: Int, interval: TimeSpan?) {
        self.rate = rate
        self.threadCount = threadCount
        self.interval = interval
    }

    /// Whether frames may still come out without another going in.
    public var isEmpty: Bool { shape == nil }

    /// Whether a frame goes on from the former ones; another size or format needs `finish` first.
    public func accepts(_ frame: borrowing DecodedFrame) -> Bool { shape.map { $0 == Deinterlacer.shape(of: frame) } ?? true }

    private static func shape(of frame: borrowing DecodedFrame) -> Shape {
        let input = frame.pointer.pointee
        return Shape(format: input.format, width: input.width, height: input.height, aspect: frame.sampleAspect ?? 0)
    }

    /// Puts a frame in. Throws `.unsupported` for what the filter refuses (pixel formats without planes).
    public mutating func send(_ frame: consuming DecodedFrame) throws(MediaError) {
        interval = frame.duration ?? interval
        if shape == nil { try build(for: frame) }
        frame.pointer.pointee.pts = frame.pts?.nanoseconds ?? aether_nopts()
        try line?.send(frame.pointer)
    }

    /// The next frame, or nil when another has to go in first.
    public mutating func receive() throws(MediaError) -> DecodedFrame? {
        guard shape != nil else { return nil }
        guard let frame = av_frame_alloc() else {
            throw MediaError(.internalFailure, "deinterlace", averror: aether_averror(ENOMEM))
        }
        var isThere = false
        defer {
            var owned: UnsafeMutablePointer<AVFrame>? = frame
            if !isThere { av_frame_free(&owned) }
        }
        isThere = try line?.receive(frame) ?? false
        guard isThere else { return nil }
        aether_frame_set_progressive(frame)
        let ticks = frame.pointee.pts, base = line?.timeBase
        let pts = ticks == aether_nopts() ? nil : base.map { MediaTime(ticks: ticks, in: $0) }
        return DecodedFrame(taking: frame, pts: pts, duration: interval?.scaled(by: rate == .field ? 0.5 : 1))
    }

    /// No frame follows: `receive` gives the last, and after `reset` others may be sent.
    public mutating func finish() throws(MediaError) { try line?.send(nil) }

    /// Forgets what went in, for a seek.
    public mutating func reset() {
        line = nil
        shape = nil
    }

    private mutating func build(for frame: borrowing DecodedFrame) throws(MediaError) {
        do throws(MediaError) {
            line = try make("bwdif", for: frame)
        } catch {
            // A libavfilter without it has the older one.
            guard error.code == .unsupported else { throw error }
            line = try make("yadif", for: frame)
        }
        shape = Deinterlacer.shape(of: frame)
    }

    private func make(_ filter: String, for frame: borrowing DecodedFrame) throws(MediaError) -> FilterLine {
        let mode = rate == .field ? "send_field" : "send_frame"
        let step = FilterOrder.Step(name: filter, options: "mode=\(mode):parity=auto:deint=interlaced")
        return try FilterLine(FilterOrder([step], like: frame, threadCount: threadCount))
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
