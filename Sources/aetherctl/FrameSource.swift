import AetherCore
import AetherMedia

/// The frames of a source's first video stream as rasters, in the order of showing: decoded, fitted and turned as the player does,
/// but each one, and without a clock. Lives on one thread; every call may block on the source.
struct FrameSource: ~Copyable {
    /// One frame.
    struct Frame {
        let pts: MediaTime
        /// The duration on screen.
        let duration: TimeSpan
        let image: RasterImage
        /// The time of reading and decoding, and of scaling.
        let decoding, scaling: TimeSpan
    }

    private var demuxer: Demuxer
    private var decoder: VideoDecoder
    private var scaler = RasterScaler()
    private let stream: StreamInfo
    private let time = SystemTime()
    private var waiting: Packet?
    private var isDrained = false
    /// Frames that are over by then are left out.
    private let start: MediaTime?
    private var lastEnd: MediaTime

    /// Opens the source; `start` is where to begin, nil for the first frame.
    init(_ input: MediaInput, options: OpenOptions, start: TimePoint?) throws(MediaError) {
        var demuxer = try Demuxer(input, options: options, interrupt: Interrupt())
        guard let stream = demuxer.info.decodable(.video).first ?? demuxer.info.streams.first(where: { $0.kind == .video }) else {
            throw MediaError(.noDecodableStream, "render", subject: input.name, reason: "it has no video")
        }
        let decoder = try VideoDecoder(stream.parameters, threadCount: 2)
        demuxer.select([stream.index])
        let origin = demuxer.info.startTime
        var from: MediaTime?
        if let start {
            guard let point = start.time(start: origin, duration: demuxer.info.duration) else {
                throw MediaError(.seekFailed, "seek", subject: input.name, reason: "its duration is not known")
            }
            // A source without seeking is read up to there.
            if demuxer.info.isSeekable { try demuxer.seek(to: point, stream: stream.index) }
            from = point
        }
        self.demuxer = demuxer
        self.decoder = decoder
        self.stream = stream
        self.start = from
        lastEnd = from ?? origin
    }

    /// The next frame, fitted into a box of raster pixels of that shape; nil at the end.
    mutating func next(box: PixelSize, pixelAspect: Double) throws(MediaError) -> Frame? {
        let began = time.now()
        while let frame = try nextFrame() {
            let length = frame.duration ?? .seconds(1 / (stream.frameRate?.value ?? 25))
            let pts = frame.pts ?? lastEnd
            lastEnd = pts + length
            // Containers round to 1 ms, so a frame that ends just there may seem to end just behind it.
            if let start, lastEnd - start <= .milliseconds(1) { continue }
            let decoded = time.now()
            let orientation = frame.orientation ?? stream.orientation
            let target = FrameFit(
                stream: PixelSize(width: frame.width, height: frame.height),
                sampleAspect: frame.sampleAspect ?? stream.sampleAspect.value, rotation: orientation.turn, box: box,
                rasterAspect: pixelAspect
            ).frameTarget
            let image = try scaler.scale(frame, to: target).oriented(orientation)
            return Frame(
                pts: pts, duration: length, image: image, decoding: decoded - began, scaling: time.now() - decoded)
        }
        return nil
    }

    private mutating func nextFrame() throws(MediaError) -> DecodedFrame? {
        while true {
            do throws(MediaError) {
                if let frame = try decoder.receive() { return frame }
                if isDrained { return nil }
                let packet: Packet
                if let waiting { packet = waiting } else { packet = try demuxer.read(epoch: Epoch()) }
                waiting = try decoder.send(packet) == .full ? packet : nil
            } catch {
                guard error.code == .endOfMedia else { throw error }
                if isDrained { return nil }
                isDrained = true
                _ = try decoder.send(nil)
            }
        }
    }
}
