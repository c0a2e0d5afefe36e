public import AetherCore
import CFFmpeg

/// Makes the video of a segment into H.264: decodes, makes whole frames of interlaced ones, converts to 8 bits 4:2:0, encodes.
///
/// Each segment has a decoder and an encoder of its own, and gives the frames that are shown within it, so that bytes depend on the packets
/// alone. Its first frame is the key frame that the source begins it with.
public struct SegmentTranscoder: Sendable {
    /// The stream that is decoded.
    public let stream: StreamInfo
    /// The stream of segments that comes out.
    public let track: SegmentTrack
    /// Bits a second at most.
    public var bitRate: Int { form.bitRate }
    private let form: VideoEncoder.Form

    /// Threads of a decoder: bounded, for other segments and clients wait on the same machine.
    private static let threadCount = 2
    /// Two minutes at 120 frames a second: a segment is no longer.
    private static let frameLimit = 120 * 120

    /// Prepares a transcoder. Throws `.unsupported` where there is no encoder, or the size is not known.
    public init(_ stream: StreamInfo) throws(MediaError) {
        guard let size = stream.size, size.width > 1, size.height > 1, size.width <= 8192, size.height <= 8192 else {
            throw MediaError(.unsupported, "encode video", reason: "the size of its frames is not known, or too large")
        }
        let codec = stream.parameters.pointer.pointee
        let even = PixelSize(width: size.width & ~1, height: size.height & ~1)
        form = VideoEncoder.Form(
            size: even, sampleAspect: stream.sampleAspect, rate: stream.frameRate,
            primaries: Int32(bitPattern: codec.color_primaries.rawValue), transfer: Int32(bitPattern: codec.color_trc.rawValue),
            matrix: Self.matrix(codec.color_space, even), timescale: 90_000,
            bitRate: Self.bitRate(even, rate: stream.frameRate?.value ?? 25))
        let encoder = try VideoEncoder(form)
        var track = SegmentTrack(encoder.parameters, timescale: form.timescale)
        (track.sampleAspect, track.rotationDegrees) = (stream.sampleAspect, stream.rotationDegrees)
        track.language = stream.track?.language
        self.track = track
        self.stream = stream
    }

    /// The matrix of the encoded video: that of the source, or the usual one for RGB and for a source that does not say it.
    private static func matrix(_ stated: AVColorSpace, _ size: PixelSize) -> Int32 {
        if stated != AVCOL_SPC_RGB, stated != AVCOL_SPC_UNSPECIFIED { return Int32(bitPattern: stated.rawValue) }
        return Int32(bitPattern: (size.height > 576 ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M).rawValue)
    }

    /// The most that is needed: a seventh of a bit for each pixel, 8 Mbit/s for 1080p at 25 frames a second.
    static func bitRate(_ size: PixelSize, rate: Double) -> Int {
        let pixels = Double(size.width * size.height) * min(120, max(10, rate))
        return Int(min(40e6, max(600_000, pixels / 6.5)))
    }

    /// The frames that are shown from `start` on and before `end`; nil: all. `packets` begin with a key frame, and go on as far behind `end` as
    /// frames before it are made of; `origin` is the zero of the samples' times. Throws where the codec cannot be decoded at all, and
    /// `.interrupted` where it is not to be waited for.
    public func samples(
        of packets: [Packet], origin: MediaTime, from start: MediaTime, to end: MediaTime?, interrupt: Interrupt
    ) throws(MediaError) -> [SegmentSample] {
        var work = TranscoderWork(try VideoEncoder(form), form, origin: origin, start: start, end: end, rate: stream.frameRate)
        var decoder = try VideoDecoder(stream.parameters, threadCount: Self.threadCount)
        for packet in packets {
            if interrupt.isRaised { throw MediaError(.interrupted, "encode video") }
            var isTaken = false
            while !isTaken {
                isTaken = try decoder.send(packet) == .accepted
                let count = try work.drain(&decoder)
                // A decoder that takes nothing and gives nothing is broken.
                if !isTaken, count == 0 { break }
            }
            if work.count > Self.frameLimit { throw MediaError(.unsupported, "encode video", reason: "a segment is too long") }
        }
        _ = try decoder.send(nil)
        _ = try work.drain(&decoder)
        let encoded = try work.finish()
        let last = end.map { TimeBase(1, form.timescale).ticks(at: MediaTime.zero + max(.zero, $0 - origin)) }
        let usual = Int64(Double(form.timescale) / max(1, stream.frameRate?.value ?? 25))
        return encoded.indices.compactMap { index in
            guard let pts = encoded[index].ptsTicks else { return nil }
            let next = index + 1 < encoded.count ? encoded[index + 1].ptsTicks : last
            return SegmentSample(
                encoded[index], dts: pts, pts: pts, duration: max(1, next.map { $0 - pts } ?? usual), isKey: encoded[index].isKey)
        }
    }
}

/// The frames of one segment on their way from a decoder to an encoder.
private struct TranscoderWork: ~Copyable {
    private var encoder: VideoEncoder
    private var canvas: EncoderFrame
    private var filter: Deinterlacer
    private let origin, start: MediaTime
    private let end: MediaTime?
    private let timescale: TimeBase
    private var packets: [Packet] = []
    private var last: Int64?
    /// Frames that came.
    private(set) var count = 0

    init(
        _ encoder: consuming VideoEncoder, _ form: VideoEncoder.Form, origin: MediaTime, start: MediaTime, end: MediaTime?,
        rate: Ratio?
    ) {
        self.encoder = encoder
        canvas = EncoderFrame(form.size, matrix: form.matrix)
        filter = Deinterlacer(rate: .frame, threadCount: 1, interval: rate.map { .seconds(1 / $0.value) })
        (self.origin, self.start, self.end) = (origin, start, end)
        timescale = TimeBase(1, form.timescale)
    }

    /// Takes what a decoder has; returns how many frames that were.
    mutating func drain(_ decoder: inout VideoDecoder) throws(MediaError) -> Int {
        var taken = 0
        do throws(MediaError) {
            while let frame = try decoder.receive() {
                taken += 1
                count += 1
                try add(frame)
            }
        } catch {
            if error.code != .endOfMedia { throw error }
        }
        return taken
    }

    private mutating func add(_ frame: consuming DecodedFrame) throws(MediaError) {
        guard let pts = frame.pts, pts >= start, end.map({ pts < $0 }) ?? true else { return }
        if !filter.isEmpty, !filter.accepts(frame) { try emptyFilter() }
        guard frame.isInterlaced || !filter.isEmpty else { return try encode(frame) }
        try filter.send(frame)
        while let whole = try filter.receive() { try encode(whole) }
    }

    private mutating func emptyFilter() throws(MediaError) {
        try filter.finish()
        while let whole = try filter.receive() { try encode(whole) }
        filter.reset()
    }

    private mutating func encode(_ frame: borrowing DecodedFrame) throws(MediaError) {
        guard let pts = frame.pts else { return }
        let ticks = timescale.ticks(at: MediaTime.zero + max(.zero, pts - origin))
        // A damaged file may say the same twice.
        if let last, ticks <= last { return }
        last = ticks
        var drawn: UnsafeMutablePointer<AVFrame>? = try canvas.drawn(frame, at: ticks)
        defer { av_frame_free(&drawn) }
        try encoder.encode(drawn, into: &packets)
    }

    mutating func finish() throws(MediaError) -> [Packet] {
        if !filter.isEmpty { try emptyFilter() }
        try encoder.encode(nil, into: &packets)
        return packets
    }
}
